"""Plan for correcting a finished PDF without a PDF library: the objects of its pages, as text.

A script appends new page objects and small content streams to the file (an incremental update, ISO 32000-1, 7.5.6), as
a build for that printer would have drawn them: the scale round the whole page, the back's shift and rotation round
faces and cut marks only. Label, crosses and scale bar stay where the paper is.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any

from pikepdf import Dictionary, Name, Object, Pdf

from ppgen.engine.pdf.sheet_pages import FIXED_MARKS

_BOXES = ("/TrimBox", "/BleedBox")


def plan_correction(content: bytes, backs: Sequence[bool]) -> dict[str, Any]:
    """Describe the pages of a PDF of :func:`~ppgen.engine.pdf.assembly.assemble`; ``backs`` says which are backs.

    - ``length``, ``prev``, ``size``, ``trailer``: bytes of the file, offset of its cross-reference stream, number of
      its objects, and what its trailer holds besides.
    - ``marks``: cut marks of backs, each in two parts: those that move with the backs, and those that don't.
    - ``pages``: number of the object, the page without contents and boxes, the contents, the boxes, the paper's width
      and height (pt); of a back the number of its marks.
    """
    (*_, start) = re.findall(rb"startxref\s+(\d+)", content)
    marks: list[tuple[str, str]] = []
    pages = []
    with Pdf.open(io.BytesIO(content)) as pdf:
        trailer = {name: _unparse(pdf.trailer[name]) for name in ("/Root", "/Info", "/ID")}
        for page, is_back in zip(pdf.pages, backs, strict=True):
            faces, drawn, captions = page.obj.Contents.as_list()
            rest = Dictionary({name: value for name, value in page.obj.items() if name not in ("/Contents", *_BOXES)})
            entry = {"object": page.obj.objgen[0], "page": _unparse(rest),
                     "contents": [_unparse(each) for each in (faces, drawn, captions)],
                     "boxes": {name: [float(edge) for edge in page.obj[name].as_list()]
                               for name in _BOXES if name in page.obj},
                     "paper": [float(edge) for edge in page.obj[Name.MediaBox].as_list()[2:]]}
            if is_back:
                moving, _, fixed = drawn.read_bytes().decode("ascii").partition(f"\n{FIXED_MARKS}\n")
                if (split := (f"{moving}\nQ", f"q 0 G\n{FIXED_MARKS}\n{fixed}")) not in marks:
                    marks.append(split)
                entry["marks"] = marks.index(split)
            pages.append(entry)
        return {"length": len(content), "prev": int(start), "size": int(pdf.trailer["/Size"]), "trailer": trailer,
                "marks": marks, "pages": pages}


def _unparse(value: Object) -> str:
    return value.unparse().decode("latin-1")
