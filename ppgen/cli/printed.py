"""``ppgen printed``: remembers faces as printed, so that ``--changed`` and ``ppgen compare`` know what is new."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ppgen.cli.command_group import Command, print_json
from ppgen.cli.messages import interface_texts
from ppgen.cli.options import json_option, quiet_option
from ppgen.cli.print_options import SetOptions, build_request, only_option, open_set, pass_set, record_file, set_options
from ppgen.cli.usual_options import usual_option
from ppgen.errors import InputError, Problem, RequestError, display_path, to_one_line
from ppgen.printing.request import OutputKind, expand_names, select_parts
from ppgen.process.system import report_step
from ppgen.shipped import Phrase

if TYPE_CHECKING:
    from ppgen.review.set_comparison import Record


@click.command("printed", cls=Command)
@set_options(OutputKind.FACES)
@only_option()
@usual_option("--list", "list_all", is_flag=True)
@usual_option("--forget", is_flag=True)
@quiet_option
@json_option
@pass_set()
def printed_command(options: SetOptions, list_all: bool, forget: bool) -> None:
    """With --changed, the commands build and export then take only what looks different; compare lists it. A deck of
    your own keeps this in its folder, in printed/printed.json.

    \b
    ppgen build && ppgen printed
    ppgen build --changed && ppgen printed
    ppgen printed --only dragon
    """

    file, record = update_record(options, list_all, forget)
    say = interface_texts()
    if options.as_json:
        print_json({"file": display_path(file), "printed": [
            {"lang": variant.lang, "card_size": variant.card_size, "ink": variant.ink, "skin": variant.skin,
             "pieces": {id: piece.copies for id, piece in looks.items()}} for variant, looks in record.items()]})
    elif not options.quiet:
        for variant, looks in record.items():
            pieces = say.count("printed.pieces", sum(piece.copies for piece in looks.values()))
            click.echo(f"{to_one_line(str(variant))}  {pieces}")
        click.echo(say("printed.forgotten" if forget else "printed.kept", file=display_path(file)), err=True)


def update_record(options: SetOptions, list_all: bool, forget: bool) -> tuple[Path, Record]:
    """Do what the options ask for; return the file of the record, and the record. Raises InputError."""
    from ppgen.process.file_writing import write_files
    from ppgen.review.set_comparison import PieceSelection, draw_looks, dump_record, read_record

    chosen = open_set(options)
    workshop, request = chosen.workshop, build_request(options, chosen)
    file = record_file(workshop)
    record = {} if forget else read_record(file)
    if not list_all and not forget:
        report_step("remembering", 0, 0)
        selection = chosen.selection or PieceSelection(
            workshop=workshop, where=None, changed=False, card_size=chosen.card_size, ink=request.ink,
            skin=request.skin, record=file)
        wanted = expand_names(request.parts, workshop.game.groups)
        for lang in request.langs:
            texts = workshop.texts(lang)
            parts = workshop.narrow(select_parts(workshop.game.parts(texts, chosen.card_size), wanted), texts)
            looks = draw_looks(workshop, texts, parts, request.ink)
            ids = {name for part in parts for name in (part.name, *looks)}
            if unknown := [name for name in wanted if name not in ids]:
                raise RequestError(Problem("--only", f"there is no part or piece '{name}' to remember",
                                           Phrase("see_list")) for name in unknown)
            variant = selection.variant(lang)
            others = record.get(variant, {}) if wanted or workshop.picker else {}  # what was printed before
            record[variant] = {**others, **looks}
    if not list_all:
        content = dump_record(file.parent, record)
        if forget and not file.is_file():
            raise InputError.at(display_path(file), "no faces are remembered as printed")
        write_files(file.parent, [] if forget else [content], [file] if forget else [])
    return file, record
