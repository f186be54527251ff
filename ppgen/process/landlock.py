"""Landlock: on Linux 5.13 and later, a process that reads files of strangers gives up what it does not need.

It can then write only where its work is, start no program and (Linux 6.7) open no TCP connection, even if a
template breaks out of its sandbox or a library is taken over. Elsewhere nothing happens. Reading stays free: Python
and its libraries read everywhere. Numbers are those of linux/landlock.h, which never change.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # system calls, the same on all processors but Alpha
_VERSION_FLAG, _RULE_PATH_BENEATH, _PR_SET_NO_NEW_PRIVS = 1, 1, 38
_EXECUTE, _WRITE_FILE, _REFER, _TRUNCATE = 1 << 0, 1 << 1, 1 << 13, 1 << 14
_CREATE_AND_REMOVE = sum(1 << bit for bit in range(4, 13))
_BIND_TCP, _CONNECT_TCP = 1, 2
_VERSION_WITH_REFER, _VERSION_WITH_TRUNCATE, _VERSION_WITH_TCP = 2, 3, 4


def restrict_process(writable: Iterable[Path] = (), serves: bool = False, starts: bool = False) -> None:
    """Let this process write only in these folders and to devices, if the system can do that, and its children, too.

    Only one that ``serves`` may open TCP connections, and only one that ``starts`` programs may do that. Call it before
    any thread is started.
    """
    if not sys.platform.startswith("linux"):
        return
    with suppress(OSError, AttributeError):
        version = _call(_CREATE_RULESET, None, 0, _VERSION_FLAG)
        writing = (_WRITE_FILE | _CREATE_AND_REMOVE | (_REFER if version >= _VERSION_WITH_REFER else 0)
                   | (_TRUNCATE if version >= _VERSION_WITH_TRUNCATE else 0))
        tcp = 0 if serves else _BIND_TCP | _CONNECT_TCP
        files = writing if starts else writing | _EXECUTE
        rules = struct.pack("=QQ", files, tcp)[:16 if version >= _VERSION_WITH_TCP else 8]
        ruleset = _call(_CREATE_RULESET, rules, len(rules), 0)
        try:
            for folder in dict.fromkeys(map(_existing_folder, writable)):
                _allow(ruleset, folder, writing)
            _allow(ruleset, Path("/dev"), writing & (_WRITE_FILE | _TRUNCATE))  # the terminal, and null
            _check(ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
            _call(_RESTRICT_SELF, ruleset, 0)
        finally:
            os.close(ruleset)


def _existing_folder(path: Path) -> Path:
    return next(folder for folder in (path.resolve(), *path.resolve().parents) if folder.is_dir())


def _allow(ruleset: int, folder: Path, rights: int) -> None:
    descriptor = os.open(folder, os.O_PATH | os.O_CLOEXEC)
    try:
        _call(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, struct.pack("=Qi", rights, descriptor), 0)
    finally:
        os.close(descriptor)


def _call(number: int, *values: int | bytes | None) -> int:
    """Make a system call. Raises OSError."""
    arguments: Iterable[Any] = (ctypes.c_long(each) if isinstance(each, int) else each for each in values)
    return _check(ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(number), *arguments))


def _check(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
