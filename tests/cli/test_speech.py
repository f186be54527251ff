"""What commands say and ask on a terminal: in whose language, and which answers are understood."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from ppgen.assets import shipped
from ppgen.cli.speech import confirmed, speech
from ppgen.reading.texts import TOLD, languages

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = languages(shipped() / "data" / "locales")


@pytest.mark.parametrize("wanted, locale, lang", [
    (["fr"], "de_DE.UTF-8", "fr"), (["FR"], "C", "fr"), ([], "ja_JP.UTF-8", "ja"), (["all"], "nl_BE", "nl"),
    (["fr", "de"], "en_GB.UTF-8", "en"), (["tlh"], "da_DK.UTF-8", "da"), ([], "C", "de"), ([], "pl_PL.UTF-8", "de")])
def test_the_language_is_that_of_lang_or_the_locale(monkeypatch, wanted, locale, lang):
    monkeypatch.setenv("LC_ALL", locale)
    assert speech(wanted).lang == lang


@pytest.mark.parametrize("lang, answer, meant", [
    ("de", "j", True), ("de", "Ja", True), ("de", "y", True), ("de", "nein", False), ("de", "", True),
    ("fr", "o", True), ("fr", "OUI", True), ("fr", "non", False), ("en", "yes", True), ("en", "n", False),
    ("nl", "ja", True), ("nl", "nee", False), ("da", "nej", False), ("ja", "はい", True), ("ja", "いいえ", False),
    ("ja", "ｎ", False)])
def test_yes_and_no_are_words_of_the_language(lang, answer, meant):
    command = click.Command("ask", callback=lambda: click.echo(confirmed("?", speech([lang]))))
    assert CliRunner().invoke(command, input=f"{answer}\n").stdout.strip() == str(meant)


def test_what_is_no_answer_is_asked_again():
    command = click.Command("ask", callback=lambda: click.echo(confirmed("Los?", speech(["de"]), default=False)))
    done = CliRunner().invoke(command, input="o\nja\n")
    assert done.stdout.strip().endswith("True")
    assert "Los? [j/N]" in done.stderr and "Bitte mit j (ja) oder n (nein) antworten." in done.stderr


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_default_is_the_capital_letter(lang):
    say = speech([lang])
    for key, other, capital in (("usually_yes", "no", "yes"), ("usually_no", "yes", "no")):
        hint = say(f"answers.{key}")
        assert say(f"answers.{capital}").split()[0].upper() in hint and say(f"answers.{other}").split()[0] in hint


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_text_of_the_commands_is_said(lang):
    """``ppgen check`` passes over these tables, so this is where a text that nobody says is found."""
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "ppgen").rglob("*.py")))
    told = [key for key in speech([lang]).words if key.partition(".")[0] in TOLD - {"scorer"}]  # that: export/scorer
    unused = [key for key in told if not re.search(rf"['\"]{re.escape(key)}['\"]", code)
              and not re.search(rf"f['\"]{key.partition('.')[0]}\.\{{", code)]
    assert told and not unused
