"""Imports point down only, floor by floor; heavy and Pi-only libraries are imported in their one adapter."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# Highest first; a module may import its own floor and those below.
FLOORS = [
    {"nardy_hw.cli"},
    {"nardy_hw.demo"},
    {"nardy_hw.daemon"},
    {"nardy_hw.web"},
    {"nardy_hw.record", "nardy_hw.announce"},
    {"nardy_hw.referee"},
    {"nardy_hw.vision", "nardy_hw.hints"},
    {"nardy_hw.rules"},
    {"nardy_hw.errors", "nardy_hw.choice", "nardy_hw.settings"},
]
# Same floor or below, and yet closed to each other.
CLOSED = {
    "nardy_hw.vision": {"nardy_hw.rules", "nardy_hw.hints"},
    "nardy_hw.record": {"nardy_hw.vision", "nardy_hw.announce", "calibration"},
    "nardy_hw.web": {"nardy_hw.vision", "calibration"},
    "nardy_hw.rules": {"calibration", "numpy", "cv2", "msgspec", "time", "pathlib"},
    "nardy_hw.referee": {"calibration", "cv2", "time", "threading", "pathlib"},
}
ADAPTERS = {
    "picamera2": {"nardy_hw/vision/sources/picamera.py"},
    "gpiozero": {"firmware_bridge/gpio.py"},
    "bleak": {"firmware_bridge/ble.py"},
    "serial": {"firmware_bridge/link.py"},
}


def modules() -> list[Path]:
    return sorted(
        p for top in ("nardy_hw", "calibration", "firmware_bridge") for p in (ROOT / top).rglob("*.py") if p.exists()
    )


def imports(path: Path) -> Iterator[str]:
    """Every module named in an import, those inside functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def floor(name: str) -> int | None:
    for number, rooms in enumerate(FLOORS):
        if any(name == room or name.startswith(room + ".") for room in rooms):
            return number
    return None


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_down(path: Path) -> None:
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    own = floor(module)
    for name in imports(path):
        top = name.split(".")[0]
        if module.split(".")[0] in ("calibration", "firmware_bridge"):
            assert top != "nardy_hw", f"{module} imports {name}: it stands on the ground"
        other = floor(name)
        if own is not None and other is not None:
            assert other >= own, f"{module} imports {name}, which is a floor above"
        for room, closed in CLOSED.items():
            if module.startswith(room):
                assert not any(name == c or name.startswith(c + ".") for c in closed), f"{module} imports {name}"
        if module.startswith("nardy_hw.referee") and name.startswith("nardy_hw.vision"):
            assert name.startswith("nardy_hw.vision.observation"), f"{module} imports {name}"
        if top in ADAPTERS:
            assert str(path.relative_to(ROOT)) in ADAPTERS[top], f"{module} imports {name} outside its adapter"


def test_the_top_level_holds_what_was_agreed() -> None:
    agreed = {
        "pyproject.toml",
        "nardy_hw",
        "calibration",
        "firmware_bridge",
        "tests",
        "systemd",
        "README.md",
        "LICENSE",
    }
    ignored = {"build", "dist", "nardy_hw.egg-info"}
    found = {p.name for p in ROOT.iterdir() if not p.name.startswith(".")} - ignored
    assert found <= agreed


def test_no_module_is_long() -> None:
    for path in modules():
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 500, f"{path} is over 500 lines"
