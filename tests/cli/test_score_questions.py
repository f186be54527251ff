"""The questions of ``ppgen score``: quick ones with answers from a pipe, a few in a pseudo-terminal."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


NAMES = ("Ann", "Bo", "Cy", "")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="has no pseudo-terminals of this kind")
def test_a_terminal_is_asked_and_ctrl_c_keeps_the_answers(tmp_path):
    """With stdout in a file, the questions are asked all the same, and the file has the result alone."""
    pexpect = pytest.importorskip("pexpect")
    command = f"exec {sys.executable} -m ppgen score --json --partial > result.json"
    env = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(tmp_path), "LC_ALL": "en_GB.UTF-8",
           "TERM": "xterm"}

    def spawn():
        return pexpect.spawn("/bin/sh", ["-c", command], env=env, cwd=str(tmp_path), timeout=60, encoding="utf-8")

    child = spawn()
    for name in NAMES:
        child.expect("Player . ?: ")
        child.sendline(name)
    child.expect("cards of France")
    child.sendline("3")
    child.expect("symbols of one kind[^:]*: ")
    status = Path(f"/proc/{child.pid}/stat")
    while status.exists() and " S " not in status.read_text():  # Python sees no signal just before it waits for a line
        time.sleep(0.01)
    child.sendintr()
    child.expect("Saved.")
    child.expect(pexpect.EOF)
    child = spawn()
    child.expect("Continue with it")
    child.sendline("y")
    child.expect("Ann: the most symbols of one kind of France")
    child.send("\n" * 99)
    child.expect(pexpect.EOF)
    result = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    assert [player["total"] for player in result["players"]] == [8, 0, 0]
