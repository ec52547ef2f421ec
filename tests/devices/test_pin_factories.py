"""The pin factory is the one that was named; on the wrong machine there is one line that says what to do."""

import os
import sys
from pathlib import Path

import pytest

from firmware.devices.clock import VirtualClock
from firmware.devices.faults import DeviceFault
from firmware.devices.pins import open_pin_factory
from firmware.devices.simulated_pins import SimulatedPins


@pytest.fixture(autouse=True)
def _environment_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LG_WD", "")


def fault_of(name: str, folder: Path) -> str:
    with pytest.raises(DeviceFault) as fault:
        open_pin_factory(name, VirtualClock(), folder)
    assert "\n" not in str(fault.value)
    return str(fault.value)


def test_mock_is_stamped_by_the_clock_it_is_given(tmp_path: Path) -> None:
    factory = open_pin_factory("mock", VirtualClock(2_500_000_000), tmp_path)
    assert isinstance(factory, SimulatedPins)
    assert factory.ticks() == 2.5


@pytest.mark.parametrize("name", ["", "pigpio", "native", "LGPIO"])
def test_any_other_name_is_refused_and_nothing_is_guessed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    assert "is not known" in fault_of(name, tmp_path)


def test_lgpio_off_the_board_says_so_and_leaves_the_working_directory_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gpiozero.exc import PinUnknownPi

    def no_revision() -> int:
        raise PinUnknownPi("unable to locate Pi revision")

    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", no_revision)
    here = Path.cwd()
    for module in ("lgpio", "gpiozero.pins.lgpio"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    assert "does not say that it is a Raspberry Pi" in fault_of("lgpio", tmp_path / "lgpio")
    assert Path.cwd() == here
    assert os.environ["LG_WD"] == str(tmp_path / "lgpio")
    assert list((tmp_path / "lgpio").glob(".lgd-nfy*"))


def test_lgpio_without_a_gpio_chip_says_what_to_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0xC03111)
    open_lgpio_module(tmp_path)
    import lgpio

    def no_chip(chip: int) -> int:
        raise lgpio.error("can not open gpiochip")

    monkeypatch.setattr(lgpio, "gpiochip_open", no_chip)
    assert "check that /dev/gpiochip0 exists" in fault_of("lgpio", tmp_path)


def open_lgpio_module(folder: Path) -> None:
    """lgpio's import needs LG_WD, which opening the factory sees to, whatever comes of it."""
    try:
        open_pin_factory("lgpio", VirtualClock(), folder).close()
    except DeviceFault:
        assert "lgpio" in sys.modules


def test_a_work_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    assert f"its work folder {tmp_path / 'taken'} cannot be used" in fault_of("lgpio", tmp_path / "taken")


def test_lgpio_that_is_not_installed_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    assert "the lgpio package is not installed" in fault_of("lgpio", tmp_path)


def test_rpigpio_that_is_not_installed_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "gpiozero.pins.rpigpio", raising=False)
    monkeypatch.setitem(sys.modules, "RPi", None)
    assert "RPi.GPIO is not installed" in fault_of("rpigpio", tmp_path)


def test_rpigpio_off_the_board_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "RPi").mkdir()
    (tmp_path / "RPi" / "__init__.py").write_text("")
    (tmp_path / "RPi" / "GPIO.py").write_text("raise RuntimeError('can only be run on a Raspberry Pi')")
    for module in ("gpiozero.pins.rpigpio", "RPi", "RPi.GPIO"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "runs on a Raspberry Pi only" in fault_of("rpigpio", tmp_path)
