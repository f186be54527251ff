"""The page of ``ppgen open`` speaks the language of its user: every text of it, and every message."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ppgen.cli.messages import page_texts
from ppgen.making.first_layout import looks
from ppgen.pages.open import live_page
from ppgen.pages.open.start_page import STARTERS
from ppgen.reading.texts import languages
from ppgen.shipped import shipped_root
from tests.conftest import Desk

from .conftest import opened_at, write_deck

HOME = Path(live_page.__file__).parent
LANGUAGES = languages(shipped_root() / "data" / "locales")
DRAWN = "document.querySelectorAll('.piece img').length > 0 && !document.body.classList.contains('busy')"
FOUND = "document.querySelector('#found').textContent"
USES = (r'phrase\(\s*"(\w+)"', r'\{\{(\w+)\}\}', r'"key": "(\w+)"', r'report_step\("(\w+)", 0, 0\)',
        r'step \|\| "(\w+)"')
"""How scripts, the page and the program name a text."""


def used_keys() -> set[str]:
    files = [*HOME.glob("*.*"), HOME.parent / "local_server.py", *(HOME.parents[1] / "cli").glob("*.py")]
    code = "".join(file.read_text(encoding="utf-8") for file in files)
    counted = set(re.findall(r'count\("(\w+)"', code))
    return {*(key for use in USES for key in re.findall(use, code)), *counted, *(f"{key}_one" for key in counted),
            *(f"look_{name}" for name in ("plain", *looks())), *(f"starter_{name}" for name in STARTERS),
            "bad_name", "not_taken"} - {"lang"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_text_of_the_page_is_in_each_language_and_none_is_left_over(lang):
    assert {key.removeprefix("open.") for key in page_texts(lang).words if key.startswith("open.")} == used_keys()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_text_of_the_page_is_made_with_its_values(lang):
    code = "".join(path.read_text(encoding="utf-8") for path in HOME.glob("*.js"))
    given = {match[1]: set(re.findall(r"[{,] (\w+)", f"{{ {match[2]}"))
             for match in re.finditer(r'phrase\("(\w+)", \{ (.*?) \}\)', code)}
    for key, text in page_texts(lang).words.items():
        name = key.removeprefix("open.")
        if name != key and not name.startswith("count_"):
            assert set(re.findall(r"\{(\w+)\}", text)) <= given.get(name, set()), key


def test_no_script_of_the_page_takes_a_text_for_a_value():
    code = "".join(path.read_text(encoding="utf-8") for path in HOME.glob("*.js"))
    assert not re.findall(r"(?:value|className|name|type|[=!]==):? phrase\(.*", code)


@pytest.mark.slow
def test_the_page_works_in_the_language_of_the_user(browser, tmp_path):
    """Its texts, messages and problems; a filter finds, everything is printed, the delete key deletes."""
    write_deck(tmp_path)
    german, text = page_texts("de").words, "document.body.innerText"
    with opened_at(tmp_path, LANG="de_DE.UTF-8") as address:
        browser("look", width=1400, height=1000)
        browser("open", url=address)
        browser.wait_for(DRAWN)
        assert browser.find("document.documentElement.lang") == "de"
        for key in ("faces", "print", "filter_the_pieces", "make"):
            assert german[f"open.{key}"] in browser.find(text)
        browser("click", at="#find")
        browser("type", text="cost:2")
        browser.wait_for(f"{FOUND}.startsWith('1 ')")
        browser("click", at="#t-print")
        browser.wait_for("document.querySelectorAll('[name=only]').length === 2")
        browser("click", at="#go")
        browser.wait_for("document.querySelectorAll('.files a').length > 0 || document.querySelector('#job.err')")
        assert browser.find("document.querySelector('#job').className") == ""
        browser("click", at="#t-faces")
        browser.find("(() => { const find = document.querySelector('#find'); find.value = '';"
                     " find.dispatchEvent(new Event('input')); })()")
        browser("click", at="#p-orc")
        browser("click", at="#side .head button")
        browser.wait_for("document.querySelectorAll('#layout .things button').length > 0")
        browser.find("choose(layout.view.things[0])")
        browser.wait_for("document.activeElement.matches('.layer')")
        browser("press", key="Delete")
        browser.wait_for("document.querySelector('#layout-error')?.textContent "
                         "|| !document.querySelector('#undo').disabled")
        assert "panel(margin=3" not in (tmp_path / "card.svg.j2").read_text(encoding="utf-8")
        Desk(tmp_path).change("deck.toml", 'size = "', 'sise = "')
        browser.wait_for(f"{text}.includes('{german['open.not_right_yet']}')")
        assert "is not known" in browser.find(text)
        assert not browser("heard")["errors"]
