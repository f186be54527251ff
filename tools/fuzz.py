"""Makes spoilt files of every kind, gives them to ppgen, and looks for anything but a result or a clear refusal.

    python tools/fuzz.py                          every reader, a minute each, with new chances
    python tools/fuzz.py game.json --seconds 600  one of them
    python tools/fuzz.py game.json crash-…        one file again

With atheris (``pip install atheris``) it sees what parts of the program an input comes to and goes on from there;
without, it goes by chance alone. It says which, and the seed: the same seed tries the same files by chance. A file
that breaks something is made as small as it goes and kept in the working folder as ``crash-…``: put it, with a name
that says what it did, into ``tests/hostile/corpus/``, where it is tried with every run of the tests.

Wrong is any exception but InputError, a library's crash, more than 10 s of processor time or 4 GB of memory. Who
reads what stands in ``fuzz_readers.py``, how bytes become files in ``fuzz_inputs.py``.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from ppgen.errors import InputError
from tools.fuzz_readers import READERS

PATIENCE_S = 10.0
"""Longer is a fault; generous, as fuzzing makes everything slow."""
HANG_S, MEMORY = 60, 4 * 1024 ** 3
"""Processor time after which an input is given up, and bytes that all of them may take."""


def run(read: Callable[[bytes], None], document: bytes) -> None:
    """Have a file read. Raises whatever comes of it but InputError, and TimeoutError if it takes too long."""
    start = time.process_time()
    try:
        read(document)
    except InputError as error:
        str(error).encode("utf-8")  # a message must be printable
    if (took := time.process_time() - start) > PATIENCE_S:
        raise TimeoutError(f"took {took:.1f} s")


def by_chance(name: str, seed: int) -> Iterator[bytes]:
    """Bytes without end, of which a reader's files are made; the same for the same seed, on every machine."""
    chance = random.Random(f"{name} {seed}")
    while True:
        data = chance.randbytes(chance.choice((12, 40, 90, 200)))
        if not chance.randrange(6):  # what repeats itself: deep and long files, the likeliest to take long
            data = data[:12] + b"\xff" * chance.randrange(3, 14) + data[-8:]
        yield data


def smallest(read: Callable[[bytes], None], document: bytes, seconds: float = 20.0) -> bytes:
    """The file without all that its fault does not need, as far as that is found out in some time."""
    kind, end = _fault(read, document), time.monotonic() + seconds
    step = len(document) // 2
    while step and time.monotonic() < end:
        at = 0
        while at < len(document) and time.monotonic() < end:
            shorter = document[:at] + document[at + step:]
            if _fault(read, shorter) == kind:
                document = shorter
            else:
                at += step
        step //= 2
    return document


def _fault(read: Callable[[bytes], None], document: bytes) -> tuple[str, str, int | None] | None:
    """What a file brings about: the exception and the line that it comes from; None if all is well."""
    try:
        run(read, document)
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return type(error).__name__, last.filename, last.lineno
    return None


class Hunt:
    """One reader's run in a process of its own, which has bounds: the files that broke something are kept."""

    def __init__(self, name: str) -> None:
        self.read, self.make, self.name = READERS[name].read, READERS[name].make, name
        self.found: set[object] = set()
        self.tried = 0
        _limit("RLIMIT_DATA", MEMORY)

    def one(self, data: bytes) -> None:
        document = self.make(data)
        last_of(self.name).write_bytes(document)  # for the day when the process crashes over it
        _limit("RLIMIT_CPU", round(time.process_time()) + HANG_S)
        self.tried += 1
        if (fault := _fault(self.read, document)) and fault not in self.found:
            self.found.add(fault)
            path = kept(self.name, smallest(self.read, document))
            print(f"{self.name}: {' '.join(map(str, fault))}: {path}", flush=True)

    def by_chance(self, seconds: float, seed: int) -> None:
        end = time.process_time() + seconds
        for data in by_chance(self.name, seed):
            self.one(data)
            if time.process_time() > end:
                break

    def guided(self, seconds: int, seed: int) -> None:
        """Does not come back."""
        atheris: Any = import_module("atheris")
        for name, module in list(sys.modules.items()):
            if name.startswith("ppgen."):
                _instrument(atheris, module)
        atheris.Setup([sys.argv[0], f"-max_total_time={seconds}", "-max_len=400", "-verbosity=0",
                       f"-seed={seed or 1}", "-rss_limit_mb=0"], self.one)
        atheris.Fuzz()


def last_of(name: str) -> Path:
    return Path(f".fuzz-{name.replace('/', '-')}")


def kept(name: str, document: bytes) -> Path:
    """Write a file that broke something into the working folder."""
    path = Path(f"crash-{hashlib.sha256(document).hexdigest()[:10]}-{Path(name).name}")
    path.write_bytes(document)
    return path


def hunted(name: str, seconds: int, seed: int) -> bool:
    """Whether a reader, in a process of its own, met with nothing that broke it."""
    before = set(Path().glob("crash-*"))
    done = subprocess.run([sys.executable, __file__, name, "--seconds", str(seconds), "--seed", str(seed), "--here"])
    if done.returncode < 0:
        print(f"{name}: ended by signal {-done.returncode}: {kept(name, last_of(name).read_bytes())}", flush=True)
    elif done.returncode:
        print(f"{name}: ended with {done.returncode}", flush=True)
    last_of(name).unlink(missing_ok=True)
    return not done.returncode and set(Path().glob("crash-*")) == before


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("reader", choices=[*READERS, "all"], nargs="?", default="all", metavar="READER",
                        help=f"one of {', '.join(READERS)}; or all")
    parser.add_argument("file", nargs="?", type=Path, help="a file to read again, instead of new ones")
    parser.add_argument("--seconds", type=int, default=60, help="processor time for each reader")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1, 2 ** 31))
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.file:
        run(READERS[given.reader].read, given.file.read_bytes())
        return 0
    guided = find_spec("atheris") is not None
    if given.here:
        hunt = Hunt(given.reader)
        if guided:
            hunt.guided(given.seconds, given.seed)
        hunt.by_chance(given.seconds, given.seed)
        print(f"{given.reader}: {hunt.tried} files", flush=True)
        return 0
    how = "guided by coverage" if guided else "by chance (atheris is not installed)"
    print(f"{how}, --seed {given.seed}", flush=True)
    names = [*READERS] if given.reader == "all" else [given.reader]
    good = [hunted(name, given.seconds, given.seed) for name in names]
    return 0 if all(good) else 1


def _limit(name: str, value: int) -> None:
    """Bound this process, where the system can."""
    with suppress(ImportError, AttributeError, OSError, ValueError):
        import resource

        kind = getattr(resource, name)
        resource.setrlimit(kind, (value, resource.getrlimit(kind)[1]))


def _instrument(atheris: Any, holder: Any) -> None:
    """Let atheris see which lines of a module's functions an input comes to."""
    for value in list(vars(holder).values()):
        if isinstance(value, type) and isinstance(holder, ModuleType) and value.__module__ == holder.__name__:
            _instrument(atheris, value)
        elif isinstance(value, FunctionType) and value.__module__.startswith("ppgen."):
            atheris.instrument_func(value)


if __name__ == "__main__":
    sys.exit(main())
