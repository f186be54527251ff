"""``ppgen compare``: what changed, and old and new faces side by side."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ppgen.assets import Assets, is_deck
from ppgen.cli.command_group import Command, print_json
from ppgen.cli.messages import interface_texts
from ppgen.cli.print_options import (OpenSet, SetOptions, build_request, delivery_options, only_option, open_set,
                                     paper_option, pass_set, record_file, set_options)
from ppgen.cli.usual_options import usual_option
from ppgen.printing.request import BuildRequest, OutputKind, expand_names, stem_words
from ppgen.process.file_writing import BuiltFile
from ppgen.reading.texts import Texts

if TYPE_CHECKING:
    from ppgen.engine.booklets.booklet_pdf import ProofWords
    from ppgen.printing.workshop import Workshop
    from ppgen.review.set_comparison import PieceSelection


@click.command("compare", cls=Command)
@set_options(OutputKind.FACES)
@only_option()
@usual_option("--with", "other", type=click.Path(path_type=Path), metavar="FOLDER|FILE")
@paper_option("a4")
@delivery_options
@pass_set()
def compare_command(options: SetOptions, other: Path | None) -> None:
    """Lists what looks different since it was printed, and the changed cells. With another copy of the deck, also shows
    old and new faces side by side, as PDF in OUTPUT/LANG/.

    \b
    ppgen compare
    ppgen compare --with ../goblins-0.3
    ppgen compare --only cards --json
    """
    from ppgen.printing.manifest import Json
    from ppgen.process.file_writing import write_files
    from ppgen.review.set_comparison import describe_changes, proof_sheet

    chosen = open_set(options)
    request = build_request(options, chosen)
    selection = _selection(options, other, chosen, request)
    say, files, documents = interface_texts(), [], []
    for lang in request.langs:
        texts = chosen.workshop.texts(lang)
        changes = selection.select_changes(texts, expand_names(request.parts, chosen.workshop.game.groups))
        counts = {"changed": sum(bool(each.old and each.new) for each in changes),
                  "added": sum(not each.old for each in changes), "removed": sum(not each.new for each in changes)}
        document: Json = {"game": chosen.workshop.game.id, "lang": lang, "changes": [each.entry for each in changes]}
        for paper in request.papers if changes and selection.other else ():
            name = request.stem("compare", paper, OutputKind.FACES, *_other_words(other),
                                *stem_words(request.parts))
            path = f"{lang}/{name}.pdf"
            content = proof_sheet(changes, _words(texts, say, say("printed.summary", **counts), chosen.workshop),
                                  {"new": say("printed.new"), "gone": say("printed.gone"), "back": say("sheet.back")},
                                  paper.size, chosen.workshop.fonts.folder)
            files.append(BuiltFile(path=path, content=content))
        documents.append({**document, "files": [f"{request.folder}/{file.path}" for file in files
                                                if file.path.startswith(f"{lang}/")]})
        if not options.as_json and not options.quiet:
            if len(request.langs) > 1:
                click.echo(f"{texts('language.name')}:")
            for line in describe_changes(changes):
                click.echo(line)
            click.echo(say("printed.summary", **counts) if changes else say("printed.same"), err=True)
            if changes and not selection.other:
                click.echo(say("printed.pictures"), err=True)
    if not options.dry_run:
        write_files(options.output, files)
    if options.as_json:
        print_json(documents)
    elif not options.quiet:
        for file in files:
            click.echo(f"{request.folder}/{file.path}")


def _selection(options: SetOptions, record: Path | None, chosen: OpenSet, request: BuildRequest) -> PieceSelection:
    """The selection of the other options, compared with what ``--with`` names."""
    from ppgen.printing.workshop import Workshop
    from ppgen.review.set_comparison import RECORD_FILE, PieceSelection

    other = None
    if record and (record / RECORD_FILE).is_file():
        record = record / RECORD_FILE
    elif record and not record.is_file():
        inner = record if is_deck(record) or not (record / "data").is_dir() else record / "data"
        templates = record / "templates" if (record / "templates").is_dir() else options.templates
        other = Workshop.open(Assets.at(inner, templates), options.settings["skin"], options.game, options.choices)
    return PieceSelection(
        workshop=replace(chosen.workshop, picker=None), where=request.where, changed=request.changed, other=other,
        card_size=chosen.card_size, ink=request.ink, skin=request.skin, record=record or record_file(chosen.workshop))


def _words(texts: Texts, say: Texts, summary: str, workshop: Workshop) -> ProofWords:
    from ppgen.engine.booklets.booklet_pdf import ProofWords

    families = {style: [*dict.fromkeys(font.family for font in workshop.fonts.styles[style])]
                for style in ("text", "title")}
    title = " ".join(filter(None, (texts("game.title"), workshop.game.version)))
    return ProofWords(title=f"{title}: {say('printed.title')}", about=texts("language.name"), summary=summary,
                      before=say("printed.before"), now=say("printed.now"), lang=texts.lang.partition("-")[0],
                      fonts=families)


def _other_words(other: Path | None) -> tuple[str, ...]:
    """The words for ``--with`` in the name of the file."""
    return () if other is None else ("with", re.sub(r"\W+", "-", other.resolve().name).strip("-") or "folder")
