"""ppgen export scorer: the page and what lies beside it, and the page on the home network."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import urllib.error
import urllib.request

import pytest
from click.testing import CliRunner
from PIL import Image

from ppgen.cli.program import main
from ppgen.export.scorer.serving import PageServer


def run(*arguments: str):
    return CliRunner().invoke(main, ["export", "scorer", *arguments])


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("written")
    done = run("--lang", "ja", "--game", "card-game", "--output", str(folder), "--json")
    assert done.exit_code == 0, done.output
    return folder / "scorer", json.loads(done.stdout)


def test_the_page_and_what_web_space_needs_are_written(written):
    folder, told = written
    names = ["kardinal-koenig.html", "manifest.webmanifest", "worker.js", "icon-192.png", "icon-512.png"]
    assert [file["path"].rpartition("/")[2] for file in told["files"]] == names
    for name, file in zip(names, told["files"], strict=True):
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == file["sha256"]
    manifest = json.loads((folder / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert manifest["start_url"] == names[0]
    for icon in manifest["icons"]:
        with Image.open(folder / icon["src"]) as picture:
            assert icon["sizes"] == f"{picture.width}x{picture.height}"
    kept = re.search(r"FILES = (\[.*?\])", (folder / "worker.js").read_text(encoding="utf-8"))
    assert kept and set(json.loads(kept[1])) == {*names} - {"worker.js"}


def test_the_page_opens_in_the_language_asked_for_and_runs_only_what_it_holds(written):
    page = (written[0] / "kardinal-koenig.html").read_text(encoding="utf-8")
    assert '<html lang="ja" data-first="ja"' in page
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy and "unsafe" not in policy[1] and policy[1].startswith("default-src &#x27;none&#x27;;")
    for kind in ("script", "style"):
        (content,) = re.findall(rf"<{kind}>(.*?)</{kind}>", page, re.DOTALL)
        assert f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}" in policy[1]
    assert not re.search(r"\son\w+=|\sstyle=", re.sub(r"<(script|style).*?</\1>", "", page, flags=re.DOTALL))
    assert not re.search(r"https?://(?!www\.w3\.org/)", page)


def test_the_same_page_has_the_same_bytes(written, tmp_path):
    assert run("-l", "ja", "--game", "card-game", "-o", str(tmp_path), "-q").output == ""
    for path in written[0].iterdir():
        assert (tmp_path / "scorer" / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize(("arguments", "code", "told"), [
    (("--lang", "xx"), 2, "'xx' is not a language of the page"),
    (("--game", "chess"), 2, "'chess' is no game"),
    (("--serve", "--json"), 2, "--json prints one document"),
    (("--port", "80"), 2, "--port is for --serve"),
])
def test_what_is_asked_wrongly_is_told(arguments, code, told, tmp_path):
    done = run(*arguments, "-o", str(tmp_path))
    assert (done.exit_code, told in done.output, list(tmp_path.iterdir())) == (code, True, []), done.output


def test_nothing_but_the_page_is_served():
    server = PageServer(b"<!doctype html>", 0)
    try:
        address = re.sub(r"//[^:/]+:", "//127.0.0.1:", server.url)
        with urllib.request.urlopen(address) as answer:
            assert answer.read() == b"<!doctype html>" and answer.headers["Content-Type"] == "text/html; charset=utf-8"
        base = address.rsplit("/", 2)[0]
        for path in ("/", "/kardinal-koenig.html", address.removeprefix(base) + "x", "/../etc/passwd"):
            with pytest.raises(urllib.error.HTTPError, match="404"):
                urllib.request.urlopen(base + path)
    finally:
        server.close()
    other = PageServer(b"", 0)
    other.close()
    assert other.url.rsplit("/", 2)[1] != address.rsplit("/", 2)[1]


def test_the_address_is_shown_as_a_qr_code():
    segno = pytest.importorskip("segno")
    from ppgen.export.scorer.serving import qr_code

    shown = qr_code("http://192.168.1.20:8418/abcdefgh/")
    code = segno.make("http://192.168.1.20:8418/abcdefgh/", error="m", micro=False)
    drawn = io.StringIO()
    code.terminal(out=drawn, border=2, compact=True)
    assert shown == drawn.getvalue() and len(shown.splitlines()) < 24
