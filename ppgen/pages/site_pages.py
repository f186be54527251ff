"""Pages of a site: a front page and the pages of each game in each language, filled into the templates of ``site/``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import PurePosixPath
from typing import Any

from ppgen import __version__
from ppgen.engine.booklets.booklet import Booklet, Heading, Paragraph, page_templates
from ppgen.engine.component import Part
from ppgen.engine.imposition.sheets import Backs
from ppgen.errors import Problems
from ppgen.pages.site_choices import (LARGE_PRINT, SiteGame, SitePreset, SiteSet, Step, file_title, group_choices,
                                      list_needs, list_steps, part_title, parts_of, print_on)
from ppgen.pages.site_pictures import FAN, ShownPicture, SitePictures
from ppgen.printing.calibration import ACROSS, DOWN, DRIFT_DEGREES_PER_MM, MAX_READING_MM, MAX_RULER_ERROR_MM, READINGS
from ppgen.printing.manifest import MATERIALS
from ppgen.printing.request import CALIBRATION, GUIDE, RULES, WORDS, BuildRequest
from ppgen.printing.set_booklets import (GuideFacts, Sleeve, booklet_guide_file, booklet_page, guide_facts_to_read,
                                         guide_sections, make_guide, rules_to_read, sleeve_for)
from ppgen.printing.workshop import SCORE_PAGE, Workshop
from ppgen.reading.fields import read_toml
from ppgen.reading.texts import Texts
from ppgen.shipped import shipped_root
from ppgen.targets.piece_pictures import is_piece

FACTS_FILE = "game.toml"  # players, age and minutes in the data folder of a game; a game need not have it
NO_BREAK = "\u00a0"
STEP_DPI, COVER_DPI = 100.0, 48.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFrame:
    """Head and foot of all pages."""

    title: str  # if it is not that of the games
    licence: bool
    scorer: str  # address of the scorer page
    home: str  # address of ppgen's project
    links: Sequence[tuple[str, str]]  # to other games


def write_pages(games: Sequence[SiteGame], lang: str, pdfs: Mapping[str, bytes], pictures: SitePictures,
                frame: PageFrame, step: Callable[[str], None]) -> dict[str, bytes]:
    """Write the pages of a language, after each game a ``step``. Raises InputError."""
    pages = _PageSet(games, lang, pdfs, pictures, frame).write(step)
    return {f"{lang}/{name}": text.encode() for name, text in pages}


def _game_page(game: SiteGame, games: int) -> str:
    return f"{game.name}.html" if games > 1 else "index.html"


def _rules_page(game: SiteGame) -> str:
    return f"{game.name}-{RULES}.html"


def table_links(game: SiteGame, lang: str, games: int, scorer: str) -> list[tuple[str, str]]:
    """The words and addresses of links on the table of a game: to its page, its rules, and the page that scores it."""
    say = game.workshop.texts(lang)
    links = [(say("site.open_game"), f"../{lang}/{_game_page(game, games)}")]
    if game.variants[0].find(RULES):
        links.append((say("site.read_rules"), f"../{lang}/{_rules_page(game)}"))
    if scorer:
        links.append((say("site.phone"), f"../{SCORE_PAGE}{scorer}#lang={lang}&game={game.workshop.game.id}"))
    return links


def write_entrance(games: Sequence[tuple[Workshop, BuildRequest]], langs: Sequence[str], backs: Sequence[Backs],
                   looks: Sequence[str], title: str) -> dict[str, bytes]:
    """Write the page that leads to those in the reader's language, and the style that shows the chosen files."""
    texts = {lang: next(workshop.texts(lang) for workshop, request in games if lang in request.langs) for lang in langs}
    names = [{"id": lang, "name": texts[lang]("language.name")} for lang in langs]
    site = title or _site_title([workshop for workshop, _ in games], texts[langs[0]])
    numbers = product(*(range(len(choices)) for choices in (games[0][1].papers, backs, looks)))
    rule = ("body:has(#p{0}:checked):has(#b{1}:checked):has(#i{2}:checked) .p{0}-b{1}-i{2} "
            "{{ display: var(--shown, block) }}\n")
    style = "".join(rule.format(*each) for each in numbers)
    return {"index.html": _render("index.html", {"languages": names, "site": site}).encode(),
            "look/choice.css": style.encode()}


def _render(template: str, values: Mapping[str, object]) -> str:
    return page_templates(shipped_root() / "templates" / "site").get_template(template).render(values) + "\n"


def _site_title(games: Sequence[object], texts: Texts) -> str:
    return texts("game.title") if len(games) == 1 else texts("scorer.title")


