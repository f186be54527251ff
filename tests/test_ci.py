"""In CI nothing is skipped for want of a tool, slow tests are marked, a room has its tests, downloads are pinned."""

from __future__ import annotations

import faulthandler
import json
import os
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.conftest import ROOT, run_python
from tools.check import find_tests

TESTS = '''
import pytest
import tests.conftest

spent = [0.0]
tests.conftest.processor_time = lambda: spent[0]  # no clock: what a busy machine makes of it is no fault of a test

def compute():
    spent[0] += tests.conftest.MUST_BE_SLOW_S + 0.1

def test_long():
    compute()

@pytest.mark.slow
def test_long_and_marked():
    compute()

def test_with_a_browser(real_browser):
    compute()

def test_needs_a_tool():
    pytest.skip("needs a tool")

@pytest.mark.skipif(True, reason="has no meaning here")
def test_of_another_system():
    pass
'''


@pytest.mark.slow
def test_a_missing_tool_and_a_missing_mark_are_failures_and_another_system_is_not(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(TESTS, encoding="utf-8")
    done = run_python("-m", "pytest", "-q", "-p", "tests.conftest", "-p", "no:cacheprovider", "-o", "markers=slow",
                      "test_some.py", cwd=tmp_path, CI="true")
    assert "2 failed, 2 passed, 1 skipped" in done.stdout, done.stdout
    assert "in CI nothing may be missing: needs a tool" in done.stdout
    assert "processor time: mark it with @pytest.mark.slow" in done.stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork (POSIX)")
def test_a_child_that_crashes_prints_no_traceback_amid_the_dots() -> None:
    child = os.fork()
    if not child:
        os._exit(faulthandler.is_enabled())
    assert os.waitpid(child, 0)[1] == 0


def test_the_tests_of_a_room_are_its_folder_and_those_that_import_from_it() -> None:
    found = find_tests("pages")
    assert {"tests/pages/test_site.py", "tests/pages/open/test_layout.py", "tests/cli/test_open.py"} <= {*found}
    assert "tests/engine/test_shapes.py" not in found


@pytest.mark.parametrize("extra", ["dev", "docs"])
def test_python_packages_are_pinned_by_hash(extra: str) -> None:
    text = (ROOT / f"requirements-{extra}.txt").read_text(encoding="utf-8")
    pins = re.findall(r"^([\w-]+)==(\S+)(?: ;.*)? \\\n    --hash=sha256:[0-9a-f]{64}", text, re.MULTILINE)
    assert len(pins) == text.count("==") - text.count(" == '") and "://" not in text
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = table["project"]
    for line in (table["dependency-groups"]["docs"] if extra == "docs" else
                 (*project["dependencies"], *project["optional-dependencies"]["dev"])):
        wanted = Requirement(line)
        versions = [version for name, version in pins if name == wanted.name.lower()]
        assert versions and all(map(wanted.specifier.contains, versions)), line


def test_node_packages_for_tests_are_pinned_by_hash() -> None:
    wanted, lock = (json.loads((ROOT / "tests" / "forms" / name).read_text(encoding="utf-8"))
                    for name in ("package.json", "package-lock.json"))
    whole, *packages = lock["packages"].values()
    assert whole["dependencies"] == wanted["dependencies"]
    assert all(package["integrity"].startswith("sha512-") and "resolved" not in package for package in packages)


def test_actions_are_pinned_by_commit() -> None:
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        actions = re.findall(r"uses: (.*)", path.read_text(encoding="utf-8"))
        assert actions
        for action in actions:
            assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40}  # v[\d.]+", action), action
