"""Checks of a set: its data, texts and templates, and a dry run of its build."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice, product

from ppgen.engine.booklets.booklet_pdf import arrange_pages
from ppgen.engine.colours import LEAST_DISTANCE, MERGED, find_clashes
from ppgen.engine.component import Part, PrintWay
from ppgen.engine.drawing.face import Face, FaceRequest
from ppgen.engine.drawing.ornament import MIN_CODE_CONTRAST, MIN_MODULE
from ppgen.engine.drawing.svg_check import MIN_STROKE, MIN_TYPE_SIZE, find_fine_details
from ppgen.engine.drawing.templates import TemplateSet
from ppgen.engine.geometry import A4, Format, Size
from ppgen.engine.imposition.sheets import Flip, SheetSpec
from ppgen.engine.pdf.assembly import draw_pages
from ppgen.engine.pdf.typesetting import layers_pdf
from ppgen.engine.pictures.picture_files import FULL, LOW, placed_pictures
from ppgen.errors import MAX_OTHERS, InputError, Phrase, Problem, Problems, merge_problems
from ppgen.games.catalogue import game_languages, open_scoring, scored_games
from ppgen.printing.drawn_parts import (LOW_INK_PERCENT, MARKUP_ADVICE, cut_picture_warnings, draw_parts, draw_to_print,
                                        impose_part, ink_report, inspection_bleed, output_kind, parts_on_a4,
                                        sheet_bleed)
from ppgen.printing.request import CALIBRATION, INKS, RULES, BuildRequest, has_words
from ppgen.printing.set_booklets import (Translation, booklet_guide_file, booklet_page, check_translation,
                                         find_untranslated, guide_file, locate_texts, merge_repeats, typeset_guide,
                                         typeset_rules)
from ppgen.printing.set_build import StepCounter, describe_pages, run_jobs
from ppgen.printing.workshop import PrintRun, Workshop
from ppgen.process.system import Progress
from ppgen.reading.fields import Source
from ppgen.reading.texts import SCREEN_ONLY, Texts
from ppgen.records import dataclass, field, replace

# The single checks add to ``findings``: those of the game's data (run once), of each drawn face (in every ink and
# size), and of the printed set of a language.

MIN_PICTURE_DPI = 200  # pixels per inch of a picture, below which its edges look soft in print


@dataclass(frozen=True, slots=True)
class CheckFindings:
    """What checks found; ``fine_details`` are sizes and resolutions with their faces by place, line and kind."""

    problems: Problems = field(default_factory=Problems)
    warnings: Problems = field(default_factory=Problems)
    fine_details: dict[tuple[str, int, str], list[tuple[float, str]]] = field(default_factory=dict)
    translations: dict[str, Translation] = field(default_factory=dict)

    def add(self, other: CheckFindings) -> None:
        self.problems.extend(other.problems)
        self.warnings.extend(other.warnings)
        for spot, details in other.fine_details.items():
            self.fine_details.setdefault(spot, []).extend(details)
        self.translations.update(other.translations)


def check_colour_distances(workshop: Workshop, findings: CheckFindings) -> None:
    """Require colours that all players can tell apart, also in grey print; close ones need another difference."""
    for group in workshop.game.swatches:
        for pair in find_clashes(group):
            if not pair.is_distinguishable:
                findings.problems.note("colours",
                                       f"{pair.one.colour} and {pair.other.colour} look alike in {pair.vision} "
                                       f"(CIEDE2000 {pair.distance:.1f}, at least {LEAST_DISTANCE:g} is clear)",
                                       "choose other colours" if pair.distance < MERGED else
                                       "choose other colours, or another shape or code for one of them",
                                       key=f"{pair.one.name} {pair.other.name}")


def check_face(face: Face, templates: TemplateSet, subject: str, findings: CheckFindings) -> None:
    """Find strokes that some printers lose, type that few can read, and pictures too coarse for their printed size.

    Warn of markup that strangers' templates print as it stands. ``subject`` is the key of the face's problems.
    """
    found = [(fine.kind, fine.size, fine.source) for fine in find_fine_details(face)]
    found += [("picture", placed.dpi, placed.source) for placed in placed_pictures(face.svg, face.pictures)
              if placed.variant == FULL and placed.dpi < MIN_PICTURE_DPI]
    for kind, size, source in found:
        findings.fine_details.setdefault((*templates.place(source), kind), []).append((size, subject))
    for markup, source in face.markup if not templates.are_ours else ():
        place, line = templates.place(source)
        findings.warnings.note(place, f"prints '{markup}' as it stands", MARKUP_ADVICE, line=line, key=subject)


FINE_DETAILS = {
    "stroke": ("draws a stroke of {:.3g} mm", f"printers lose what is under {MIN_STROKE:g} mm: make it wider"),
    "type": ("sets type of {:.1f} pt",
             f"{MIN_TYPE_SIZE:g} pt is the least that reads well: give it more room or fewer words"),
    "picture": ("shows a picture at {:.0f} dpi",
                f"{MIN_PICTURE_DPI} dpi look sharp: use a larger picture, or show it smaller"),
    "over": ("sets words {:.1f} mm beyond their place", "shorten them, set them smaller, or give them more room"),
    "module": ("draws a QR code with modules of {:.2g} mm",
               f"phones read {MIN_MODULE:g} mm or more: make it larger, or its text shorter"),
    "contrast": ("draws a QR code with a contrast of {:.2g}",
                 f"phones read dark on light, {MIN_CODE_CONTRAST:g} or more: choose a darker fill or a lighter ground"),
}
"""Kinds of details that are too fine, with the message and its remedy. Strokes are problems, all others warnings."""


def report_fine_details(findings: CheckFindings) -> None:
    """Report each template line once: the face where it is finest, and the number of the others."""
    for (place, line, kind), details in findings.fine_details.items():
        size, subject = min(details, key=lambda detail: detail[0])  # the first of equal ones
        what, remedy = FINE_DETAILS[kind]
        target = findings.problems if kind == "stroke" else findings.warnings
        others = tuple(other for _, other in details if other != subject)[:MAX_OTHERS]
        target.append(Problem(place, what.format(abs(size)), remedy, line=line, key=subject, more=len(details) - 1,
                              others=others))


def report_substitutes(substitutes: Iterable[tuple[str, str]], findings: CheckFindings) -> None:
    """Warn of families without the bold or italic that words on the faces ask for."""
    for family, kind in dict.fromkeys(substitutes):
        findings.warnings.note("fonts", f"'{family}' has no {kind} font: such words look like the others",
                               "add that font, or take another family", key=family)


def check_low_ink(workshop: Workshop, texts: Texts, parts: Sequence[Part], findings: CheckFindings) -> None:
    """Require that low ink saves ink. Pictures of a deck are made pale by ppgen itself, and are left out."""
    too_much = {row.part: row.percent for row in ink_report(workshop, texts, parts, ("low",))
                if row.percent > LOW_INK_PERCENT}
    for drawn in parts:
        if drawn.name in too_much and _shows_pale_pictures(drawn, workshop, texts):
            del too_much[drawn.name]
    full = ink_report(workshop, texts, parts, ("full",)) if too_much else ()
    full_percent = {row.part: row.percent for row in full}
    for part, percent in too_much.items():
        key = f"[{texts.lang} low ink]"
        if percent == full_percent[part]:  # low ink is optional for a deck
            findings.warnings.note(part, "looks the same with little ink",
                                   'templates may ask for it: {% if ink == "low" %}', key=key)
        else:
            findings.problems.note(part, f"takes {percent:.1f} % ink", f"at most {LOW_INK_PERCENT:g} %: lighten the "
                                   "low-ink branch of its templates", key=key)


def _shows_pale_pictures(part: Part, workshop: Workshop, texts: Texts) -> bool:
    if not workshop.pictures:
        return False
    (drawn,) = draw_parts([part], workshop.studio(texts, "low"), inspection_bleed, texts.lang)
    return any(placed.variant == LOW for face in drawn.distinct for placed in placed_pictures(face.svg, face.pictures))


def check_unused_texts(workshop: Workshop, texts: Texts, findings: CheckFindings) -> None:
    """Report texts of the set's own files that nothing prints; a deck's may be for later: warnings."""
    own_keys, game = texts.keys_in(workshop.assets.data), workshop.game
    target = findings.warnings if game.deck else findings.problems
    target += [texts.problem(key, "text is used nowhere", Phrase("take_it_out")) for key in texts.unused()
               if key in own_keys and key.partition(".")[0] not in game.spoken | SCREEN_ONLY]


MAX_NAMES = 10_000  # files of a deck whose names are compared


def check_file_names(workshop: Workshop, findings: CheckFindings) -> None:
    """Warn of a deck's files whose names differ in case only: most systems have room for one of them."""
    if not workshop.game.deck:
        return
    root, first = workshop.assets.data, dict[str, str]()
    names = (path.relative_to(root).as_posix() for path in islice(root.rglob("*"), MAX_NAMES))
    for name in sorted(name for name in names if not name.startswith((".", "output/"))):
        if (other := first.setdefault(name.casefold(), name)) != name:
            findings.warnings.note(name, f"differs from {other} in case only: on Windows and macOS one replaces the "
                                   "other", "rename one of them")


