"""Tables on the web: fetched when a user types an address or presses a button, and never for a deck by itself.

An address in a deck comes from a stranger, and a server may lead on to another: each name is looked up once, and only
that address is connected to. Servers of one's own network are for addresses that a user types.
"""

from __future__ import annotations

import http.client
import ipaddress
import re
import socket
import ssl
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import NamedTuple
from urllib.parse import unquote, urljoin, urlsplit

from ppgen.assets import DECK_FILE
from ppgen.errors import InputError, Problems
from ppgen.reading.fields import read_toml
from ppgen.reading.tables import read_table

SOURCE = "source"  # key of deck.toml: the address that its table was fetched from
MAX_FETCHED_BYTES, MAX_REDIRECTS = 30_000_000, 5
TIMEOUT_S, DEADLINE_S = 15.0, 60.0  # of a step, and of all
MAX_SHOWN_CHANGES = 20
_ADDRESS = re.compile(r"https?:/{1,2}(?=[^/\s])", re.IGNORECASE)
_SHEET = re.compile(r"https://docs\.google\.com/spreadsheets/(?:u/\d+/)?d/(e/)?([\w-]+)(?!.*(?:/export|output=))")
_GID = re.compile(r"[?#&]gid=(\d+)")
_OTHER_DOWNLOADS = (
    (re.compile(r"https://github\.com/([^/]+/[^/]+)/blob/"), r"https://raw.githubusercontent.com/\1/"),
    (re.compile(r"(https://www\.dropbox\.com/.*[?&])dl=0"), r"\1dl=1"))
_TEXT_ENDINGS = (".csv", ".tsv", ".json", ".yaml", ".yml")
_NAME = re.compile(r"[^\w .()-]+")
_NOT_SHARED = "is not shared: the answer is a page to log in, or another web page"
_SHARE = "share the sheet with everybody who has the link, or publish it; or give the address of the file itself"


class Fetched(NamedTuple):
    """A table from the web: the name of its file, and its bytes."""

    name: str
    content: bytes


def is_address(text: str) -> bool:
    """True for ``https://…``, also without one of its slashes, as a path has it."""
    return bool(_ADDRESS.match(text))


def fetch_table(address: str, *, is_typed: bool) -> Fetched:
    """Fetch a table (CSV, TSV, XLSX, ODS, JSON, YAML), also a shared sheet by the address of its page.

    Raises InputError. Only an address that a user ``is_typed`` may be one of the own network, or without TLS there.
    """
    address = _ADDRESS.sub(lambda match: f"{match[0].rstrip('/').lower()}//", address, count=1)
    at, deadline = _find_download(address), time.monotonic() + DEADLINE_S
    for hop in range(MAX_REDIRECTS + 1):
        try:
            url = urlsplit(at)
            port = url.port or (443 if url.scheme == "https" else 80)
        except ValueError as error:
            raise InputError.at(at, f"is not an address: {error}", "check it") from error
        ips = _look_up(url.hostname or "", port, at)
        is_public = all(ipaddress.ip_address(ip.partition("%")[0]).is_global for ip in ips)
        if not (is_public or (is_typed and not hop)):
            raise InputError.at(at, "is an address of your own network", "type it yourself: ppgen fetch --from ADDRESS")
        if url.scheme != "https" and (is_public or hop):
            raise InputError.at(at, "is not an https address", "give one that begins with https://")
        try:
            answer = _ask(at, ips[0], port, deadline)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise InputError.at(at, f"can't be reached: {error}", "check the address and your connection") from error
        if isinstance(answer, Fetched):
            return answer
        at = urljoin(at, answer)
    raise InputError.at(address, "leads from one address to the next", "give that of the file itself")


def _find_download(address: str) -> str:
    """Return the address of the file behind that of a page, as people share it."""
    if sheet := _SHEET.match(address):
        gid = _GID.search(address)
        kind = "csv" if gid else "xlsx"
        path = f"pub?output={kind}" if sheet[1] else f"export?format={kind}"
        one = f"&gid={gid[1]}&single=true" if gid else ""
        return f"https://docs.google.com/spreadsheets/d/{sheet[1] or ''}{sheet[2]}/{path}{one}"
    for pattern, download in _OTHER_DOWNLOADS:
        address = pattern.sub(download, address)
    return address.partition("#")[0]


def _look_up(host: str, port: int, address: str) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM) if host else []
    except (OSError, UnicodeError) as error:
        raise InputError.at(address, f"there is no server '{host}'", "check the address and your connection") from error
    if not found:
        raise InputError.at(address, "names no server", "give an address like https://example.org/cards.csv")
    return [str(each[4][0]) for each in found]


