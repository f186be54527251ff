"""Proofs: what a set is looked through with instead of being printed."""

from ppgen.assets import Assets
from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import A4, Size
from ppgen.production.request import BuildRequest
from ppgen.production.set_build import print_set
from ppgen.production.set_check import TypesetRecord, prove_set
from ppgen.production.workshop import Workshop


def face(words, family="EB Garamond", drawing="<path/>"):
    svg = f'<svg>{drawing}<text x="1" font-family="{family}"><tspan>{words}</tspan></text></svg>'
    return Face(svg=svg, size=Size(9, 9), bleed=0)


def test_only_what_typst_has_not_set_yet_is_fresh():
    known = TypesetRecord()
    assert known.select_new([face("König")]) == [face("König")]
    assert known.select_new([face("Ginkö", drawing="<path/>"), face("König")]) == [face("Ginkö")]
    assert known.select_new([face("König, ") , face("önig", "Cinzel"), face("König", drawing="<rect/>")]) == [
        face("König, "), face("önig", "Cinzel"), face("König", drawing="<rect/>")]
    assert known.select_new([face("nigin"), face("König", drawing="<rect/>")]) == []
    empty = [face("König", drawing=f'<text x="1"/>{shape}') for shape in ("<path/>", "<rect/>")]
    assert known.select_new(empty) == empty


def test_a_proof_asks_for_the_texts_that_a_print_asks_for():
    workshop = Workshop.open(Assets.at(), game="card-game")
    request = BuildRequest(langs=("en",), papers=(A4,), parts=("stones", "score-sheet", "calibration"))
    printed, proven = workshop.texts("en"), workshop.texts("en")
    print_set(request, workshop, printed, A4)
    prove_set(request, workshop, proven, A4, TypesetRecord())
    assert proven.used == printed.used
