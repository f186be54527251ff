"""Pages of a site say of each choice what a build of those files says, and show the pieces as they are."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from types import SimpleNamespace

import pikepdf
import pypdfium2
import pytest
from click.testing import CliRunner
from hypothesis import given, strategies as st
from lxml import html
from PIL import Image, ImageChops, ImageStat

from ppgen.assets import Assets
from ppgen.cli.program import main
from ppgen.engine.shapes import ShapeKind
from ppgen.pages.site_folder import LICENCE, _read_licence
from ppgen.pages.site_pages import FAN, STEPS, SiteSet, _fan, _PageSet, _pick_evenly
from ppgen.printing.workshop import Workshop
from ppgen.shipped import shipped_root
from tests.conftest import OnceForAll
from tests.pages.conftest import PRESETS, make_site

CHOICES = [*product(("a4", "letter"), ("duplex", "fold"), ("full", "low"))]
OPTIONS = ("paper", "backs", "ink")
FACTS = {"least_players": 2, "most_players": 7, "age": 13, "minutes": 85}


@pytest.fixture(scope="module")
def wide(once_for_all: OnceForAll) -> Path:
    """The site of a game with a board in tiles, counters, markers, a die and two presets; its deck beside it."""
    def make(folder: Path) -> str:
        shutil.copytree(shipped_root() / "data" / "starters" / "wargame", folder / "deck")
        with (folder / "deck" / "deck.toml").open("a", encoding="utf-8") as file:
            file.write(PRESETS)
        (folder / "deck" / "game.toml").write_text("".join(f"{key} = {n}\n" for key, n in FACTS.items()), "utf-8")
        choices = [word for option, values in zip(OPTIONS, zip(*CHOICES, strict=True), strict=True)
                   for value in dict.fromkeys(values) for word in (f"--{option}", value)]
        return make_site(folder / "deck", folder, *choices, "--preset", "short", "--preset", "sepia")

    return once_for_all("wide-site", make)[0] / "site"


@pytest.fixture(scope="module")
def page(wide: Path) -> html.HtmlElement:
    return html.fromstring((wide / "en" / "index.html").read_text("utf-8"))


@pytest.fixture(scope="module")
def built(wide: Path):
    """The entries of what ``ppgen build`` prints with the same options."""
    @cache
    def run(*words: str) -> list[dict]:
        done = CliRunner().invoke(main, ["build", "--data", str(wide.parent / "deck"), "--dry-run", "--json", *words])
        return json.loads(done.stdout)[0]["files"]

    return run


def choice(page: html.HtmlElement, values: tuple[str, ...]) -> str:
    """The class of what is shown if these radios are checked."""
    return "-".join(page.xpath("//input[@name=$name and @value=$value]/@id", name=name, value=value)[0]
                    for name, value in zip(OPTIONS, values, strict=True))


def shown(page: html.HtmlElement, tag: str, name: str) -> html.HtmlElement:
    (found,) = (each for each in page.xpath(f"//{tag}[@class]") if name in each.get("class").split())
    return found


def open_picture(path: Path, mode: str) -> Image.Image:
    with Image.open(path) as image:
        return image.convert(mode)


def numbers(words: str) -> list[float]:
    return [float(each) for each in re.findall(r"\d+(?:\.\d+)?", words)]


def is_size(words: str, size: int) -> bool:
    count, unit = re.fullmatch(r"([\d.]+) (kB|MB)", words).groups()
    return float(count) == pytest.approx(size / {"kB": 1e3, "MB": 1e6}[unit], abs={"kB": 0.5, "MB": 0.051}[unit])


def check_files(page: html.HtmlElement, site: Path, link: html.HtmlElement, files: list[dict], sheets: list) -> str:
    """A download has the files of the build, each with its paper, sheets and size; return the name of its ZIP."""
    rows = page.get_element_by_id(link.get("href")[1:]).xpath(".//tbody/tr")
    printed, contents = [file for file in files if file["sheets"]], {file["sha256"]: file for file in files}
    paths = [site / "files" / "en" / name for name in link.get("data-files").split()]
    assert len({*paths}) == len(paths) == len(contents)
    kind, count, size = link.find("small").text.split(", ")
    assert (kind, count) == ("ZIP", f"{len(files)} PDFs") and is_size(size, sum(path.stat().st_size for path in paths))
    assert len(rows) == len(printed) and "calibration" in rows[0].find(".//a").get("href")
    assert sum(int(row.find_class("n")[0].text) for row in rows) == sum(file["sheets"] for file in printed)
    for row in rows:
        path = (site / "en" / row.find(".//a").get("href")).resolve()
        assert path in paths and is_size(row.find_class("n")[0].find("small").text[2:], path.stat().st_size)
        with pikepdf.open(path) as pdf:
            count, (paper, sides) = int(row.find_class("n")[0].text), row.find(".//td/small").text.split("\xa0· ")
            assert len(pdf.pages) == count * (1 + ("both" in sides)) or "rules" in path.name or "guide" in path.name
        assert any(words == f"{sum(int(each.find_class('n')[0].text) for each in rows if paper in each.text_content())}"
                   f"\xa0×\xa0{paper}" for words in sheets)
    assert sum(int(words.split("\xa0×\xa0")[0]) for words in sheets if "×" in words[:4]) == sum(
        file["sheets"] for file in printed)
    return link.get("data-zip")


@pytest.mark.slow
def test_each_choice_shows_its_files_sheets_cuts_and_needs(wide: Path, page: html.HtmlElement, built) -> None:
    zips, entries = set(), json.loads((wide / "site.json").read_text("utf-8"))["files"]
    keys = ("part", "sha256", "pages", "sheets", "stock", "material")

    def facts(files: list[dict]) -> list[tuple]:  # booklets for the screen are those of the first paper
        return [tuple(file[key] for key in keys if key != "sha256" or file["sheets"]) for file in files]

    rules = re.findall(r"#(\w+):checked\):has\(#(\w+):checked\):has\(#(\w+):checked\) \.([\w-]+) ",
                       (wide / "look" / "choice.css").read_text("utf-8"))
    assert sorted(("-".join(ids), name) for *ids, name in rules) == sorted(
        (choice(page, values),) * 2 for values in CHOICES)
    for values in CHOICES:
        files = built(*(word for option, value in zip(OPTIONS, values, strict=True) for word in (f"--{option}", value)))
        assert facts(files) == facts([file for file in entries if "preset" not in file and tuple(
            file[option] for option in OPTIONS) == values])
        part = shown(page, "div", choice(page, values))
        assert numbers(part.find(".//b").text) == [sum(file["sheets"] for file in files)]
        assert numbers(part.find(".//span").text) == [sum(file["layout"]["cuts"] for file in files)]
        needs = [each.text_content() for each in shown(page, "ul", choice(page, values))]
        zips.add(check_files(page, wide, part.xpath(".//a[@data-zip]")[0], files, needs))
        guide = part.xpath(".//a[contains(@href, '#make')]/@href")[0].partition("#")[0]
        assert all(value in guide for value in values)
        assert guide in [each for link in page.find_class("go") for each in link.xpath("./a/@href")
                         if choice(page, values) in link.get("class").split()]
    least = min(numbers(each.find(".//b").text)[0] for each in page.find_class("sheets"))
    assert [numbers(fact.text) for fact in page.find_class("facts")[0]] == [[2, 7], [85], [13], [least]]
    for preset, words, papers in (("short", ("--backs", "none"), ("a4", "letter")),
                                  ("sepia", ("--ink", "low"), ("letter",))):
        (part,) = (each for each in page.xpath("//*[contains(@class, 'sets')]/div") if each.find("h3").text == preset)
        sheets = [line.text for line in part.find("ul")]
        links = part.xpath(".//a[@data-zip]")
        assert [link.text for link in links] == [paper.title() if paper != "a4" else "A4" for paper in papers]
        for paper, link in zip(papers, links, strict=True):
            files = built(*words, "--paper", paper)
            zips.add(check_files(page, wide, link, files, sheets))
            if paper == papers[0]:
                area = 0.210 * 0.297 if paper == "a4" else 0.2159 * 0.2794
                total, cuts, minutes, ink, grams = numbers(part.find_class("figures")[0].text)
                weights = [(int(count), numbers(kind.split(", ")[1])) for count, kind in (
                    line.split("\xa0×\xa0") for line in sheets)]
                assert total == sum(file["sheets"] for file in files)
                assert cuts == sum(file["layout"]["cuts"] for file in files) and abs(minutes - cuts / 2) <= 0.5 < cuts
                assert sum(n * area * low for n, (low, _) in weights) - 1 < grams < sum(
                    n * area * high for n, (_, high) in weights) + 1 and 0 < ink < 0.5 * total
    assert len(zips) == len(CHOICES) + 3


@pytest.mark.slow
def test_each_picture_has_the_size_and_place_that_the_page_gives_it(wide: Path, page: html.HtmlElement) -> None:
    @cache
    def picture(name: str) -> Image.Image:
        return open_picture(wide / "en" / name, "RGBA")

    workshop = Workshop.open(Assets.at(wide.parent / "deck"))
    pieces = {f"{part.title}: {piece.title}" if piece.title and piece.title != part.title else part.title: (part, piece)
              for part in workshop.pieces(workshop.texts("en"), workshop.game.card_size) for piece in part.components}
    gallery = [(link, link.find("img")) for link in page.xpath("//*[@id='gallery']//a")]
    places = [[*pieces].index(image.get("alt")) for _, image in gallery]
    assert places == sorted({*places}) and len({link.get("href") for link, _ in gallery}) == len(gallery)
    assert {pieces[image.get("alt")][0].name for _, image in gallery} == {part.name for part, _ in pieces.values()}
    for link, image in gallery:
        part, piece = pieces[image.get("alt")]
        size, is_board = (int(image.get("width")), int(image.get("height"))), "zoom" in link.get("class", "")
        assert size[0] / size[1] == pytest.approx(piece.size.width / piece.size.height, rel=0.005)
        assert is_board == (part.name == "map") and (is_board or size[1] == 480)
        assert link.get("data-back") != link.get("href") and (piece.back or not link.get("data-back"))
        for name in (image.get("src"), link.get("href"), link.get("data-back", image.get("src"))):
            large = is_board and name == link.get("href")
            assert picture(name).size == size or (large and min(picture(name).size) > 2 * min(size))
            assert picture(name).width / picture(name).height == pytest.approx(size[0] / size[1], rel=0.002)
        ground = picture(image.get("src"))
        assert ground.getpixel((size[0] // 2, size[1] // 2))[3] == 255
        assert (ground.getpixel((0, 0))[3] == 255) == (piece.shape.kind is ShapeKind.RECTANGLE)
    fan = [image.get("src") for image in page.find_class("fan")[0]]
    assert fan == [image.get("src") for link, image in gallery if "zoom" in link.get("class", "")]
    said = {words.split("\xa0×\xa0")[-1]: int(words.split("\xa0×\xa0")[0]) if "×" in words else 1
            for words in page.xpath("//*[@id='faq']/details[last()]/p")[0].text.split("\xa0· ")}
    copies = {part.title: sum(piece.copies for piece in part.components) for part, _ in pieces.values()}
    assert said == {**copies, "Rules": 1}


@pytest.mark.slow
def test_each_step_shows_a_place_of_the_first_page_of_a_file_of_its_backs(wide: Path, page: html.HtmlElement) -> None:
    @cache
    def render(path: Path, scale: float) -> Image.Image:
        with pypdfium2.PdfDocument(path) as pdf:
            return pdf[0].render(scale=scale).to_pil().convert("RGB")

    for values in CHOICES[::len(CHOICES) - 1]:
        name, first = choice(page, values), choice(page, ("a4", values[1], "full"))  # one picture for all papers
        files = shown(page, "div", first).xpath(".//a[@data-zip]/@data-files")[0].split()
        seen = set()
        steps = shown(page, "ol", name).xpath("./li")
        for step in steps:
            image = open_picture(wide / "en" / step.find(".//img").get("src"), "RGB")
            areas = [(file, area, render(wide / "files" / "en" / file, 100 * 0.5 / area.width / 72))
                     for file in files for area in {area for _, area in STEPS.values()}]
            near = [(file, area) for file, area, sheet in areas if ImageStat.Stat(ImageChops.difference(
                image, sheet.crop([round(side) for side in (
                    area.x * sheet.width, area.y * sheet.height, area.x * sheet.width + image.width,
                    area.y * sheet.height + image.height)]))).mean < [4] * 3]
            assert near and ImageStat.Stat(image).stddev[0] > 5  # not blank
            seen.add((near[0], step.find(".//h3").text))
        assert len(seen) == len(steps) >= 5


@pytest.mark.slow
def test_on_the_table_lies_each_piece_as_often_as_there_is_of_it(wide: Path) -> None:
    (table,) = (wide / "table").iterdir()
    data = json.loads(html.fromstring(table.read_text("utf-8")).get_element_by_id("data").text)
    workshop = Workshop.open(Assets.at(wide.parent / "deck"))
    pieces = {piece.id: piece for part in workshop.pieces(workshop.texts("en"), workshop.game.card_size)
              for piece in part.components}
    assert [kind["id"] for kind in data["kinds"]] == [*pieces]
    for kind in data["kinds"]:
        piece, is_die = pieces[kind["id"]], kind["id"] == "die"
        assert (kind["w"], kind["h"]) == ((16, 16) if is_die else (piece.size.width, piece.size.height))
        sides = kind["faces"] if is_die else [kind["front"], *[kind["back"]] * (kind["back"] is not None)]
        assert len({*sides}) == len(sides) == (6 if is_die else len(sides)) and bool(kind["faces"]) == is_die
        assert {*sides} <= {*range(len(data["pictures"]))}
    assert [int(players) for players in data["setups"]] == [*range(min(map(int, data["setups"])), 5)]
    for players, lie in data["setups"].items():
        assert len(lie["seats"]) == int(players)
        assert Counter(number for number, *_ in lie["pieces"]) == {
            number: piece.copies for number, piece in enumerate(pieces.values())}


@given(st.lists(st.integers(0, 60), min_size=1, max_size=90), st.integers(1, 6))
def test_the_pieces_of_a_gallery_are_different_ones_evenly_spread(fronts: list[int], parts: int) -> None:
    part = SimpleNamespace(components=[SimpleNamespace(front=front, n=n) for n, front in enumerate(fronts)])
    different = [*dict.fromkeys(fronts)]
    places = [different.index(piece.front) for piece in _pick_evenly(part, parts)]
    gaps = {after - before for before, after in pairwise([*places, len(different)])}
    assert places[0] == 0 and min(gaps) > 0 and max(gaps) - min(gaps) <= 1
    assert all(piece.n == fronts.index(piece.front) for piece in _pick_evenly(part, parts))
    assert len(places) >= min(3, len(different)) and parts * len(places) <= 48 + 3 * parts


@given(st.lists(st.tuples(st.sampled_from("abcdefg"), st.integers(0, 9)), max_size=20))
def test_a_fan_shows_different_faces_of_different_titles_as_far_as_there_are(faces: list[tuple[str, int]]) -> None:
    fan = _fan([{"front": f"{title}{n}", "name": f"{title} ({n})"} for title, n in faces])
    titles = {title for title, _ in faces}
    assert len({face["front"] for face in fan}) == len(fan) == min(FAN, len({*faces}))
    assert len({face["name"][0] for face in fan}) == min(FAN, len(titles))


@given(st.integers(1, 10**9))
def test_a_size_is_that_of_the_file_to_the_last_digit_shown(size: int) -> None:
    texts = SimpleNamespace(number=lambda number, digits: f"{number:.{digits}f}")
    assert is_size(_PageSet._size(size, texts), max(size, 500))


@given(st.lists(st.tuples(st.floats(1, 300), st.floats(1, 300), st.integers(0, 100)), max_size=4))
def test_ink_grows_with_area_and_share_and_a_covered_a4_page_takes_half_a_millilitre(pieces) -> None:
    def ink_ml(*pieces: tuple[float, float, float]) -> float:
        files = tuple({"sides": [{"ink_percent": share, "placements": [{"width_mm": width, "height_mm": height}]}]}
                      for width, height, share in pieces)
        return SiteSet(workshop=None, request=None, paper=None, preset="", files=(*files, {"sides": [
            {"placements": [{"width_mm": 210, "height_mm": 297}]}]})).ink_ml

    assert ink_ml(*pieces) == pytest.approx(sum(map(ink_ml, pieces)))
    assert ink_ml((210, 297, 100)) == pytest.approx(0.5)
    assert all(ink_ml(piece) == pytest.approx(piece[0] * piece[1] * piece[2] / 62_370 / 200) for piece in pieces)


@pytest.mark.parametrize("name", ["LICENCE", "LICENSE"])
@pytest.mark.parametrize("suffix", [".txt", ".md", ""])
def test_a_licence_of_any_usual_name_goes_on_the_site_unless_it_is_a_link(
        tmp_path: Path, name: str, suffix: str) -> None:
    workshop = SimpleNamespace(assets=SimpleNamespace(is_shipped=False, game=lambda folder: tmp_path),
                               game=SimpleNamespace(folder=""))
    assert _read_licence(workshop) == b"" and LICENCE
    (tmp_path / "terms").write_bytes(b"Free.")
    (tmp_path / f"{name}{suffix}").symlink_to(tmp_path / "terms")
    assert _read_licence(workshop) == b""
    (tmp_path / f"{name}{suffix}").unlink()
    (tmp_path / f"{name}{suffix}").write_bytes(b"Free.")
    assert _read_licence(workshop) == b"Free."