def _ask(address: str, ip: str, port: int, deadline: float) -> Fetched | str:
    """Ask the server at an IP address for a table; return it, or where it leads to. Raises OSError, HTTPException."""
    url = urlsplit(address)
    connection = http.client.HTTPConnection(url.hostname or "", port)
    with closing(connection), ExitStack() as cleanup:
        plain = cleanup.enter_context(socket.create_connection((ip, port), TIMEOUT_S))
        connection.sock = plain  # already connected, to the address that was looked up
        timer = Timer(max(deadline - time.monotonic(), 0), partial(_shut_down, plain))
        cleanup.callback(timer.cancel)
        timer.start()
        if url.scheme == "https":
            connection.sock = cleanup.enter_context(
                ssl.create_default_context().wrap_socket(plain, server_hostname=url.hostname))
        path = f"{url.path or '/'}{f'?{url.query}' if url.query else ''}"
        connection.request("GET", path, headers={"Host": f"{url.hostname}{f':{url.port}' if url.port else ''}",
                                                 "User-Agent": "ppgen", "Accept-Encoding": "identity"})
        response = cleanup.enter_context(connection.getresponse())
        if response.status in (301, 302, 303, 307, 308) and (to := response.getheader("Location")):
            return to
        if response.status in (401, 403):
            raise InputError.at(address, _NOT_SHARED, _SHARE)
        if response.status != 200:
            raise InputError.at(address, f"answers with {response.status} {response.reason}", "check the address")
        content = bytearray()
        while block := response.read1(1 << 16):
            content += block
            if len(content) > MAX_FETCHED_BYTES:
                raise InputError.at(address, f"has more than {MAX_FETCHED_BYTES // 1_000_000} MB", "make it smaller")
        if response.length or time.monotonic() > deadline:
            raise http.client.IncompleteRead(bytes(content))
        name = response.headers.get_filename() or unquote(url.path)
        return Fetched(_file_name(Path(name.replace("\\", "/")), bytes(content), address), bytes(content))


def _shut_down(connection: socket.socket) -> None:
    """End a connection whose time is over: what waits for it gets an error, or the end."""
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def _file_name(path: Path, content: bytes, address: str) -> str:
    """Return a name with the ending of the content. Raises InputError if that is not a table."""
    stem = _NAME.sub("-", path.stem).strip(" .-")[:80] or "table"
    start = content[:400].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"<"):
        raise InputError.at(address, _NOT_SHARED, _SHARE)
    if content.startswith(b"PK\x03\x04"):
        ending = ".ods" if b"opendocument.spreadsheet" in content[:200] else ".xlsx"
    elif not content or b"\0" in content[:4_000] or start.startswith(b"%PDF"):
        raise InputError.at(address, "is not a table", "give the address of a CSV, XLSX, ODS or JSON file")
    else:
        ending = ".json" if start[:1] in (b"{", b"[") else path.suffix.lower()
        ending = ending if ending in _TEXT_ENDINGS else ".csv"
    return f"{stem}{ending}"


# --- Once more ---

class FetchedAgain(NamedTuple):
    """A deck's table as its source has it now, and what is different, a line each."""

    table: Path
    content: bytes
    changes: list[str]


def read_source_address(folder: Path) -> str:
    """Return the address in ``deck.toml``; empty if it has none."""
    return str(read_toml(folder, DECK_FILE, Problems()).raw(SOURCE) or "")


def fetch_again(folder: Path, address: str, *, is_typed: bool) -> FetchedAgain:
    """Fetch the table of the deck in ``folder`` anew; nothing is written. Raises InputError."""
    top = read_toml(folder, DECK_FILE, Problems())
    parts = [top.take_table(key) for key in top if top.is_table(key)]
    name = next((str(part.raw("table")) for part in parts if part.raw("table")), "")
    if not name:
        raise InputError.at(top.source.name, "has no part with a table", 'add one: table = "cards.csv"')
    fetched = fetch_table(address, is_typed=is_typed)
    table, ending = folder / name, Path(fetched.name).suffix
    if table.suffix.lower() != ending:
        raise InputError.at(address, f"is a file of the kind {ending}, the deck's table is {name}",
                            f'write table = "cards{ending}" in {DECK_FILE}, or give another address')
    sheets = [str(part.raw("sheet") or "") for part in parts if part.raw("table") == name]
    return FetchedAgain(table, fetched.content, _list_changes(table, fetched.content, sheets))


def _list_changes(table: Path, content: bytes, sheets: list[str]) -> list[str]:
    """List changed cells, and rows that come and go, by the first cell of their row. Raises InputError."""
    if table.is_file() and table.read_bytes() == content:
        return []
    with TemporaryDirectory() as folder:
        new = Path(folder, table.name)
        new.write_bytes(content)
        changes = [line for sheet in sheets for line in _compare(table, new, sheet)]
    shown = changes[:MAX_SHOWN_CHANGES]
    return [*shown, *([f"and {len(changes) - len(shown)} more"] if len(changes) > len(shown) else [])] or [
        "no cell that is printed"]


def _compare(old: Path, new: Path, sheet: str) -> Iterator[str]:
    before = _rows(old, sheet) if old.is_file() else {}
    after = _rows(new, sheet)
    yield from (f"- {name}" for name, _ in before.keys() - after.keys())
    for key, cells in after.items():
        if key not in before:
            yield f"+ {key[0]}"
            continue
        was = before[key]
        for heading in dict.fromkeys((*was, *cells)):
            if was.get(heading, "") != cells.get(heading, ""):
                yield f"{key[0]}: {heading}: {was.get(heading, '') or '–'} → {cells.get(heading, '') or '–'}"


def _rows(path: Path, sheet: str) -> dict[tuple[str, int], dict[str, str]]:
    """The cells of each row by headings; rows by their first cell, and which of that name they are."""
    problems = Problems()
    table = read_table(path.parent, path.name, problems, sheet)
    problems.raise_if_any()
    seen: Counter[str] = Counter()
    rows = {}
    for row in table.rows:
        name = next((str(cell) for cell in row.cells.values() if cell != ""), "")
        seen[name] += 1
        rows[name, seen[name]] = {table.headings[column]: str(cell) for column, cell in row.cells.items()}
    return rows