def check_booklet_words(workshop: Workshop, texts: Texts, findings: CheckFindings) -> None:
    """Warn of booklets without words: the set is printed without them."""
    for name in workshop.booklets:
        for folder in workshop.booklet_folders[name]:
            file = Source(folder / f"{texts.lang}.toml", "")
            if not file.path.is_file():
                model = f"{workshop.game.lang}.toml"
                findings.warnings.note(file.name, f"file is missing: the set is printed without '{name}'",
                                       f"copy {model} of that folder, and translate it", key=name)
    if workshop.game.deck and workshop.game.deck.rules:
        findings.warnings.extend(workshop.missing_words(texts, (RULES,)))


def check_scoring(workshop: Workshop, texts: Texts, findings: CheckFindings) -> None:
    """Open the scoring of the game in a language: report problems of its rules, and texts that it lacks."""
    if workshop.game.folder not in scored_games(workshop.assets).values():
        return
    try:
        open_scoring(workshop.assets, workshop.game.folder, texts.lang)
    except InputError as error:
        findings.problems.extend(problem for problem in error.problems if problem not in findings.problems)


# --- The whole check ---

SPEC = SheetSpec(paper=A4)
CheckLook = tuple[str, Format]  # ink and card size to draw faces in


def tightest_sizes(sizes: Mapping[str, Size]) -> tuple[Format, ...]:
    """The sizes with the least room for text: the smallest card, the slenderest and the broadest."""
    def slender(name: str) -> float:
        return sizes[name].portrait.height / sizes[name].portrait.width

    names = (min(sizes, key=lambda name: sizes[name].width * sizes[name].height),
             max(sizes, key=slender), min(sizes, key=slender))
    return tuple(Format(name, sizes[name]) for name in dict.fromkeys(names))


