"""ppgen export scorer: the page and what lies beside it, and the page on the home network."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import urllib.error
import urllib.request

import pytest
from click.testing import CliRunner
from PIL import Image

from ppgen.assets import Assets
from ppgen.cli.program import main
from ppgen.pages.local_server import PageServer


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


@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "code", "told"), [
    (("--lang", "xx"), 2, "'xx' is not a language of the page"),
    (("--game", "chess"), 2, "'chess' is not one of ppgen's games"),
    (("--serve", "--json"), 2, "--json prints one document"),
    (("--port", "80"), 2, "--port is for --serve"),
])
def test_what_is_asked_wrongly_is_told(arguments, code, told, tmp_path):
    done = run(*arguments, "-o", str(tmp_path))
    assert (done.exit_code, told in done.output, list(tmp_path.iterdir())) == (code, True, []), done.output


@pytest.mark.slow
def test_files_of_a_templates_folder_never_run_in_the_page(written, tmp_path):
    """A deck may come from a stranger, and the page shares its origin with the games that a phone keeps."""
    own, shipped = tmp_path / "templates", Assets.at().templates
    shutil.copytree(shipped, own)
    marked = "strange_" + "mark"
    for name, text in {"scorer/script/zz.js": f"const {marked} = 1;\n", "scorer/style/zz.css": f".{marked} {{}}\n",
                       "card_game/scorer/zz.js": f"const {marked}2 = 1;\n"}.items():
        (own / name).write_text(text, encoding="utf-8")
    for name in ("scorer/page.html", "scorer/worker.js"):
        (own / name).write_text((shipped / name).read_text(encoding="utf-8") + f"<!-- {marked} -->", encoding="utf-8")
    done = run("--lang", "ja", "--game", "card-game", "--templates", str(own), "--output", str(tmp_path / "out"))
    assert done.exit_code == 0, done.output
    for path in written[0].iterdir():
        assert (tmp_path / "out" / "scorer" / path.name).read_bytes() == path.read_bytes()


@pytest.fixture
def served():
    """Starts servers of a short page: given(deadline) → address and port on this machine."""
    servers = []

    def serve(*deadline: float) -> tuple[str, int]:
        servers.append(PageServer(b"<!doctype html>", 0, *deadline))
        return "127.0.0.1", int(re.sub(r".*:(\d+)/.*", r"\1", servers[-1].url))

    yield serve
    for server in servers:
        server.close()


def test_nothing_but_the_page_is_served(served):
    host, port = served()
    base = f"http://{host}:{port}"
    with urllib.request.urlopen(f"{base}/kardinal-koenig.html") as answer:
        assert answer.read() == b"<!doctype html>" and answer.headers["Content-Type"] == "text/html; charset=utf-8"
    with urllib.request.urlopen(base) as answer:
        assert answer.url == f"{base}/kardinal-koenig.html"
    for path in ("/kardinal-koenig.html/", "/kardinal-koenig.htm", "/../etc/passwd"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(base + path)


def test_the_page_follows_a_skin_with_its_own_style_and_signs(written, tmp_path):
    done = run("--skin", "manuscript", "--game", "card-game", "--lang", "ja", "--output", str(tmp_path))
    assert done.exit_code == 0, done.output
    page = (tmp_path / "scorer" / "kardinal-koenig.html").read_text(encoding="utf-8")
    usual = (written[0] / "kardinal-koenig.html").read_text(encoding="utf-8")
    assert "--leaf:" in page and "--leaf:" not in usual
    assert "'none' is not a skin" in run("--skin", "none").output
