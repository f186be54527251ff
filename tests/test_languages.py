"""Six languages: complete, with the right words, in the right fonts, and inside their boxes."""

from __future__ import annotations

import io
import re
import tomllib
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import pikepdf
import pytest

from ppgen.assets import Assets
from ppgen.engine.drawing.lettering import Lettering
from ppgen.engine.geometry import Format, Size
from ppgen.printing.request import BuildRequest
from ppgen.printing.set_build import print_set
from ppgen.printing.workshop import PrintRun, Workshop
from ppgen.reading.texts import FOREIGN
from ppgen.review.set_check import check, default_looks
from ppgen.shipped import shipped_root
from tests.conftest import Desk

DATA = shipped_root() / "data"
FOLDERS = (DATA / "locales", DATA / "card_game" / "locales")
SAID = (*FOLDERS, DATA / "open_page", DATA / "help")
"""With the texts that are not printed."""
A4 = Format("a4", Size(210, 297))

GLOSSARY = tomllib.loads((Path(__file__).parent / "games" / "glossary.toml").read_text("utf-8"))
COUNTRIES = GLOSSARY["countries"]
WORDS = GLOSSARY["card-game"]
LANGUAGES = tuple(COUNTRIES)


def words_of(lang: str, folders: Iterable[Path] = FOLDERS) -> dict[str, str]:
    """Every text of a language, by its key."""

    def flat(table: dict, trail: str = "") -> Iterator[tuple[str, str]]:
        for key, value in table.items():
            yield from flat(value, f"{trail}{key}.") if isinstance(value, dict) else [(f"{trail}{key}", value)]

    return {key: text for folder in folders
            for key, text in flat(tomllib.loads((folder / f"{lang}.toml").read_text(encoding="utf-8")))}


# ---------- complete, and well written ----------

def test_there_is_a_file_for_each_language_and_no_other() -> None:
    for folder in SAID:
        assert {path.stem for path in folder.glob("*.toml")} == set(LANGUAGES)


ACCENTS = str.maketrans("aceinosuyzACEINOSUYZ", "áçéíñøšüÿžÁÇÉÍÑØŠÜŸŽ")


def stretched(text: str) -> str:
    """Each word accented, and 40 % longer; placeholders and escapes stay."""

    def longer(match: re.Match[str]) -> str:
        word = match[0]
        return word if word[0] in "{\\" else word.translate(ACCENTS) + "ø" * round(len(word) * 0.4)

    return re.sub(r"\{\w+\}|\\.|[^\W\d_]+", longer, text)


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Workshop:
    """The shipped templates and texts with a card of each country: the others have the same words.

    In a seventh language, ``qps``, texts are 40 % longer than in English.
    """
    data = Desk(tmp_path_factory.mktemp("small")).with_small_set().data
    for folder in FOLDERS:
        english = (folder / "en.toml").read_text(encoding="utf-8")
        pseudo = re.sub(r'"""(?s:.*?)"""|"(?:\\.|[^"\\\n])*"', lambda match: stretched(match[0]), english)
        (data / folder.relative_to(DATA) / "qps.toml").write_text(pseudo, encoding="utf-8")
    return Workshop.open(Assets.at(data))