def default_looks(card_size: Format, sizes: Mapping[str, Size]) -> tuple[CheckLook, ...]:
    """The default looks: the set as printed, the tightest sizes, of low ink the smallest of them only."""
    tight = tightest_sizes(sizes)
    return tuple(dict.fromkeys([*product(INKS, (card_size, tight[0])), *product(INKS[:1], tight)]))


def check(workshop: Workshop, langs: Sequence[str], looks: Sequence[CheckLook],
          watch: Progress = lambda *_: None) -> CheckFindings:
    """Draw every face in each look (once, if it does not depend on it), and print each language once."""
    findings, substitutes = CheckFindings(warnings=Problems(workshop.game.warnings)), list[tuple[str, str]]()
    check_colour_distances(workshop, findings)
    check_file_names(workshop, findings)
    drafts = _drafts(workshop)
    workshop = replace(workshop, marked=True)
    counter, steps = StepCounter(len(langs)), len(langs) * (len(looks) + 1)

    def check_language(number: int) -> tuple[CheckFindings, frozenset[str], tuple[tuple[str, str], ...]]:
        """Check a language: findings, the characters that no font has, and families without a bold or an italic."""
        lang, found = langs[number], CheckFindings()

        def begin(step: str) -> None:
            if (begun := counter.count(number)) is not None:
                watch(step, begun - 1, steps)

        with found.problems.collect_errors():
            texts, wrong = drafts.get(lang) or workshop.draft(lang)
            found.problems.extend(wrong)
            _check_language(workshop, texts, looks, begin, found)
            check_booklet_words(workshop, texts, found)
            check_scoring(workshop, texts, found)
            others = [other for name, (other, _) in drafts.items() if name != lang]
            own_keys = texts.keys_in(workshop.assets.data) if workshop.game.deck else None
            progress = found.translations[lang] = check_translation(texts, others, own_keys)
            found.warnings.extend(find_untranslated(texts, progress))
        return found, frozenset(workshop.fonts.missing), tuple(workshop.fonts.substitutes)

    for found, missing, lacking in run_jobs([partial(check_language, number) for number in range(len(langs))]):
        findings.add(found)
        workshop.fonts.missing.update(missing)
        substitutes += lacking
    report_fine_details(findings)
    report_substitutes(substitutes, findings)
    findings.problems.extend(workshop.missing_signs)
    return replace(findings, problems=Problems(merge_problems(dict.fromkeys(merge_repeats(findings.problems)))),
                   warnings=Problems(merge_problems(dict.fromkeys(findings.warnings))))


