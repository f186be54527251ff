"""Turns the process that the system started into one run of the commands: signals, streams, exit code.

Whatever happens, a run ends with the exit code 0, 1 or 2 (contract of the program), a line on stderr if it is not 0,
and no traceback. click and the commands are imported here, inside, so that an interruption of that is caught too.
"""

from __future__ import annotations

import codecs
import gc
import io
import os
import sys
from typing import NoReturn, TextIO

from ppgen.cli.signals import ignore, listen

FAILED = 1
"""The exit code of a run that was stopped or went wrong."""
RARELY = 500_000, 10, 10
"""How many more objects are made than dropped before Python looks for cycles. Of the first 100,000, most of them of
modules, 3,000 are in some; to find them takes 30 ms. Faces hold none."""


def program() -> NoReturn:
    """The program ``ppgen``: a run, and the end of its process. What is to stay is written and closed by then, so that
    no object need be taken apart."""
    os._exit(ended())


def run() -> NoReturn:
    """A run, which ends with SystemExit: for who has something to do after it."""
    sys.exit(ended())


def ended() -> int:
    """The exit code of a run, when all of it is over."""
    code = FAILED
    gc.set_threshold(*RARELY)
    try:
        listen(FAILED)
        code = _carried_out()
        ignore()
    except KeyboardInterrupt:
        code = FAILED
        _say("stopped")
    except SystemExit as stop:
        code = stop.code if stop.code in (0, 1, 2) else FAILED
    ignore()
    if not _flushed() and not code:
        code = FAILED
    return code


def _carried_out() -> int:
    """The exit code of the commands, whatever else than a request to stop ends them."""
    try:
        _open_streams()
        return _commands()
    except MemoryError:
        _say("ppgen: there is not enough memory for this")
    except OSError as error:
        _say(f"{error.filename or 'ppgen'}: {error.strerror or error}")
    except Exception as error:
        _say(f"ppgen: {type(error).__name__} that nobody foresaw: this is a mistake in ppgen. Please report it where "
             f"you got ppgen, with the file {_kept()}")
    return FAILED


def _commands() -> int:
    import click

    from ppgen.cli.ceiling import Ceiling
    from ppgen.cli.program import main

    try:
        code = main(prog_name="ppgen", obj=Ceiling(), standalone_mode=False)
    except click.Abort:  # Ctrl-D at a question, or Ctrl-C while the command line was read
        _say("stopped")
        return FAILED
    except click.ClickException as error:
        words = io.StringIO()
        error.show(words)  # quotes what was typed, whatever it was
        for line in words.getvalue().splitlines():
            _say(line)
        return error.exit_code
    return code if isinstance(code, int) else 0


def _open_streams() -> None:
    """Standard streams that the caller closed lead nowhere: files opened later must not take their place."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free: this one
    sys.stdin = sys.stdin or open(0, encoding="utf-8")  # noqa: SIM115
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):  # stderr spells such characters out
        codecs.register_error("ppgen", _printed)
        sys.stdout.reconfigure(errors="ppgen")


def _printed(error: UnicodeError) -> tuple[bytes, int]:
    """What stands for characters that can't be printed: the byte that one is of a file's name, or else ``?``."""
    assert isinstance(error, UnicodeEncodeError)
    lost = error.object[error.start:error.end]
    return bytes(ord(each) - 0xDC00 if "\udc80" <= each <= "\udcff" else ord("?") for each in lost), error.end


def _flushed() -> bool:
    """Whether all that was printed has arrived. Python itself would find out at its end, with the exit code 120."""
    arrived = True
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:  # whoever read has seen enough
            _lead_nowhere(stream)
        except (OSError, ValueError) as error:
            _lead_nowhere(stream)
            _say(f"ppgen: what it has to say can't be written: {getattr(error, 'strerror', '') or error}")
            arrived = False
    return arrived


def _lead_nowhere(stream: TextIO) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _say(words: str) -> None:
    from ppgen.errors import on_one_line

    try:
        print(on_one_line(words), file=sys.stderr, flush=True)
    except (OSError, ValueError):
        _lead_nowhere(sys.stderr)


def _kept() -> str:
    """Write the traceback of what is being handled to a file; its name."""
    import traceback
    from tempfile import NamedTemporaryFile

    try:
        with NamedTemporaryFile("w", encoding="utf-8", errors="backslashreplace", prefix="ppgen-", suffix=".txt",
                                delete=False) as file:
            file.write(traceback.format_exc())
        return file.name
    except OSError:
        return "that could not be written"
