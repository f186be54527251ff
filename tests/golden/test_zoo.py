"""A deck with one of everything, printed in some ways and read by another program: whatever changes on paper changes a
line of the records. ``pytest --update-golden`` writes them anew; read the diff."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest
from PIL import Image

from tests.conftest import run_ppgen
from tests.golden.grammar import expand, read_grammar
from tests.golden.records import digest, pdf_lines, record, without_versions

ZOO = Path(__file__).parent / "zoo"
WAYS = {
    "few": "--only cards --only coins",
    "plain": "",
    "fold": "--backs fold --ink low --marks lines --paper letter --lang de --margin 9mm --back-offset 0.7,-0.4 "
            "--brightness 130 --no-booklet --board-scale fit --sheets-per-page 2",
    "shared": "--pad 2 --sets 2 --order stack --flip short --bleed 1mm --sleeved --no-together "
              "--pictures 100dpi --back-rotation 0.5 --home https://example.org --paper a3 --card-thickness 0.4mm"}
"""Options of ``ppgen build``."""


def quarters(width: int, height: int, *, alpha: bool = False) -> Image.Image:
    """Four colours with a frame: each turn, mirror image and crop of it looks different."""
    image = Image.new("RGBA" if alpha else "RGB", (width, height), "#d02020")
    across, down, rim = width // 2, height // 3, width // 12
    for box, colour in (((across, 0, width, down), "#20a040"), ((0, down, across, height), "#2040d0"),
                        ((across, down, width, height), "#e0c020"), ((0, 0, width, rim), "#101010")):
        image.paste(colour, box)
    if alpha:
        image.putalpha(Image.linear_gradient("L").resize(image.size))
    return image


@pytest.fixture
def zoo(desk) -> Path:
    shutil.copytree(ZOO, desk.folder, dirs_exist_ok=True)
    art = desk.folder / "art"
    art.mkdir(exist_ok=True)
    exif = Image.Exif()
    exif[0x112] = 6
    quarters(240, 180).save(art / "quarters.png")
    quarters(120, 200).save(art / "turned.jpg", quality=95, exif=exif)
    quarters(160, 240, alpha=True).save(art / "clear.png")
    quarters(552, 792).save(art / "bled.png", dpi=(305, 305))
    return desk.folder


@pytest.mark.parametrize("way", [pytest.param(way, marks=[pytest.mark.slow] * (way != "few")) for way in WAYS])
def test_what_is_printed_has_not_changed(golden, zoo, way):
    done = run_ppgen("build", *WAYS[way].split(), cwd=zoo)
    assert done.returncode == 0, done.stderr
    golden(f"zoo-{way}.txt", without_versions(done.stdout + done.stderr).replace("\\", "/"))
    for path in sorted((zoo / "output").rglob("*.pdf")):
        golden(f"zoo-{way}-{path.stem}.txt", without_versions("\n".join(pdf_lines(path.read_bytes()))) + "\n")


@pytest.mark.slow
def test_what_its_site_shows_has_not_changed(golden, zoo):
    done = run_ppgen("export", "site", cwd=zoo)
    assert done.returncode == 0, done.stderr
    paths = [zoo / f"output/site/{name}" for name in ("index.html", "en/index.html", "en/the-zoo-rules.html",
                                                      "en/the-zoo-guide-a4-fold-full.html", "site.json")]
    golden("zoo-site.txt", without_versions("\n".join(line for path in paths for line in record(path, zoo))) + "\n")


def test_what_its_words_are_in_another_language_has_not_changed(golden, zoo, desk):
    lines = list[str]()

    def run(*words: str) -> str:
        done = desk.ppgen(*words)
        lines.extend((f"ppgen {' '.join(words)}", *done.output.splitlines(), f"ends with {done.exit_code}"))
        return done.stdout

    table = run("words", "--table", "de").replace("Reiher", "Graureiher").replace("Ochse", "")
    desk.change("words/en.toml", "Ask the keeper", "Ask a keeper")
    for text in (table, table.replace("Nimm ==alles==.", "Nimm {coin}{coin}.").replace("Frag die", "Frag einen")):
        (zoo / "words.csv").write_text(text, encoding="utf-8")
        run("words", "--table", "de", "words.csv")
    run("list")
    for name in ("plain.svg", "figma.svg"):
        run("adopt", name, "--table", "drawn.csv")
    for name in ("words.csv", "words/de.toml", "cards.csv"):
        lines += ["", name, *(zoo / name).read_text(encoding="utf-8").splitlines()]
    golden("zoo-words.txt", "\n".join(lines) + "\n")


@pytest.mark.slow
def test_how_its_sheets_are_laid_out_by_many_options_has_not_changed(golden, zoo, desk):
    rules, lines = read_grammar("builds"), list[str]()
    for seed in range(30):
        words = expand(rules, random.Random(f"build {seed}"), "@build")
        done = desk.ppgen(*words.split())
        lines += [f"{seed} {words}: {done.exit_code}", *done.stderr.splitlines()]
        for manifest in json.loads(done.stdout) if done.exit_code == 0 else ():
            lines += [f"  {file['path']} {file['pages']} {file['sheets']} {digest(json.dumps(file).encode())}"
                      for file in manifest.pop("files")]
            lines.append(f"  {json.dumps({**manifest, 'version': ''})}")
    golden("zoo-plans.txt", without_versions("\n".join(lines)) + "\n")