@pytest.mark.slow
def test_each_language_is_complete_and_fits_the_cards(workshop, small, formats, kept, request) -> None:
    """German printed and in all looks, the others drawn on the smallest cards, which are the tightest.

    Those are checked together, as what they share is looked at once.
    """
    looks = default_looks(formats.card_size("mini-euro"), formats.sizes)
    problems = [*check(workshop, ["de"], looks[:1]).problems]
    request.getfixturevalue("faces_only")
    problems += [*check(small, ["de"], looks[1:]).problems,
                 *check(small, [*LANGUAGES[1:], "qps"], looks[1:2]).problems]
    assert not problems, "\n".join(map(str, problems))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_countries_are_called_by_their_names(workshop, deck, lang) -> None:
    texts = workshop.texts(lang)
    names = [texts(f"countries.{country.id}") for country in deck.countries]
    assert names == COUNTRIES[lang].split()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_things_are_called_by_their_words(lang) -> None:
    everything = "\n".join(words_of(lang).values()).casefold()
    wanted = [word.replace("⌴", " ").casefold() for word in WORDS[lang].split()]
    assert not [word for word in wanted if word not in everything]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_numbers_have_the_decimal_sign_of_the_language(workshop, lang) -> None:
    assert workshop.texts(lang).number(0.57, 2) == ("0.57" if lang in ("en", "ja") else "0,57")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_signs_are_those_of_the_language(lang) -> None:
    foreign = {
        "de": "”«»‘", "en": "„«»", "da": "„“”‘", "nl": "„“”«»", "fr": "„“”‘", "ja": "„“”«»,;!?()"}[lang]
    said = {key: text for key, text in words_of(lang, SAID).items()
            if key not in ("calibration.hand", "template.collected", "language.decimal", "template.separator",
                           "wrong.stray_quote", "message.not_shift", "message.not_rulers",
                           "open.shortcuts_title")  # what is typed
            and not (lang == "en" and key.partition(".")[0] in FOREIGN | {"message", "open"})}  # as programs write
    assert not {key: text for key, text in said.items() if set(text) & set(foreign) or "'" in text}
    minus = re.compile(r"(?<![\w-])-\d")
    assert not [key for key, text in said.items() if minus.search(text)], "a hyphen where a minus belongs"


def test_french_keeps_its_signs_on_the_line() -> None:
    """An unbreakable space before : ; ! ? » % and behind «."""
    breakable = re.compile(r"[^\u00a0][;!?»%]|[^\u00a0]:(?= |$)| :|«[^\u00a0]")
    assert not {key: text for key, text in words_of("fr", SAID).items()
                if breakable.search(text) and "(?)" not in text}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_reminder_has_a_label_for_each_paragraph(lang) -> None:
    """Short enough for the column at its left; a last paragraph without one looked like a part of the chains."""
    rows = words_of(lang)["score.reminder"].strip().split("\n")
    labels = [row.replace("：", ":").partition(":")[0].strip() for row in rows if ":" in row.replace("：", ":")]
    assert len(labels) == len(rows) == 6
    assert len(set(labels)) == 6
    assert all(len(label) < 16 for label in labels)


def test_no_text_begins_or_ends_with_a_space() -> None:
    assert not [(lang, key) for lang in LANGUAGES for key, text in words_of(lang, SAID).items()
                if text.strip(" ") != text or "  " in text]


# ---------- fonts ----------

@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_character_has_a_font_in_every_style(fonts, lang) -> None:
    printed = (words for key, words in words_of(lang).items() if not key.startswith("site."))  # those: a browser's
    signs = set("".join(printed)) - {"\n"}
    for style, candidates in fonts.styles.items():
        missing = {sign for sign in signs if not any(font.has(sign) for font in candidates)}
        assert not missing, style


MIXED = "国カード（France）は8枚、3〜5人用。《−2》ー・"


@pytest.mark.parametrize(("style", "latin"), [
    ("text", "EBGaramond-Regular"), ("italic", "EBGaramond-Italic"), ("strong", "EBGaramond-Bold"),
    ("title", "Cinzel-Bold")])
def test_mixed_scripts_are_set_each_in_its_own_font(fonts, style, latin) -> None:
    mincho = "ZenOldMincho-Bold" if style in ("strong", "title") else "ZenOldMincho-Regular"
    runs = [(run.text, run.font.path.stem) for run in fonts.runs(MIXED, style)]
    assert runs == [("国カード（", mincho), ("France", latin), ("）は", mincho), ("8", latin), ("枚、", mincho),
                    ("3", latin), ("〜", mincho), ("5", latin), ("人用。《", mincho), ("−2", latin), ("》ー・", mincho)]


def test_japanese_fonts_are_cut(fonts) -> None:
    """They share no character with those before them, from which the renderer would take it, and stay small."""
    cut = [font for font in fonts.fonts if font.family == "Zen Old Mincho"]
    others = [font for font in fonts.fonts if font not in (*cut, *fonts.signs)]
    for font in cut:
        shared = [sign for sign in map(chr, range(0x20, 0x3000)) if font.has(sign) and any(o.has(sign) for o in others)]
        assert not shared, font.path.name
        assert font.path.stat().st_size < 2_300_000, font.path.name


