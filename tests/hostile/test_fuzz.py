"""Random files of every kind: nothing comes of them but a result or an InputError, and soon."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tools.fuzz import TARGETS, run

FUZZ = Path(__file__).resolve().parents[2] / "tools" / "fuzz.py"
FOUND = {
    "svg": [bytes([255] * 60), b"\x05\xff\xff\xff"],
    "template": [b"\x00\xff" * 40],
}
"""Inputs that once broke something, or nearly."""
SLOW = {"template": 40, "drawing": 40}
"""Targets that are drawn or compiled: so many examples, of the others 120."""


@pytest.mark.parametrize("name", TARGETS)
def test_no_input_breaks_anything(name):
    @settings(max_examples=SLOW.get(name, 120))
    @given(data=st.binary(max_size=60))
    def fuzzed(data):
        run(TARGETS[name], data)

    for data in FOUND.get(name, ()):
        fuzzed = example(data=data)(fuzzed)
    fuzzed()


@pytest.mark.parametrize("name", TARGETS)
def test_no_repeated_input_breaks_anything(name):
    """A byte of 255 repeats what is there: deep and long inputs, the likeliest to take long."""

    @settings(max_examples=SLOW.get(name, 120) // 4)
    @given(start=st.binary(min_size=1, max_size=12), times=st.integers(3, 14), end=st.binary(max_size=8))
    def fuzzed(start, times, end):
        run(TARGETS[name], start + b"\xff" * times + end)

    fuzzed()


def test_a_fault_is_seen():
    """The fuzzing itself works: what is no InputError, or takes long, is passed on."""

    def fault(data):
        raise KeyError(data)

    with pytest.raises(KeyError):
        run(fault, b"x")


@pytest.mark.skipif(importlib.util.find_spec("atheris") is None,
                    reason="atheris is not installed (pip install atheris); hypothesis did its part above")
def test_atheris_finds_nothing_in_a_second(tmp_path):
    done = subprocess.run([sys.executable, FUZZ, "svg", "--seconds", "1"], cwd=tmp_path, capture_output=True, text=True,
                          timeout=120, env={"PYTHONPATH": str(FUZZ.parents[1])})
    assert done.returncode == 0, done.stderr[-4000:]
    assert not list(tmp_path.glob("crash-*"))
