"""In CI nothing is skipped for want of a tool."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TESTS = '''
import pytest

def test_needs_a_tool():
    pytest.skip("needs a tool")

@pytest.mark.skipif(True, reason="has no meaning here")
def test_of_another_system():
    pass
'''


def test_a_missing_tool_is_a_failure_and_another_system_is_not(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(TESTS, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-p", "no:cacheprovider", "test_some.py"]
    root = Path(__file__).resolve().parents[1]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True,
                          env={**os.environ, "CI": "true", "PYTHONPATH": str(root)})
    assert "1 failed, 1 skipped" in done.stdout, done.stdout
    assert "in CI nothing may be missing: needs a tool" in done.stdout
