"""What is mended in a PDF: when typst has set it, and when it is saved, with pages of other programs."""

import io

from pikepdf import Dictionary, Name, Pdf

from ppgen.engine.pdf.typesetting import make_printable, save_pdf


def test_a_pattern_needs_no_resources_to_be_saved():
    with Pdf.new() as pdf:
        pattern = pdf.make_stream(b"", Type=Name.Pattern, PatternType=1)
        pdf.add_blank_page().Resources = Dictionary(Pattern=Dictionary(P=pattern))
        saved = save_pdf(pdf)
    with Pdf.open(io.BytesIO(saved)) as pdf:
        assert pdf.pages[0].Resources.Pattern.P.PatternType == 1


def test_numbers_next_to_zero_are_zero_in_all_that_is_drawn_and_nowhere_else():
    near = b"1 0 -0.00000000000000014405 5 cm [0.00000003 3] 0 d (x0.00000003y)Tj"
    zero = b"1 0 0 5 cm [0 3] 0 d (x0.00000003y)Tj"
    for content, written in ((near, zero), (b"0.000001 -0.0000009 10.00000000 m", b"0.000001 0 10.00000000 m")):
        with Pdf.new() as pdf:
            form = pdf.make_stream(content, Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 1, 1])
            pattern, font = pdf.make_stream(content, PatternType=1), pdf.make_stream(content)
            page = pdf.add_blank_page()
            page.Contents = pdf.make_stream(content)
            page.Resources = Dictionary(XObject=Dictionary(F=form), Pattern=Dictionary(P=pattern), Other=font)
            make_printable(pdf)
            document = save_pdf(pdf)
        with Pdf.open(io.BytesIO(document)) as pdf:
            page = pdf.pages[0]
            drawn = page.Contents, page.Resources.XObject.F, page.Resources.Pattern.P
            assert [each.read_bytes() for each in drawn] == [written] * 3
            assert page.Resources.Other.read_bytes() == content
