# Shared by .dev/demo and .dev/test: Debian packages and the virtual environment. Source it; it defines functions.

say() { printf '\n== %s\n' "$*" >&2; }

# need_packages PACKAGE...: installs what is missing where root or sudo allows, otherwise prints the line to run.
need_packages() {
    local missing=()
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    local install="apt-get install -y --no-install-recommends ${missing[*]}" as=()
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
            as=(sudo)
        else
            echo "These Debian packages are missing. As root, run:  apt-get update && $install" >&2
            exit 2
        fi
    fi
    say "installing ${missing[*]}"
    "${as[@]}" apt-get update -qq
    "${as[@]}" env DEBIAN_FRONTEND=noninteractive $install -qq >/dev/null
}

# need_python: sets PYTHON to a Python 3.11-3.13 that can make virtual environments.
need_python() {
    for PYTHON in python3 python3.13 python3.12 python3.11; do
        if "$PYTHON" -c 'import sys, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; then
            return
        fi
    done
    need_packages python3 python3-venv
    PYTHON=/usr/bin/python3
    "$PYTHON" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || {
        echo "nardy-hw needs Python 3.11 to 3.13; this machine has $("$PYTHON" --version)" >&2
        exit 2
    }
}

# need_venv [EXTRAS]: .venv with this checkout installed in it, e.g. need_venv '[test]'.
need_venv() {
    need_python
    local stamp=".venv/.installed$1"
    .venv/bin/python -m pip --version >/dev/null 2>&1 || { say "making .venv"; "$PYTHON" -m venv --clear .venv; }
    if [ ! -e "$stamp" ] || [ pyproject.toml -nt "$stamp" ]; then
        say "installing nardy-hw$1 into .venv"
        .venv/bin/python -m pip install --quiet --disable-pip-version-check -e ".$1"
        touch "$stamp"
    fi
}
