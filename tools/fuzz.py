"""Fuzzer: gives damaged files of every kind to ppgen and looks for anything but a result or a clear refusal.

    python tools/fuzz.py                          every reader, a minute each, with a new seed
    python tools/fuzz.py game.json --seconds 600  one reader
    python tools/fuzz.py game.json crash-…        one file again

It prints the seed: the same seed makes the same files. Hypothesis minimizes a file that breaks something; it is saved
in the working folder as ``crash-…``: put it into ``tests/hostile/corpus/``, under a name that describes the fault, so
that every run of the tests tries it.

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
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path

import hypothesis
from hypothesis import HealthCheck, Phase, given, settings

from ppgen.errors import InputError
from tools.fuzz_readers import READERS, Reader

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


def hunt(reader: Reader, examples: int, seed: int, last: Path) -> None:
    """Read random files, the same for a seed. Raises the fault of the smallest file that breaks something, which is
    left as ``last``.
    """
    @hypothesis.seed(seed)
    @settings(max_examples=examples, database=None, deadline=None, derandomize=False, report_multiple_bugs=False,
              print_blob=False, phases=(Phase.generate, Phase.shrink), suppress_health_check=[*HealthCheck])
    @given(reader.files())
    def read(document: bytes) -> None:
        last.write_bytes(document)
        run(reader.read, document)

    read()


def fuzz_here(name: str, seconds: float, seed: int) -> None:
    """Fuzz a reader in this process, with limits, until the time is over or a file breaks something."""
    end = time.process_time() + seconds
    _limit("RLIMIT_DATA", MAX_MEMORY_BYTES)

    def read(document: bytes) -> None:
        _limit("RLIMIT_CPU", round(time.process_time()) + HANG_S)
        READERS[name].read(document)

    for round_seed in count(seed):
        hunt(replace(READERS[name], read=read), 100, round_seed, last_input(name))
        if time.process_time() > end:
            return


def last_input(name: str) -> Path:
    return Path(f".fuzz-{name.replace('/', '-')}")


def fuzz_reader(name: str, seconds: float, seed: int) -> bool:
    """Fuzz a reader in a process of its own; return whether nothing broke it. A file that did stays as ``crash-…``."""
    last = last_input(name)
    done = subprocess.run([sys.executable, __file__, name, "--seconds", str(seconds), "--seed", str(seed), "--here"])
    if done.returncode:
        path = Path(f"crash-{hashlib.sha256(last.read_bytes()).hexdigest()[:10]}-{Path(name).name}")
        path.write_bytes(last.read_bytes())
        how = f"ended by signal {-done.returncode}" if done.returncode < 0 else "broken"
        print(f"{name}: {how}: {path}", flush=True)
    last.unlink(missing_ok=True)
    return not done.returncode


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
        fuzz_here(options.reader, options.seconds, options.seed)
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
