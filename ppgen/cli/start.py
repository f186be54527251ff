"""The process: signals, standard streams and exit code around one run of the commands.

A run always ends with exit code 0, 1 or 2, with a line on stderr if it is not 0, and without a traceback.
click and the commands are imported inside functions, so that an interruption of these imports is caught too.
"""

from __future__ import annotations

import codecs
import gc
import io
import os
import sys
import warnings
from typing import NoReturn, TextIO

from ppgen.process.system import ignore_requests, install_handlers

FAILED = 1  # exit code of a run that was stopped or failed
GC_THRESHOLD = 500_000, 10, 10
"""Net new objects before Python searches for cycles. Of the first 100,000 objects, most of them from modules, 3,000 are
in cycles; the search takes 30 ms. Faces contain no cycles."""


def program() -> NoReturn:
    """Run ``ppgen`` and end the process at once: all files are closed by then, and no object needs to be destroyed."""
    os._exit(exit_code())


def run() -> NoReturn:
    """Run ``ppgen`` and raise SystemExit, for callers that have something to do afterwards."""
    sys.exit(exit_code())


def exit_code() -> int:
    """Run the command line; return its exit code once the output is flushed."""
    code = FAILED
    gc.set_threshold(*GC_THRESHOLD)
    try:
        install_handlers(FAILED)
        code = _execute()
        ignore_requests()
    except KeyboardInterrupt:
        ignore_requests()
        code = FAILED
        _print_error(_format("stopped") if "ppgen.cli.messages" in sys.modules else "stopped")  # at once
    except SystemExit as stop:
        code = stop.code if stop.code in (0, 1, 2) else FAILED
    ignore_requests()
    if not _flush_streams() and not code:
        code = FAILED
    return code


def _execute() -> int:
    """Run the commands; report any exception other than a request to stop."""
    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # Python's own are for developers
    try:
        _open_streams()
        return _commands()
    except Exception as error:
        from ppgen.errors import find_shortage

        if shortage := find_shortage(error):
            remedy = f" ({_format('fewer_files')})" if shortage == "many_files" else ""
            _print_error(f"ppgen: {_format(shortage)}{remedy}")
        elif isinstance(error, OSError):
            _print_error(f"{error.filename or 'ppgen'}: {_translate(error.strerror or str(error))}")
        else:
            _print_error(f"ppgen: {_format('bug', kind=type(error).__name__, file=_save_report())}")
    return FAILED


def _commands() -> int:
    import click

    from ppgen.cli.program import main

    try:
        code = main(prog_name="ppgen", obj=True, standalone_mode=False)  # this process may be limited
    except click.Abort:  # Ctrl-D at a question, or Ctrl-C while the command line was parsed
        _print_error(_format("stopped"))
        return FAILED
    except click.ClickException as error:
        if isinstance(error, click.NoSuchOption):  # its guesses are not in its message
            error.message, error.possibilities = error.format_message(), None  # type: ignore[misc]
        from ppgen.cli.messages import ALL_OPTIONS, find_translation

        message = find_translation(error.message) if error.message else ""
        error.message = message or error.message  # type: ignore[misc]  # before click puts it into a sentence
        whole = error.format_message()
        translated = None if message is None else find_translation(whole) or (whole if message else None)
        if translated is None and isinstance(error, click.UsageError) and error.ctx:
            error.ctx.meta[ALL_OPTIONS] = True  # the usage in English, too
        error.format_message = lambda: translated or whole  # type: ignore[method-assign]
        shown = io.StringIO()
        error.show(shown)  # may quote any characters of the command line
        for line in shown.getvalue().splitlines():
            _print_error(line if translated is None else _translate(line))
        return error.exit_code
    return code if isinstance(code, int) else 0


def _open_streams() -> None:
    """Open closed standard streams on the null device, so that no file opened later takes their place.

    Output is UTF-8 with LF, on a terminal as it shows it; ``PYTHONIOENCODING`` overrides it.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number: this one
    sys.stdin = sys.stdin or open(0, encoding="utf-8")  # noqa: SIM115
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8")  # noqa: SIM115
    codecs.register_error("ppgen", _encode_unprintable)
    for stream, errors in ((sys.stdout, "ppgen"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            if stream.isatty() or os.environ.get("PYTHONIOENCODING"):
                stream.reconfigure(errors=errors)
            else:  # what is redirected to a file is read by ppgen and others, not in the code page of this system
                stream.reconfigure(encoding="utf-8", errors=errors, newline="\n")


def _encode_unprintable(error: UnicodeError) -> tuple[bytes, int]:
    """Replace characters that can't be encoded: surrogates of a file name by their byte, others by ``?``."""
    assert isinstance(error, UnicodeEncodeError)
    bad = error.object[error.start:error.end]
    return bytes(ord(each) - 0xDC00 if "\udc80" <= each <= "\udcff" else ord("?") for each in bad), error.end


def _flush_streams() -> bool:
    """Flush both streams; return whether all output arrived. Python's own flush would end with exit code 120."""
    arrived = True
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:  # a closed pipe is not an error
            _redirect_to_devnull(stream)
        except (OSError, ValueError) as error:
            _redirect_to_devnull(stream)
            _print_error(f"ppgen: {_format('no_output', message=getattr(error, 'strerror', '') or error)}")
            arrived = False
    return arrived


def _redirect_to_devnull(stream: TextIO) -> None:
    null_device = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null_device, stream.fileno())
    os.close(null_device)


def _print_error(line: str) -> None:
    from ppgen.errors import to_one_line

    try:
        print(to_one_line(line), file=sys.stderr, flush=True)
    except (OSError, ValueError):
        _redirect_to_devnull(sys.stderr)


def _translate(message: str) -> str:
    """Translate a message; it stays English if even the texts can't be read now, say for lack of memory."""
    try:
        from ppgen.cli.messages import translate

        return translate(message)
    except BaseException:  # a second interruption, too: the message must not get lost
        return message


def _format(key: str, **values: object) -> str:
    """Format a message in the user's language; only its key and values if the texts can't be read."""
    try:
        from ppgen.errors import Phrase

        return _translate(Phrase(key, **values))
    except BaseException:
        return " ".join((key.replace("_", " "), *map(str, values.values())))


def _save_report() -> str:
    """Write the traceback of the current exception to a temporary file; return its name."""
    import traceback
    from tempfile import NamedTemporaryFile

    try:
        with NamedTemporaryFile("w", encoding="utf-8", errors="backslashreplace", prefix="ppgen-", suffix=".txt",
                                delete=False) as file:
            file.write(traceback.format_exc())
        return file.name
    except OSError:
        return "that could not be written"
