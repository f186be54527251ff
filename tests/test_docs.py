"""The documentation names every SVG element and module, and its links lead somewhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from ppgen.engine.svg.subset import ATTRIBUTES, ELEMENTS, TEXT_ATTRIBUTES, TEXT_TAGS
from ppgen.printing.manifest import MATERIALS, WEIGHTS
from ppgen.reading.texts import load_texts
from ppgen.shipped import shipped_root
from tests.conftest import Desk
from tools.docs_site import OPTIONS_PAGE, commands, navigation, options_page
from tools.generated_page import update_pages

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = (*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md")), *sorted((ROOT / "benchmarks").glob("*.md")))


def code(page: Path) -> set[str]:
    """The words that a page sets as code, in line or in blocks."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^```\w*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL))
    return {word for piece in (*blocks, *spans) for word in re.findall(r"[\w.:/-]+", piece)}


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub gives to the headings of a page."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", each) for each in re.findall(r"^#+ (.*)$", text, re.MULTILINE)]
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_check_of_generated_pages_names_the_one_that_is_out_of_date(capsys: pytest.CaptureFixture[str]) -> None:
    page = DOCS / "functions.md"
    assert update_pages({page: page.read_text(encoding="utf-8")}, ["--check"]) == 0
    assert update_pages({page: "other"}, ["--check"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("docs/functions.md is out of date")


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "CHANGELOG.md", *DOCS.rglob("*.md")],
                         ids=lambda page: page.name)
def test_a_page_names_no_option_that_is_missing(page: Path) -> None:
    """Options of other programs stand in lines that begin with these, or before ``ppgen``."""
    known = {word for context in commands() for option in context.command.params
             for word in (*option.opts, *option.secondary_opts)} | {"--help", "--version", "--all"}
    text = page.read_text(encoding="utf-8")
    lines = [line for block in re.findall(r"^```\w*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
             for line in block.splitlines() if line.startswith("ppgen ")]
    spans = re.findall(r"`((?:ppgen |--)[^`\n]+)`", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL))
    assert {word for piece in (*lines, *spans) for word in re.findall(r"(?<![\w-])--[a-z][a-z-]*", piece)} <= known


PAGES_OF_OURS = ("board-game", "open", "print", "publish", "scoring", "table")
OF_OTHERS = {"HTML", "This file will be played in the browser", "Settings → Pages → Source: GitHub Actions",
             "Add to home screen", "Mini European"}


@pytest.mark.parametrize("name", PAGES_OF_OURS)
def test_a_button_or_heading_that_a_page_quotes_exists(name: str) -> None:
    """What is emphasized and begins with a capital begins a text of our pages, or is of another program."""
    folders = [shipped_root() / "data" / folder for folder in ("locales", "open_page", "help", "board_game/locales")]
    known = [text.casefold() for text in load_texts("en", folders).words.values()]
    prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", (DOCS / f"{name}.md").read_text("utf-8"), flags=re.M | re.S)
    quoted = {" ".join(each.split()) for each in re.findall(r"(?<![*\w])\*([A-Z][^*]{1,60}?)\*(?![*\w])", prose)}
    missing = [each for each in quoted - OF_OTHERS
               if not any(text.startswith(each.rstrip(" …").casefold()) for text in known)]
    assert not missing


@pytest.mark.parametrize("kind", ["toml", "csv"])
def test_the_tallies_on_the_page_about_scoring_can_be_scored(kind: str, desk: Desk) -> None:
    (block,) = re.findall(rf"^```{kind}\n(.*?)^```$", (DOCS / "scoring.md").read_text(encoding="utf-8"), re.M | re.S)
    (desk.folder / f"game.{kind}").write_text(block, encoding="utf-8")
    done = desk.ppgen("score", f"game.{kind}", "--partial")
    assert (done.exit_code, done.stderr) == (0, "")


