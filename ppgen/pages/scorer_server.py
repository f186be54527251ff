"""Server of the scorer page for phones on the home network."""

from __future__ import annotations

import io
import socket
from typing import ClassVar

from ppgen.pages.local_server import ALL_NETWORKS, Answer, LocalServer
from ppgen.pages.scorer_page import SHIPPED

USUAL_PORT = 8418  # always tried first: what a phone stores for the page belongs to host and port
DEADLINE_S = 20.0


class PageServer(LocalServer):
    """Serves a page on all networks of this machine.

    Its path is always that of the game, so that bookmarks last. It need not be secret: the page has no data of its
    user, and pages of other addresses can't read what a phone stores for it.
    """

    host = ALL_NETWORKS
    usual_port = USUAL_PORT
    max_connections_per_address = 8
    headers: ClassVar = {"X-Frame-Options": "DENY"}

    def __init__(self, page: bytes, port: int | None = None, deadline_s: float = DEADLINE_S,
                 name: str = SHIPPED) -> None:
        self.deadline_s, self.path = deadline_s, f"/{name}.html"
        answer = Answer(content=page, kind="text/html; charset=utf-8")
        super().__init__({self.path: answer}.get, port)

    @property
    def url(self) -> str:
        return f"http://{home_address()}:{self.server_port}{self.path}"


def home_address() -> str:
    """Return this machine's address on its network, or the loopback address without one. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address (RFC 5737): only selects the route
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def qr_code(address: str) -> str:
    """Return an address as a QR code in terminal characters."""
    import segno  # imported only to serve

    drawn = io.StringIO()
    segno.make(address, error="m", micro=False).terminal(out=drawn, border=2, compact=True)
    return drawn.getvalue()
