"""A language of a site is taken from the folder of the earlier one only if it would be made of the same."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from ppgen.assets import Assets, shipped_root
from ppgen.cache import open_cache
from ppgen.engine.geometry import A4
from ppgen.engine.imposition.sheets import Backs
from ppgen.export.site_choices import SitePreset
from ppgen.export.site_memory import LanguageSite, language_key, recall, remember
from ppgen.production.request import BuildRequest
from ppgen.production.workshop import Workshop

REQUEST = BuildRequest(langs=("de",), papers=(A4,))
MADE = LanguageSite(files={"de/index.html": b"<p>", "files/de/cards.pdf": b"%PDF"},
                    entries=[{"path": "files/de/cards.pdf"}])
DIGESTS = {path: hashlib.sha256(content).hexdigest() for path, content in MADE.files.items()}


@pytest.fixture(scope="module")
def workshop() -> Workshop:
    return Workshop.open(Assets.at(), game="card-game")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for path, content in MADE.files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    return tmp_path


def test_a_language_is_as_it_was(site, workshop):
    with open_cache(site.parent / "kept"):
        key = language_key([(workshop, REQUEST)], [], "de")
        assert recall(key, site) is None
        remember(key, DIGESTS, MADE.entries)
        assert recall(key, site) == MADE


@pytest.mark.parametrize("path", MADE.files)
@pytest.mark.parametrize("spoil", [Path.unlink, lambda path: path.write_bytes(b"other")], ids=["gone", "changed"])
def test_a_file_that_is_gone_or_changed_is_made_anew(site, workshop, path, spoil):
    with open_cache(site.parent / "kept"):
        key = language_key([(workshop, REQUEST)], [], "de")
        remember(key, DIGESTS, MADE.entries)
        spoil(site / path)
        assert recall(key, site) is None


def test_whatever_changes_the_files_changes_the_key(tmp_path, workshop):
    preset = SitePreset(name="nice", workshop=workshop, request=REQUEST, description="")
    with open_cache(tmp_path):
        keys = [language_key(*inputs) for inputs in (
            ([(workshop, REQUEST)], [], "de"), ([(workshop, REQUEST)], [], "fr"),
            ([(workshop, replace(REQUEST, backs=Backs.NONE))], [], "de"), ([(workshop, REQUEST)], [preset], "de"),
            ([(workshop, REQUEST)], [replace(preset, name="good")], "de"),
            ([(Workshop.open(Assets.at(), game="board-game"), REQUEST)], [], "de"))]
    assert None not in keys
    assert len(set(keys)) == len(keys)


def test_data_and_templates_of_ones_own_have_none(tmp_path, workshop):
    own = replace(workshop, assets=Assets.at(shipped_root() / "data" / "starters" / "plain"))
    with open_cache(tmp_path):
        assert language_key([(own, REQUEST)], [], "de") is None
