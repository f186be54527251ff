"""The back of a first layout: the same when it is turned round, with its ornament in the middle of the card."""

import csv
import re
from pathlib import Path

import pytest

from ppgen.making.new_deck import deck_from_sheet
from ppgen.making.starters import SheetRequest


@pytest.mark.parametrize(("size", "width", "height"), [
    ("poker", 63.5, 88.9), ("mini-euro", 44, 68), ("100x60mm", 100, 60), ("20x20mm", 20, 20)])
def test_ornament_and_panels_lie_in_the_middle(tmp_path: Path, size: str, width: float, height: float) -> None:
    with (tmp_path / "cards.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("Name", "Text"), ("Ann", "Draw a card."), ("Bob", "Pay a coin.")])
    deck = deck_from_sheet(SheetRequest(sheet=tmp_path / "cards.csv", title="Mine", size=size))
    back = deck.files["back.svg.j2"].decode()
    (ground,) = re.findall(r'<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)"[^>]*fill="url\(#ornament\)"', back)
    x, y, across, down = map(float, ground)
    assert (2 * x + across, 2 * y + down) == pytest.approx((width, height), abs=0.01)
    for x, y, across, down in re.findall(r"panel\(x=([\d.]+), y=([\d.]+), width=([\d.]+), height=([\d.]+)", back):
        assert (2 * float(x) + float(across), 2 * float(y) + float(down)) == pytest.approx((width, height), abs=0.06)
