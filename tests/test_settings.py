"""The machine's settings."""

from __future__ import annotations

import pytest

from nardy_hw import settings
from nardy_hw.errors import InputError
from nardy_hw.settings import Devices, Pins, Settings, load_settings

WHOLE = """
[devices]
board = "auto"
dice = "ble"
ble = ["AA:01", "BB:02"]
[pins]
driver = "mock"
white = 17
"""


def test_what_is_said_and_what_is_left_out(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text(WHOLE)
    devices = Devices(board="auto", dice="ble", ble=("AA:01", "BB:02"))
    assert load_settings(path) == Settings(devices, Pins(driver="mock", white=17))
    path.write_text("")
    assert load_settings(path) == Settings() == Settings(Devices("", "", "camera", ()), None)


def test_the_machines_own_file_is_taken_where_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(settings, "DEFAULT", tmp_path / "config.toml")
    assert load_settings() == Settings()
    (tmp_path / "config.toml").write_text(WHOLE)
    assert load_settings().devices.board == "auto"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[device]\n", "no setting 'device'; did you mean 'devices'"),
        ("[devices]\nbord = 'auto'", "no setting 'bord' in [devices]; did you mean 'board'"),
        ("[pins]\nred = 3", "no setting 'red' in [pins]; there are driver, white, black, buzzer, status"),
        ("[devices]\ndice = 'loaded'", "'loaded'"),
        ("[pins]\nwhite = '17'", "white"),
        ("pins = 3", "pins"),
        ("[devices", "not TOML"),
        ("\x00", "not TOML"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, text, told):
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        load_settings(path)
    assert told in str(error.value) and "config.toml" in str(error.value) and "\n" not in str(error.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        load_settings(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"[devices]\nboard = '\xe9'")
    with pytest.raises(InputError, match="not TOML"):
        load_settings(tmp_path / "latin.toml")