def weights(text: str) -> set[tuple[int, int]]:
    return {(int(least), int(most)) for least, most in re.findall(r"(\d+)[–〜](\d+)\s?g/m²", text)}


def test_paper_has_one_weight_in_guide_site_and_docs() -> None:
    told = {path.stem: tomllib.loads(path.read_text(encoding="utf-8"))["guide"]["files"]
            for path in (shipped_root() / "data/guide").glob("*.toml")}
    ranges = {name: weights(told["en"][name]) for name in MATERIALS if weights(told["en"][name])}
    assert all(weights(told[lang][name]) == ranges[name] for lang in told for name in ranges)
    assert all(WEIGHTS[name] == sum(*each) / 2 for name, each in ranges.items())
    assert weights((DOCS / "print.md").read_text(encoding="utf-8")) == set().union(*ranges.values())
    assert weights((ROOT / "README.md").read_text(encoding="utf-8")) == ranges["card"] | ranges["card_fold"]


def test_the_svg_subset_is_written_down() -> None:
    missing = (ELEMENTS | ATTRIBUTES) - TEXT_ATTRIBUTES - {*TEXT_TAGS} - code(DOCS / "svg-subset.md")
    assert not missing


def test_the_architecture_names_each_module_and_folder_at_the_top() -> None:
    top = {path.stem for path in (ROOT / "ppgen").iterdir()
           if not path.name.startswith("_") and (path.suffix == ".py" or (path / "__init__.py").is_file())}
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    assert not [name for name in top if not re.search(rf"\b{name}\b", text)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_files_and_to_headings(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)", page.read_text(encoding="utf-8"))
    own = [(page.parent / path if path else page, anchor) for path, anchor in links if "://" not in path]
    assert [path for path, _ in own if not path.exists()] == []
    assert [(path.name, anchor) for path, anchor in own
            if anchor and path.suffix == ".md" and anchor not in anchors(path)] == []


def test_the_entry_page_links_to_every_page() -> None:
    links = [DOCS / link for link in re.findall(r"\]\(([^)#]+)\)", (DOCS / "README.md").read_text(encoding="utf-8"))]
    assert {*DOCS.rglob("*.md")} - {DOCS / "README.md", *links} == set()


def test_the_site_has_every_page_and_every_command() -> None:
    nav = tomllib.loads(f"nav = {navigation()}")["nav"]
    groups = [pages for entry in nav for pages in entry.values()]
    listed = [page for pages in groups for page in ([pages] if isinstance(pages, str) else pages)]
    pages = [page.relative_to(ROOT).as_posix() for page in PAGES if page.name != "versions.md"]
    assert sorted(listed) == sorted([*pages, OPTIONS_PAGE])
    headings = re.findall(r"^## (ppgen .*)$", options_page(), re.MULTILINE)
    assert headings == [context.command_path for context in commands()]


def test_each_question_is_answered_on_the_first_screen_of_its_page() -> None:
    rows = re.findall(r"^\| .* \| \[.*\]\(([\w.-]+).*\) \| `(.*)` \|$", (DOCS / "README.md").read_text("utf-8"), re.M)
    missing = [(page, command) for page, command in rows
               if command not in "\n".join((DOCS / page).read_text("utf-8").splitlines()[:30])]
    assert len(rows) >= 10 and not missing


def test_each_recipe_is_one_line_that_calls_what_exists() -> None:
    text = (ROOT / "justfile").read_text(encoding="utf-8")
    recipes = re.findall(r"^(\w+)[^\n]*:\n((?: {4}.*\n?)+)", text, re.MULTILINE)
    assert {name for name, _ in recipes} >= {"check", "test", "docs", "pictures", "bench"}
    for name, body in recipes:
        (line,) = body.splitlines()
        modules = (module.replace(".", "/") + ".py" for module in re.findall(r"-m ((?:tools|benchmarks)\.\w+)", line))
        missing = [path for path in (*re.findall(r"[\w/]+\.py", line), *modules) if not (ROOT / path).exists()]
        assert not missing, name
