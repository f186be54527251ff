"""Command lines to copy: they run in the shells of the system."""

from __future__ import annotations

import shlex
import sys

import pytest
from hypothesis import given, strategies as st

from ppgen.lines import quote_argument


@pytest.mark.skipif(sys.platform == "win32", reason="is about sh")
@given(st.text("aZ9ä日 -_.,'$&;()[]!#%@=~+:/\\", min_size=1, max_size=12))
def test_a_word_of_a_command_stays_one_word(word):
    assert shlex.split(quote_argument(word)) == [word]


def test_on_windows_it_is_quoted_for_cmd_and_powershell(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    assert quote_argument("goblins") == "goblins"
    for word in ("über spiel", "Tom's", "a&b", "(a)", "a,b", "a;b"):
        assert quote_argument(word) == f'"{word}"'