@dataclass(slots=True)
class _PageSet:
    """The pages of one language."""

    games: Sequence[SiteGame]
    lang: str
    pdfs: Mapping[str, bytes]
    pictures: SitePictures
    frame: PageFrame

    def write(self, step: Callable[[str], None]) -> Iterator[tuple[str, str]]:
        tiles = []
        for game in self.games:
            values, books = self._game(game)
            yield values["page"], _render("game.html", values)
            for page, book in books:
                yield page, _render("book.html", {**values, **book, "variants": (), "page": page})
            tiles.append({name: values[name] for name in ("title", "idea", "facts", "fan", "page")})
            step(game.workshop.game.id)
        if len(self.games) > 1:
            texts = self.games[0].workshop.texts(self.lang)
            common = self._common(self.games[0], texts)
            yield "index.html", _render("front.html", {
                **common, "page": "index.html", "title": common["site"], "description": texts("site.subtitle"),
                "games": tiles, "variants": ()})

    def _common(self, game: SiteGame, texts: Texts) -> dict[str, Any]:
        """The values of every page."""
        workshop = game.workshop
        return {"lang": self.lang, "say": texts, "version": __version__, "shipped": game.is_shipped,
                "scorer": self.frame.scorer, "licence": self.frame.licence, "home": self.frame.home,
                "links": [(title, address if "://" in address else f"../{address}")
                          for title, address in self.frame.links],
                "site": self.frame.title or _site_title(self.games, texts),
                "languages": [{"id": each, "name": workshop.texts(each)("language.name")} for each in game.langs],
                "credit": texts("site.credit") if game.is_shipped else
                texts("site.made_by", author=texts("game.author")) if texts("game.author") else ""}

    def _game(self, game: SiteGame) -> tuple[dict[str, Any], list[tuple[str, dict[str, Any]]]]:
        """The values of a game's page, and of the pages of its booklets."""
        workshop, texts = game.workshop, game.workshop.texts(self.lang)
        first = game.variants[0]
        page = _game_page(game, len(self.games))
        request, renderer = game.request, workshop.studio(texts, "full")
        parts = workshop.pieces(texts, request.card_size)
        faces, boards = self.pictures.gallery(parts, renderer)
        books, pages, idea = list[dict[str, Any]](), list[tuple[str, dict[str, Any]]](), ""
        for kind, ids, name, variant, booklet in self._booklets(game, texts):
            body, sections = self.pictures.write_booklet(
                booklet, renderer, workshop.fonts if kind == RULES else workshop.fonts.house)
            file = variant.find(kind, printed=False) or variant.find(kind)
            assert file
            pdf = self.pdfs[file["path"]]
            link = {"ids": ids, "page": name, "pdf": f"../{file['path']}", "size": self._size(len(pdf), texts)}
            pages.append((name, {
                "title": booklet.title, "heading": booklet.title, "body": body, "sections": sections, "back": page,
                "pdf": link["pdf"], "companion": kind == GUIDE, "game_title": texts("game.title")}))
            if not books or books[-1]["kind"] != kind:
                books.append({"kind": kind, "name": texts(WORDS[kind]), "links": [],
                              "picture": self.pictures.page(pdf, 0, COVER_DPI)})
            if ids is not None:
                books[-1]["links"].append(link)
            if kind == RULES and game.is_shipped:
                idea = _first_paragraph(booklet)
        about = ""
        if workshop.game.deck and workshop.game.deck.about:
            booklet = workshop.game.deck.about(texts, parts, booklet_page(first.paper.size))
            about, _ = self.pictures.write_booklet(booklet, renderer, workshop.fonts)
        title = texts("game.title")
        kicker, _, heading = title.partition(" – ") if game.is_shipped else ("", "", "")
        fewest = min(variant.sheets for variant in game.variants)
        fan = (boards[:1] and [{"front": boards[0]["small"], "name": boards[0]["name"], "width": boards[0]["width"],
                                "height": boards[0]["height"]}]) or _fan(faces)
        needs, steps = zip(*(self._work(game, each, texts, parts) for each in game.variants), strict=True)
        values = {**self._common(game, texts), "page": page, "game": workshop.game.id, "title": title,
                  "table": f"../{game.table(self.lang)}",
                  "description": (idea or title)[:150],
                  "heading": heading or title, "idea": idea, "about": about, "fan": fan, "faces": faces,
                  "kicker": " · ".join((kicker, texts("site.fan"))) if heading else
                  texts("site.fan") if game.is_shipped else "",
                  "boards": boards, "facts": [*self._facts(game, texts), texts.count("site.from_sheets", fewest)],
                  "questions": self._questions(game, texts), "printer": self._printer(game, texts),
                  "variants": [self._variant(game, each, game.choice_class(each), texts, parts)
                               for each in game.variants],
                  "presets": [self._preset(game, each, texts) for each in game.presets],
                  "needs": group_choices(game, needs), "steps": group_choices(game, steps),
                  "books": books, "answers": self._answers(game, first, texts, parts)}
        return values, pages

    def _booklets(self, game: SiteGame, texts: Texts) -> Iterator[tuple[str, str | None, str, SiteSet, Booklet]]:
        """Yield the rules and each guide: kind, classes of its choice (None for a preset's), page, set, booklet."""
        first = game.variants[0]
        if (rules := rules_to_read(game.request, game.workshop, texts, first.paper)) and first.find(RULES):
            yield RULES, "", _rules_page(game), first, rules
        written = set[str]()
        for each in game.sets:
            if (page := game.guide_page(each)) and not (each.preset and page in written):
                written.add(page)
                guide = make_guide(texts, _guide_facts(each, texts))
                yield GUIDE, None if each.preset else game.choice_class(each), page, each, guide

    def _facts(self, game: SiteGame, texts: Texts) -> Iterator[str]:
        folder = game.workshop.assets.game(game.workshop.game.folder)
        if not (folder / FACTS_FILE).is_file():
            return
        problems = Problems()
        fields = read_toml(folder, FACTS_FILE, problems)
        least, most, minutes, age = (fields.take_int(name, 0, 999, 0) for name in (
            "least_players", "most_players", "minutes", "age"))
        fields.close()
        problems.raise_if_any()
        if most:
            yield texts("site.players", first=least, last=most)
        if minutes:
            yield texts("site.minutes", count=minutes)
        if age:
            yield texts("site.age", count=age)

    def _questions(self, game: SiteGame, texts: Texts) -> list[dict[str, Any]]:
        papers, backs, looks = game.choices()
        notes = {"low": texts("site.low_note") if game.is_shipped else "", LARGE_PRINT: texts("site.large-print_note")}
        ask = {True: texts("site.look"), False: texts("site.ink")}
        return [
            {"name": "paper", "ask": texts("site.paper"), "options": [
                {"id": f"p{n}", "value": each.name, "name": each.title,
                 "note": texts("site.letter_note") if each.name == "letter" else ""} for n, each in enumerate(papers)]},
            {"name": "backs", "ask": texts("site.backs"), "options": [
                {"id": f"b{n}", "value": each.value, "name": texts(f"site.{each.value}"),
                 "note": texts(f"site.{each.value}_note")} for n, each in enumerate(backs)]},
            {"name": "ink", "ask": ask[LARGE_PRINT in looks], "options": [
                {"id": f"i{n}", "value": each, "name": texts(f"site.{each}"), "note": notes.get(each, "")}
                for n, each in enumerate(looks)]}]

    @staticmethod
    def _printer(game: SiteGame, texts: Texts) -> dict[str, Any]:
        """The form for the readings of the printer test; those of backs only if the site has any to shift."""
        fields = [{"name": name, "label": texts(f"printer.{name}")} for name in (ACROSS, DOWN)]
        if Backs.DUPLEX in game.choices()[1]:
            fields += [{"name": name, "label": texts("printer.reading", scale=scale, axis=axis)}
                       for name, (scale, axis) in READINGS.items()]
        return {"fields": fields, "plans": game.correction_plans(texts.lang), "slope": DRIFT_DEGREES_PER_MM,
                "reach": MAX_READING_MM, "most": f"{MAX_RULER_ERROR_MM:g}"}

    def _preset(self, game: SiteGame, preset: SitePreset, texts: Texts) -> dict[str, Any]:
        """A whole download on each paper, with the figures of the first."""
        first, *_ = sets = game.preset_sets(preset.name)
        parts = first.workshop.pieces(texts, first.request.card_size)
        title, about = f"site.preset_{preset.name}", f"preset.{preset.name}"
        sheets = [f"{count} × {texts(f'guide.files.{material}')}" for material in MATERIALS
                  if (count := sum(file["sheets"] for file in first.made_of(material)))]
        return {"name": texts(title) if title in texts.words else preset.name,
                "about": texts(about) if about in texts.words else preset.description,
                "sheets": sheets,
                "figures": texts("site.preset_figures", sheets=texts.count("site.sheets", first.sheets),
                                 cuts=texts.count("site.cuts", first.cuts), minutes=first.minutes,
                                 ml=texts.number(first.ink_ml, 1), grams=first.grams),
                "variants": [{**self._variant(game, each, f"{preset.name}-{each.paper.name}", texts, parts),
                              "paper": each.paper.title} for each in sets]}

    def _variant(self, game: SiteGame, variant: SiteSet, name: str, texts: Texts,
                 parts: Sequence[Part]) -> dict[str, Any]:
        size = sum(len(self.pdfs[path]) for path in variant.paths)
        return {"id": name, "total": texts.count("site.sheets", variant.sheets),
                "cuts": texts.count("site.cuts", variant.cuts),
                "name": f"{game.stem(variant, variant.lang)}.zip", "make": game.guide_page(variant),
                "inside": " ".join(PurePosixPath(path).name for path in variant.paths),
                "note": texts.count("site.zip", len(variant.files), size=self._size(size, texts)),
                "files": [{"href": f"../{file['path']}", "title": file_title(file, parts, texts),
                           "print_on": print_on(file, texts), "sheets": file["sheets"],
                           "size": self._size(len(self.pdfs[file["path"]]), texts)} for file in variant.printed]}

    def _work(self, game: SiteGame, variant: SiteSet, texts: Texts,
              parts: Sequence[Part]) -> tuple[list[str], list[dict[str, str]]]:
        """The needs of a variant, and its steps with pictures of the first variant that has these backs."""
        facts = _guide_facts(variant, texts)
        guide = guide_sections(texts, facts, booklet_page(variant.paper.size))
        needs = [*list_needs(variant, guide, texts)]
        if sleeve := sleeve_for(game.workshop.assets, game.request.card_size) if _has_cards(game, parts) else None:
            needs.append(texts("site.need_sleeves", sleeve=_sleeve_words(sleeve, texts)))
        shown = next(each for each in game.variants if each.backs is variant.backs)
        return needs, [{"name": step.name, "text": step.text, "picture": self._step_picture(step, shown, variant)}
                       for step in list_steps(guide, facts)]

    def _step_picture(self, step: Step, *sets: SiteSet) -> str:
        file = next(filter(None, (each.find(step.part) for each in sets)), None)
        return self.pictures.page(self.pdfs[file["path"]], 0, STEP_DPI * 0.5 / step.area.width,
                                  step.area) if file else ""

    def _answers(self, game: SiteGame, first: SiteSet, texts: Texts, parts: Sequence[Part]) -> list[tuple[str, str]]:
        sleeve = sleeve_for(game.workshop.assets, game.request.card_size)
        copies = {part.name: sum(piece.copies for piece in part.components) for part in parts if is_piece(part)}
        names = dict.fromkeys(name for file in first.files for name in parts_of(file)
                              if name not in (CALIBRATION, GUIDE))
        inside = (part_title(name, parts, texts) if copies.get(name, 1) == 1 else
                  f"{copies[name]} × {part_title(name, parts, texts)}" for name in names)
        answers = []
        if game.is_shipped:
            answers.append((texts("site.ask_ink"), texts("site.tell_ink")))
        if _has_cards(game, parts):
            size = str(game.request.card_size.size).replace(".", texts("language.decimal"))
            answers.append((texts("site.ask_size"), f"{size}; {_sleeve_words(sleeve, texts)}" if sleeve else size))
        answers += [(texts("site.ask_shop"), texts("site.tell_shop")), (texts("site.ask_contents"), " · ".join(inside))]
        if game.is_shipped:
            answers.append((texts("site.ask_share"), texts("site.tell_share")))
        return answers

    @staticmethod
    def _size(count: int, texts: Texts) -> str:
        return f"{texts.number(count / 1e6, 1)} MB" if count >= 1e6 else f"{max(1, round(count / 1e3))} kB"