def _drafts(workshop: Workshop) -> dict[str, tuple[Texts, Problems]]:
    """Read the readable languages of the set, finished or not, with the problems of each."""
    drafts = {}
    for lang in game_languages(workshop.assets, workshop.game.folder):
        with suppress(InputError):
            drafts[lang] = workshop.draft(lang)
    return drafts


def _check_language(workshop: Workshop, texts: Texts, looks: Sequence[CheckLook], watch: Callable[[str], None],
                    findings: CheckFindings) -> None:
    """Draw all faces, and print the set if all could be drawn. Raises InputError if there is nothing to draw."""
    drawing_problems = Problems()
    own: dict[Format, tuple[Part, ...]] = {}
    variants: dict[Format, list[Part]] = {}
    seen: dict[str, list[Part]] = {ink: [] for ink, _ in looks}
    for ink, size in looks:
        watch(f"{texts.lang}: {size.name}, {ink} ink")
        if size not in own:
            own[size] = parts_on_a4(workshop, texts, size)
            variants[size] = [part for variant in workshop.makings[1:]
                              for part in parts_on_a4(variant, texts, size) if part.variant]
        parts = [part for part in (*own[size], *variants[size]) if part not in seen[ink]]
        seen[ink] += parts
        for face, subject in _draw_faces(workshop, texts, parts, ink, size, drawing_problems):
            check_face(face, workshop.templates, subject, findings)
    watch(f"{texts.lang}: sheets and booklets")
    findings.problems.extend(drawing_problems)
    screen_only = workshop.game.spoken | SCREEN_ONLY
    is_complete = all(key.partition(".")[0] in screen_only for key in texts.borrowed)
    if not drawing_problems and is_complete:  # an incomplete set would use too few of its texts
        _check_printed(workshop, texts, looks[0][1], own[looks[0][1]], findings)
    elif workshop.game.deck and workshop.game.rules and has_words(texts, RULES):
        workshop.game.rules(texts, own[looks[0][1]], booklet_page(A4.size), "full")  # what is wrong with its words


