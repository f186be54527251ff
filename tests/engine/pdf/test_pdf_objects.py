"""What is mended in a PDF when it is saved, which may hold pages of other programs."""

import io

from pikepdf import Dictionary, Name, Pdf

from ppgen.engine.pdf.typesetting import save_pdf


def test_a_pattern_needs_no_resources_to_be_saved():
    with Pdf.new() as pdf:
        pattern = pdf.make_stream(b"", Type=Name.Pattern, PatternType=1)
        pdf.add_blank_page().Resources = Dictionary(Pattern=Dictionary(P=pattern))
        saved = save_pdf(pdf)
    with Pdf.open(io.BytesIO(saved)) as pdf:
        assert pdf.pages[0].Resources.Pattern.P.PatternType == 1
