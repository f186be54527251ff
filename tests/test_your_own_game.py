"""docs/your-own-game.md, followed to the letter: every file that it shows, every command, every message."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
import pytest
from click.testing import CliRunner, Result

from ppgen.cli.program import main

pytestmark = pytest.mark.slow

PAGE = Path(__file__).resolve().parents[1] / "docs" / "your-own-game.md"
STEP = re.compile(r"^<!-- (file: (?P<file>\S+)|run(, exits with (?P<code>\d))?|(?P<says>says)) -->\n"
                  r"```\w*\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass
class Walk:
    """Somebody who does what the page says."""

    folder: Path
    results: list[Result]


def steps() -> Iterator[re.Match[str]]:
    return STEP.finditer(PAGE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Walk:
    walk = Walk(tmp_path_factory.mktemp("own"), [])
    with pytest.MonkeyPatch.context() as patch:
        for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
            patch.delenv(name, raising=False)
        patch.setattr("ppgen.review.set_check._check_printed", lambda *_: None)  # the next command prints it
        patch.chdir(walk.folder)
        for step in steps():
            if step["file"]:
                target = walk.folder / step["file"]
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(step["body"], encoding="utf-8")
            elif step["says"]:
                assert step["body"] == walk.results[-1].stderr
            else:
                for line in step["body"].splitlines():
                    program, *words = line.split()
                    if program == "cd":
                        walk.folder = walk.folder / words[0]
                        patch.chdir(walk.folder)
                        continue
                    assert program == "ppgen", line
                    words += ["--only", "coins"] * (words == ["export", "tts"])  # large pictures
                    walk.results.append(CliRunner().invoke(main, words))
                    assert walk.results[-1].exit_code == int(step["code"] or 0), (line, walk.results[-1].output)
    return walk


def test_the_page_has_files_commands_and_a_message():
    kinds = ["file" if step["file"] else "says" if step["says"] else "run" for step in steps()]
    assert (kinds.count("file") >= 12, kinds.count("run") >= 4, kinds.count("says")) == (True, True, 1)


def test_it_makes_twenty_cards_and_eighteen_coins(walked):
    (listing,) = [done.stdout for done in walked.results if done.stdout.startswith("ID ")]
    copies = Counter()
    for row in listing.splitlines()[1:]:
        copies[row.split()[1]] += int(row.rpartition("×")[2])
    assert copies == {"cards": 20, "coins": 18}


@pytest.mark.parametrize(("lang", "words"), [
    ("en", {"cards-a4-duplex": "Ember", "rules-screen": "Your turn", "guide-screen": "Making Guide"}),
    ("de", {"cards-a4-duplex": "Glut", "rules-screen": "Am Zug", "guide-screen": "Bastelanleitung"}),
])
def test_both_languages_are_printed(walked, lang, words):
    assert (walked.folder / "output" / lang / "calibration-a4-duplex.pdf").is_file()
    for part, word in words.items():
        pdf = pypdfium2.PdfDocument(walked.folder / "output" / lang / f"{part}.pdf")
        # titles are set in small capitals, which PDFium reads as they were written
        assert word.lower() in "".join(page.get_textpage().get_text_bounded() for page in pdf).lower()


def test_the_guide_of_an_own_deck_does_not_speak_of_another_game(walked):
    pdf = pypdfium2.PdfDocument(walked.folder / "output" / "en" / "guide-screen.pdf")
    text = " ".join("".join(page.get_textpage().get_text_bounded() for page in pdf).lower().split())
    assert "coins" in text and "mounted on greyboard" in text
    assert not [word for word in ("tablet", "claim", "score", "box") if word in text]


def test_the_box_and_the_drawings_in_files_are_printed_as_the_page_says(desk):
    page = PAGE.with_name("deck.md").read_text(encoding="utf-8")
    box = re.search(r"^## A box\n.*?^```jinja\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    drawing = re.search(r"^## Drawings in files of their own\n.*?^```jinja\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert box and drawing
    (desk.folder / "icons").mkdir()
    for name in ("sun", "moon"):
        (desk.folder / "icons" / f"{name}.svg").write_text(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><path d="M0 0h512v512H0z"/></svg>', "utf-8")
    (desk.folder / "box.svg.j2").write_text(box[1], encoding="utf-8")
    (desk.folder / "deck.toml").write_text('title = "My deck"\nbox = "box.svg.j2"\n[cards]\ntable = "cards.csv"\n'
                                           'size = "poker"\nfront = "card.svg.j2"\n', encoding="utf-8")
    (desk.folder / "cards.csv").write_text("name,icon\nA,sun\nB,moon\n", encoding="utf-8")
    (desk.folder / "card.svg.j2").write_text(f"{{{{ fill('#112233') }}}}\n{drawing[1]}\n"
                                             "{{ text(card.name, x=20, y=60, width=20, size=5) }}\n", encoding="utf-8")
    done = desk.ppgen("build", "--only", "cards", "--only", "box")
    assert (done.exit_code, [line for line in done.stderr.splitlines() if "warning" in line]) == (0, []), done.output
    (printed,) = (desk.folder / "output").rglob("box-a4.pdf")
    assert "my deck" in pypdfium2.PdfDocument(printed)[0].get_textpage().get_text_bounded().lower()
    assert desk.ppgen("export", "cut", "--only", "box").exit_code == 0  # its net lies where the template says
    (desk.folder / "icons" / "moon.svg").unlink()
    done = desk.ppgen("build", "--only", "cards")
    assert done.exit_code == 1 and "icons/moon.svg" in done.stderr and "card.svg.j2" in done.stderr
