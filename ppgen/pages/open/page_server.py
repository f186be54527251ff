"""Server of the live page, and the file that leads a browser to it."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from html import escape
from pathlib import Path
from typing import ClassVar

from ppgen.pages.local_server import LOOPBACK, Answer, LocalServer
from ppgen.pages.open.live_page import LivePage
from ppgen.pages.open.sheet_page import SheetPage

DEFAULT_PORT = 8417  # always tried first, so that an open page finds the server again
POLICY = ("default-src 'none'; img-src 'self' blob:; style-src 'self'; script-src 'self'; "
          "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")


class PreviewServer(LocalServer):
    """Serves a page on the loopback interface. If that can act it has a token, new at each start."""

    host = LOOPBACK
    usual_port = DEFAULT_PORT
    deadline_s = 120.0
    headers: ClassVar = {"Content-Security-Policy": POLICY, "Cross-Origin-Resource-Policy": "same-origin",
                         "Cross-Origin-Opener-Policy": "same-origin"}

    def __init__(self, page: LivePage | SheetPage, port: int | None = None) -> None:
        self.page = page
        """May be replaced by the next one, for which the token holds, too."""
        if page.can_act:
            self.token = secrets.token_urlsafe(18)
        super().__init__(lambda path: self.page.answer(path), port)

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.server_port}/"

    @property
    def own_url(self) -> str:
        """The address with the token, which browsers don't send and servers don't log."""
        return f"{self.url}#{self.token}" if self.token else self.url

    def act(self, path: str, wish: Mapping[str, object]) -> Answer | None:
        return self.page.act(path, wish)

    def close(self) -> None:
        self.shutdown()
        self.page.close()
        self.server_close()


_FORWARD = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>ppgen</title>
<meta http-equiv="refresh" content="0; url={address}">
<p><a href="{address}">ppgen</a></p></html>
"""


@contextmanager
def forwarding_file(address: str, folder: Path) -> Iterator[Path]:
    """A file that only its owner may read and that leads a browser to an address, until the block ends.

    The arguments of programs, a browser's too, are public on most systems, and the address has the token. The file lies
    in a folder of the user: browsers in a sandbox (snaps) don't see the system's temporary folder. Raises OSError.
    """
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=folder, prefix="open-", suffix=".html")  # with mode 600
    path = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(_FORWARD.format(address=escape(address)))
        yield path
    finally:
        with suppress(OSError):
            path.unlink()
        if is_new:
            with suppress(OSError):  # something has been written there
                folder.rmdir()
