"""``--open`` and ``ppgen open``: the desktop's own program opens what a command made, where there is a desktop."""

import sys
import time

import click
import pytest

from ppgen.cli.options import open_on_desktop
from ppgen.pages.open.album import Saved
from tests.pages.open.conftest import write_deck

START = Saved()


@pytest.fixture
def opened(monkeypatch):
    """What would be opened, on a desktop."""
    opened = []
    monkeypatch.setattr(click, "launch", opened.append)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    return opened


BUILD = "build", "--only", "stones", "--open", "--quiet"


@pytest.mark.parametrize(("words", "folder"), [
    (("--lang", "en"), "output/en"), (("--lang", "en", "--lang", "de", "-o", "print"), "print")])
def test_a_build_opens_the_folder_that_holds_all_its_files(desk, opened, words, folder):
    assert desk.ppgen(*BUILD, *words).exit_code == 0
    assert opened == [folder]


class Interrupted:
    """An event that a Ctrl-C comes before."""

    def wait(self):
        raise KeyboardInterrupt


@pytest.mark.slow
@pytest.mark.parametrize("words", ["open --lang de", "export scorer --serve --open"])
def test_a_page_is_opened_in_the_browser_once_it_is_served(desk, opened, monkeypatch, words):
    monkeypatch.setattr("ppgen.cli.export.Event", Interrupted)
    monkeypatch.setattr("ppgen.pages.open.album.watch_saves", lambda *_: iter([START]))
    (desk.folder / "ppgen.toml").write_text('[build]\nonly = "stones"\n', encoding="utf-8")
    done = desk.ppgen(*words.split(), "--port", "0")
    assert done.exit_code == 0, done.output
    (address,) = done.stdout.split()
    assert address.startswith("http://")
    (first,) = opened
    assert first == address or address.partition("#")[2] not in first  # a token is not for lists of processes


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a display")
@pytest.mark.parametrize(("display", "opens"), [("WAYLAND_DISPLAY", True), ("NO_DISPLAY", False)])
def test_linux_needs_a_display(desk, opened, monkeypatch, display, opens):
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv(display, "wayland-0")
    open_on_desktop("output")
    assert opened == (["output"] if opens else [])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have other programs to open files")
@pytest.mark.slow
def test_what_is_opened_is_not_held_to_the_limits_of_strangers_files(desk, process):
    """A browser that this starts goes on for days."""
    deck = write_deck(desk.folder)
    program = deck / "xdg-open"
    program.write_text('#!/bin/sh\necho "$(ulimit -t)" > seen\n')
    program.chmod(0o755)
    done = process("build", "--only", "cards", "--open", "-q", cwd=deck, DISPLAY=":0", CI="",
                   PATH=f"{deck}:/usr/bin:/bin")
    assert (done.returncode, done.stderr) == (0, "")
    seen, end = deck / "seen", time.monotonic() + 60
    while not (seen.is_file() and seen.read_text()) and time.monotonic() < end:
        time.sleep(0.05)
    assert seen.read_text() == "unlimited\n"
