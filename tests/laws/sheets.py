"""What the laws of sheets share: lengths, what may be asked for, and a count of the examples that make no sheet."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

from hypothesis import reject, strategies as st

from ppgen.engine.geometry import ORIGIN, Format, Point, Rect
from ppgen.engine.imposition.sheets import Backs, Flip, Imposition, Item, Marks, Order, Sheet, SheetSpec
from ppgen.errors import InputError

SLACK = 1e-5
tried: Counter[str] = Counter()
"""Examples of the law that is being looked at: those imposed, and those ``refused``."""


def tenths(least: float, most: float) -> st.SearchStrategy[float]:
    """Lengths in mm, by the tenth."""
    return st.integers(round(least * 10), round(most * 10)).map(lambda number: number / 10)


@st.composite
def specs(draw: st.DrawFn, papers: st.SearchStrategy[Format], **fixed: object) -> SheetSpec:
    margin = draw(tenths(0, 15))
    found = {
        "paper": draw(papers), "bleed": draw(tenths(0, 5)), "margin": margin,
        "least_margin": draw(st.sampled_from([margin, min(margin, 5.0)])),
        "backs": draw(st.sampled_from(Backs)), "flip": draw(st.sampled_from(Flip)),
        "marks": draw(st.sampled_from(Marks)), "order": draw(st.sampled_from(Order)),
        "back_offset": draw(st.one_of(st.just(ORIGIN), st.builds(Point, tenths(-4, 4), tenths(-4, 4)))),
    }
    return SheetSpec(**{**found, **fixed})


def printable(sheet: Sheet, imposition: Imposition) -> Rect:
    margin = imposition.layout.margin
    return Rect(margin, margin, sheet.size.width - 2 * margin, sheet.size.height - 2 * margin)


def impose_or_reject(impose: Callable[..., Imposition], items: Sequence[Item], spec: SheetSpec) -> Imposition:
    """Impose an example, or pass over one that the paper does not bear."""
    try:
        found = _impose(impose, tuple(items), spec)
    except InputError:
        tried["refused"] += 1
        reject()
    tried["imposed"] += 1
    return found


@lru_cache(maxsize=64)
def _impose(impose: Callable[..., Imposition], items: tuple[Item, ...], spec: SheetSpec) -> Imposition:
    return impose(items, spec, "cards")
