"""Fuzzer: gives damaged files of every kind to ppgen and looks for anything but a result or a clear refusal.

    python tools/fuzz.py                          every reader, a minute each, with a new seed
    python tools/fuzz.py game.json --seconds 600  one reader
    python tools/fuzz.py game.json crash-…        one file again

It prints the seed: the same seed makes the same files. A file that breaks something is minimized and saved in the
working folder as ``crash-…``: put it into ``tests/hostile/corpus/``, under a name that describes the fault, so that
every run of the tests tries it.

A fault is any exception except InputError, a crash of a library, more than 10 s of processor time or 4 GB of memory.
The readers are in ``fuzz_readers.py``, the generators of files in ``fuzz_inputs.py``.
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
from pathlib import Path

from ppgen.errors import InputError
from tools.fuzz_readers import READERS

MAX_CPU_S = 10.0
"""More processor time is a fault; generous, as fuzzing slows everything down."""
HANG_S = 60
"""Processor time after which the process is killed."""
MAX_MEMORY_BYTES = 4 * 1024 ** 3


def run(read: Callable[[bytes], None], document: bytes) -> None:
    """Read a file. Raises any exception except InputError, and TimeoutError if it takes too long."""
    start = time.process_time()
    try:
        read(document)
    except InputError as error:
        str(error).encode("utf-8")  # a message must be printable
    if (took := time.process_time() - start) > MAX_CPU_S:
        raise TimeoutError(f"took {took:.1f} s")


def random_inputs(name: str, seed: int) -> Iterator[bytes]:
    """An endless series of bytes for a reader's files; the same for the same seed, on every machine."""
    chance = random.Random(f"{name} {seed}")
    while True:
        data = chance.randbytes(chance.choice((12, 40, 90, 200)))
        if not chance.randrange(6):  # repetitions: deep and long files, the most likely to be slow
            data = data[:12] + b"\xff" * chance.randrange(3, 14) + data[-8:]
        yield data


def minimize(read: Callable[[bytes], None], document: bytes, seconds: float = 20.0) -> bytes:
    """Remove parts that the fault does not need, for at most some seconds."""
    fault, end = _fault(read, document), time.monotonic() + seconds
    step = len(document) // 2
    while step and time.monotonic() < end:
        start = 0
        while start < len(document) and time.monotonic() < end:
            shorter = document[:start] + document[start + step:]
            if _fault(read, shorter) == fault:
                document = shorter
            else:
                start += step
        step //= 2
    return document


def _fault(read: Callable[[bytes], None], document: bytes) -> tuple[str, str, int | None] | None:
    """The exception that a file causes, with the file and line that raise it; None if there is none."""
    try:
        run(read, document)
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return type(error).__name__, last.filename, last.lineno
    return None


def fuzz_here(name: str, seconds: float, seed: int) -> int:
    """Fuzz a reader in this process, with limits; save files that break something. Returns the number of files."""
    read, faults, end = READERS[name].read, set[object](), time.process_time() + seconds
    _limit("RLIMIT_DATA", MAX_MEMORY_BYTES)
    for count, data in enumerate(random_inputs(name, seed), 1):
        document = READERS[name].make(data)
        last_input(name).write_bytes(document)  # in case the process crashes
        _limit("RLIMIT_CPU", round(time.process_time()) + HANG_S)
        if (fault := _fault(read, document)) and fault not in faults:
            faults.add(fault)
            print(f"{name}: {' '.join(map(str, fault))}: {save_crash(name, minimize(read, document))}", flush=True)
        if time.process_time() > end:
            return count
    raise AssertionError("random files never end")


def last_input(name: str) -> Path:
    return Path(f".fuzz-{name.replace('/', '-')}")


def save_crash(name: str, document: bytes) -> Path:
    """Write a file that breaks something into the working folder."""
    path = Path(f"crash-{hashlib.sha256(document).hexdigest()[:10]}-{Path(name).name}")
    path.write_bytes(document)
    return path


def fuzz_reader(name: str, seconds: float, seed: int) -> bool:
    """Fuzz a reader in a process of its own; return whether nothing broke it."""
    before = set(Path().glob("crash-*"))
    done = subprocess.run([sys.executable, __file__, name, "--seconds", str(seconds), "--seed", str(seed), "--here"])
    if done.returncode < 0:
        path = save_crash(name, last_input(name).read_bytes())
        print(f"{name}: ended by signal {-done.returncode}: {path}", flush=True)
    elif done.returncode:
        print(f"{name}: ended with {done.returncode}", flush=True)
    last_input(name).unlink(missing_ok=True)
    return not done.returncode and set(Path().glob("crash-*")) == before


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("reader", choices=[*READERS, "all"], nargs="?", default="all", metavar="READER",
                        help=f"one of {', '.join(READERS)}; or all")
    parser.add_argument("file", nargs="?", type=Path, help="a file to read again, instead of new ones")
    parser.add_argument("--seconds", type=float, default=60, help="processor time for each reader")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1, 2 ** 31))
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.file:
        run(READERS[options.reader].read, options.file.read_bytes())
        return 0
    if options.here:
        print(f"{options.reader}: {fuzz_here(options.reader, options.seconds, options.seed)} files", flush=True)
        return 0
    print(f"--seed {options.seed}", flush=True)
    names = [*READERS] if options.reader == "all" else [options.reader]
    good = [fuzz_reader(name, options.seconds, options.seed) for name in names]
    return 0 if all(good) else 1


def _limit(name: str, value: int) -> None:
    """Limit this process, if the system supports it."""
    with suppress(ImportError, AttributeError, OSError, ValueError):
        import resource

        kind = getattr(resource, name)
        resource.setrlimit(kind, (value, resource.getrlimit(kind)[1]))


if __name__ == "__main__":
    sys.exit(main())