NAMES = ("佐藤 花子", "髙橋 翔太", "渡邉 莉子", "齋藤 凜", "長谷川 颯", "ヴァイオレット",
         "Søren Ærø", "Zoë", "Élodie", "Łukasz")


@pytest.mark.parametrize("name", NAMES)
def test_common_names_can_be_written(fonts, name) -> None:
    """What players type into the form."""
    assert not [sign for run in fonts.runs(name, "text") for sign in run.text if not run.font.has(sign)]


# ---------- lines of Japanese ----------

def broken(fonts, words: str, width: float) -> list[str]:
    svg = Lettering(fonts=fonts).paragraph(words, x=0, y=0, width=width, height=999, size=1)
    return [re.sub(r"<[^>]+>", "", line) for line in re.findall(r"<text.*?</text>", svg)]


def parts_katakana(line: str, after: str) -> bool:
    return bool(re.search("[ァ-ヺー]$", line) and re.match("[ァ-ヺー]", after))


@pytest.mark.parametrize("width", range(4, 20))
def test_japanese_lines_begin_and_end_as_they_may(fonts, width) -> None:
    text = "キャッシュ（「国々」）だけ、ちょっと待ってー。「−2」は56枚を引きます。3〜5人、2001年。"
    lines = broken(fonts, text, width)
    assert "".join(lines) == text
    assert not [line for line in lines if line[0] in "、。）」ーャッュっょ々〜枚人年"]
    assert not [line for line in lines if line[-1] in "（「" or re.search(r"[0-9〜]$", line)]
    assert width < 6 or not [each for each in pairwise(lines) if parts_katakana(*each)]


# ---------- the printed PDF ----------

CARDS = {"ja": ("cards",)}


@pytest.fixture(scope="module")
def printed(small, kept):
    """Tablets, score sheet, box and calibration page of a language, and Japanese cards, as PDF."""
    kept: dict[str, dict[str, bytes]] = {}

    def get(lang: str) -> dict[str, bytes]:
        if lang not in kept:
            request = BuildRequest(langs=(lang,), papers=(A4,), ink="low",  # the same words in plainer pictures
                                   parts=(*CARDS.get(lang, ()), "tablets", "score-sheet", "box", "calibration"))
            files = print_set(PrintRun(request, small, small.texts(lang), A4)).files
            kept[lang] = {Path(file.path).name.partition("-a4")[0]: file.content for file in files
                          if file.path.endswith(".pdf")}
        return kept[lang]

    return get


@pytest.mark.slow
@pytest.mark.parametrize("lang", ("fr", "ja"))
def test_no_glyph_is_a_box(printed, lang) -> None:
    """In fonts addressed by glyph, number 0 is the box for what is missing (OpenType, glyph 0)."""
    for name, document in printed(lang).items():
        with pikepdf.open(io.BytesIO(document)) as pdf:
            seen: set[tuple[int, int]] = set()
            shown = [glyph for page in pdf.pages for glyph in glyphs_of(page.obj, seen)]
        assert shown, name
        assert 0 not in shown, name


def glyphs_of(holder: pikepdf.Object, seen: set[tuple[int, int]], resources: pikepdf.Object | None = None
              ) -> Iterator[int]:
    """The glyph numbers that a page, or a form in it that was not seen yet, shows in composite fonts."""
    resources = holder.get("/Resources", resources)
    fonts = resources.get("/Font", {})
    wide = False
    for operands, operator in pikepdf.parse_content_stream(holder, "Tf Tj TJ Do"):
        name = str(operator)
        if name == "Tf":
            wide = fonts[str(operands[0])].get("/Encoding") == "/Identity-H"
        elif name in ("Tj", "TJ") and wide:
            strings = operands[0] if name == "TJ" else operands
            data = b"".join(bytes(piece) for piece in strings if isinstance(piece, pikepdf.String))
            yield from (int.from_bytes(data[at:at + 2], "big") for at in range(0, len(data), 2))
        elif name == "Do" and (inner := resources.XObject[str(operands[0])]).objgen not in seen:
            seen.add(inner.objgen)
            if inner.get("/Subtype") == "/Form":
                yield from glyphs_of(inner, seen, resources)