def _check_printed(workshop: Workshop, texts: Texts, size: Format, parts: Sequence[Part],
                   findings: CheckFindings) -> None:
    """Print the set of a language, and check it as a whole."""
    findings.warnings.extend(prove_language(workshop, texts, size, parts))
    check_low_ink(workshop, texts, parts, findings)
    check_unused_texts(workshop, texts, findings)


def _draw_faces(workshop: Workshop, texts: Texts, parts: Iterable[Part], ink: str, size: Format,
                problems: Problems) -> Iterator[tuple[Face, str]]:
    """Yield each face that can be drawn, with the key of its problems; those of the others go to ``problems``."""
    bleed, unprinted = sheet_bleed(SPEC), workshop.game.spoken | SCREEN_ONLY
    own = replace(texts, used={})  # the texts that a face uses
    renderer = workshop.studio(own, ink)
    seen: set[tuple[FaceRequest, float]] = set()
    for part in parts:
        of_card_size = not part.is_full_page and part.layout.way is not PrintWay.TILED
        for component in part.components:
            for side, request in component.faces():
                around = bleed(part, side)
                if around is None or (request, around) in seen:
                    continue
                seen.add((request, around))
                subject = f"[{component.id} {side} {texts.lang} {ink}{f' {size.name}' if of_card_size else ''}]"
                own.used.clear()
                face: Face | None = None
                wrong: tuple[Problem, ...] = ()
                try:
                    face = renderer.draw(request, around, subject)
                except InputError as error:
                    wrong = error.problems
                for key, uses in own.used.items():
                    texts.used.setdefault(key, set()).update(uses)
                piece = f"{component.id} ({size.name})" if of_card_size else component.id
                problems.extend(locate_texts(wrong, texts, own.used, unprinted, piece))
                if face:
                    yield face, subject


# Dry run: everything is drawn, imposed and typeset, and no file is assembled.

def prove_set(request: BuildRequest, workshop: Workshop, texts: Texts) -> tuple[Problem, ...]:
    """Do all that can fail in a build of a language on A4, which is paper for folded booklets; return advice."""
    run = PrintRun(request, workshop, texts, A4)
    selected, files = run.parts(), []
    drawn = draw_to_print(selected.parts, run)
    advice = (*cut_picture_warnings(drawn),)
    for part in drawn:
        imposition = impose_part(part, request, A4)
        files.append(guide_file(part, imposition))
        captions, _ = describe_pages(part, imposition, run.relevant_to(output_kind(part.part)))
        draw_pages(imposition.sheets, captions, workshop.fonts)
        for _ in layers_pdf(part.distinct, workshop.fonts):
            pass
    for name in selected.booklets:
        if name == RULES:
            rules = typeset_rules(run)
            sheets = arrange_pages(request.booklet_layout, rules.count)
            advice = (*advice, *rules.left_out)
            files.append(booklet_guide_file(name, len(sheets), sheets[0].back is not None, texts))
        else:
            typeset_guide(files, run)
    return advice


def prove_language(workshop: Workshop, texts: Texts, card_size: Format, parts: Sequence[Part]) -> tuple[Problem, ...]:
    """Dry-run a language's set on A4, so that ``texts`` records its use; return advice. Raises InputError."""
    request = BuildRequest(langs=(texts.lang,), papers=(A4,), card_size=card_size)
    advice = prove_set(request, workshop, texts)
    # The other flip changes texts of this part only; the other ink those of labels, and the pictures of the rules.
    prove_set(replace(request, flip=Flip.SHORT, ink="low", parts=(CALIBRATION,)), workshop, texts)
    if workshop.game.rules and has_words(texts, RULES):
        renderer = workshop.studio(texts, "low")
        for face in workshop.game.rules(texts, parts, booklet_page(A4.size), "low").requests():
            renderer.draw(face, 0, f"[{RULES} {texts.lang} low ink]")
    return advice
