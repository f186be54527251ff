"""Options of printing: what is typed, and what it means."""

import click
import pytest

from ppgen.cli.print_options import BOARD_SCALE
from ppgen.production.request import FIT


@pytest.mark.parametrize(("typed", "scale"), [
    ("75", 0.75), ("75%", 0.75), ("0.75", 0.75), ("10", 0.1), ("200", 2), ("2", 2), ("fit", FIT)])
def test_a_bare_board_scale_from_10_on_is_a_percentage(typed, scale):
    assert BOARD_SCALE.convert(typed, None, None) == scale


@pytest.mark.parametrize("typed", ["9", "3", "201", "5%", "0.05", "nan", "75mm"])
def test_other_board_scales_are_refused(typed):
    with pytest.raises(click.BadParameter):
        BOARD_SCALE.convert(typed, None, None)