def _guide_facts(site_set: SiteSet, texts: Texts) -> GuideFacts:
    printed = site_set.find(RULES)
    rules = booklet_guide_file(RULES, printed["sheets"], printed["pages"] > printed["sheets"],
                               texts) if printed else None
    return guide_facts_to_read(site_set.request, site_set.workshop, texts, site_set.paper, rules)


def _has_cards(game: SiteGame, parts: Sequence[Part]) -> bool:
    size = game.request.card_size.size.portrait
    return any(piece.size.portrait == size for part in parts for piece in part.components)


def _sleeve_words(sleeve: Sleeve, texts: Texts) -> str:
    return f"{sleeve.name} {sleeve.size}".replace(".", texts("language.decimal")).replace(" ", NO_BREAK)


def _fan(faces: Sequence[ShownPicture]) -> list[ShownPicture]:
    """A few faces, of different titles if there are enough."""
    titled = [*{face["name"].partition(" (")[0]: face for face in reversed(faces)}.values()][::-1]
    return [*{face["front"]: face for face in (*titled[:FAN], *faces)}.values()][:FAN]


def _first_paragraph(booklet: Booklet) -> str:
    heads = [n for n, block in enumerate(booklet.blocks) if isinstance(block, Heading)]
    words = (block.words for block in booklet.blocks[heads[0]:] if isinstance(block, Paragraph)) if heads else iter(())
    return "".join(span.words for span in next(words, ()) if not span.shown)
