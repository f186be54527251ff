"""Tables as spreadsheet programs save them: headings, numbers, sheets and the limits for files of strangers."""

import io
import json
import os
import pickle
import re
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from ppgen.engine.drawing.sandbox import Sandbox
from ppgen.errors import Problems
from ppgen.reading.fields import MAX_COLUMNS, MAX_ROWS, write_csv
from ppgen.reading.tables import Table, column_name, read_table
from ppgen.reading.workbooks import MAX_UNPACKED_BYTES, format_number

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="Windows lets administrators make links")


def table_of(folder: Path, content: str | bytes, name: str = "cards.csv", sheet: str = "",
             langs: tuple[str, ...] = ()) -> tuple[Table, list[str]]:
    """The table of a file, and all problems and notes of it."""
    data = content.encode() if isinstance(content, str) else content
    (folder / name).write_bytes(data)
    problems = Problems()
    table = read_table(folder, name, problems, sheet, langs)
    return table, [str(each).replace(f"{folder}{os.sep}", "") for each in (*problems, *table.notes)]


def workbook(**sheets: list[list[object]]) -> bytes:
    """The bytes of an XLSX with these sheets; texts, numbers, and cells as they are written there."""
    def cell(value: object) -> str:
        if isinstance(value, int | float):
            return f"<c><v>{value}</v></c>"
        if value.startswith("<c "):
            return value
        return f'<c t="inlineStr"><is><t xml:space="preserve">{value}</t></is></c>' if value else "<c/>"

    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    files = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"/>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r" '
                       f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>' + "".join(
            f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"/>' for n, name in enumerate(sheets, 1))
                           + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">' + "".join(
            f'<Relationship Id="r{n}" Type="{office}/worksheet" Target="worksheets/sheet{n}.xml"/>'
            for n in range(1, len(sheets) + 1)) + "</Relationships>",
        **{f"xl/worksheets/sheet{n}.xml": f'<worksheet xmlns="{main}"><sheetData>' + "".join(
            f'<row r="{number}">{"".join(map(cell, row))}</row>' for number, row in enumerate(rows, 1))
            + "</sheetData></worksheet>" for n, rows in enumerate(sheets.values(), 1)}}
    return packed(files)


def packed(files: dict[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return stream.getvalue()


def unpacked(content: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


PAGES = {"xlsx": lambda sheet: packed({name: text.replace("<sheetData></sheetData>", sheet) for name, text in unpacked(
             workbook(Cards=[])).items()}),
         "ods": lambda content: packed({"content.xml": content}), "mse-set": lambda text: packed({"set": text})}


@given(st.text(max_size=30))
def test_any_heading_becomes_an_identifier_or_nothing(heading):
    name = column_name(heading)
    assert not name or name.isidentifier()


@pytest.mark.parametrize(("content", "encoding"), [
    ("Name,Cost\nÖl,3\n", "utf-8"), ("Name;Cost\nÖl;3\n", "utf-8-sig"), ("Name\tCost\r\nÖl\t3\r\n", "utf-16"),
    ('"Name; or title",Cost\nÖl,3\n', "utf-8")])
def test_separators_and_encodings_are_found(tmp_path, content, encoding):
    table, said = table_of(tmp_path, content.encode(encoding))
    assert ([*table.rows[0].cells.values()], said) == (["Öl", 3], [])


def test_a_column_is_numbers_if_all_its_filled_cells_are_numbers(golden_cases, tmp_path):
    def answer(cells):
        table, _ = table_of(tmp_path, "a;b\n" + "".join(f"x;{cell}\n" for cell in cells.split("\n")))
        values = [row.cells["b"] for row in table.rows]
        assert ("b" in table.numbers) == any(not isinstance(value, str) for value in values)
        yield values

    golden_cases("number-columns", answer)


numbers_as_written = st.builds("{}{}{}{}".format, st.sampled_from(["", "+", "-"]), st.integers(0, 9999),
                               st.sampled_from("., "), st.text("0123456789", max_size=4)).map(str.strip)
cells_as_written = st.lists(st.one_of(numbers_as_written, st.sampled_from(["", "007", "1e5", "½", "-", "1,250.50"])),
                            min_size=1, max_size=6)


@settings(max_examples=25)
@given(cells=cells_as_written, separator=st.sampled_from(",;\t"))
def test_a_cell_of_any_table_prints_as_it_is_written_and_counts_as_its_number(tmp_path_factory, cells, separator):
    folder = tmp_path_factory.mktemp("tables")
    text = write_csv([("name", "value"), *((f"n{n}", cell) for n, cell in enumerate(cells))], separator)
    xlsx = workbook(Cards=[["name", "value"], *([f"n{n}", cell] for n, cell in enumerate(cells))])
    ods = "".join(f"<t:table-row>{''.join(row)}</t:table-row>" for row in [
        [f"<t:table-cell><x:p>{words}</x:p></t:table-cell>" for words in ("name", "value")],
        *([f"<t:table-cell><x:p>n{n}</x:p></t:table-cell>",
           f'<t:table-cell t:value-type="float" t:value="{float(cell)}"><x:p>{cell}</x:p></t:table-cell>'
           if re.fullmatch(r"[+-]?[0-9]+(\.[0-9]*)?", cell) else f"<t:table-cell><x:p>{cell}</x:p></t:table-cell>"]
          for n, cell in enumerate(cells))])
    ods = f'<o xmlns:t="table" xmlns:x="text"><t:table t:name="Cards">{ods}</t:table></o>'
    for content, name in ((text, "cards.csv"), (xlsx, "cards.xlsx"), (packed({"content.xml": ods}), "cards.ods")):
        values = [row.cells["value"] for row in table_of(folder, content, name)[0].rows]
        assert [sandbox_print(value) for value in values] == cells
        assert pickle.loads(pickle.dumps(values)) == values
        for value, cell in zip(values, cells, strict=True):
            if not isinstance(value, str):
                assert value + 0 == float(cell.replace(",", "."))
                assert type(value + 0) in (int, float)


def sandbox_print(value: object) -> str:
    """What ``{{ value }}`` prints in a stranger's template, after the value has gone to the supervised child."""
    sandbox = Sandbox(lambda name: ("{{ value }}", name, None))
    return sandbox.get_template("face").render(value=pickle.loads(pickle.dumps(value)))


@pytest.mark.parametrize("name", ["tables", "files"])
def test_tables_are_read_as_they_were(golden_cases, tmp_path, name):
    """Of a CSV table, or of a file whose name and sheet stand first; a workbook is packed of its page."""
    def answer(text):
        first, _, content = text.partition("\n") if name == "files" else ("cards.csv", "", text)
        file, _, sheet = first.partition(" ")
        inside = PAGES.get(file.rpartition(".")[2])
        table, said = table_of(tmp_path, inside(content) if inside else f"{content}\n", file, sheet, ("de", "en"))
        yield from (f"{table.line} {column}: {heading}{' #' * (column in table.numbers)}"
                    for column, heading in table.headings.items())
        yield from (f"{row.line} {[*row.cells.values()]}" for row in table.rows)
        yield from said

    golden_cases(name, answer)


def test_numbers_look_as_their_formats_say_still(golden_cases):
    def answer(text):
        value, _, code = text.partition(" ")
        yield format_number(float(value) if "." in value else int(value), code)

    golden_cases("number-formats", answer)


def test_a_hidden_sheet_is_read_by_its_name_only(tmp_path):
    content = workbook(Old=[["Name"], ["Ant"]], Cards=[["Name"], ["Bee"]])
    files = unpacked(content)
    files["xl/workbook.xml"] = files["xl/workbook.xml"].replace("<sheet ", '<sheet state="hidden" ', 1)
    read = [table_of(tmp_path, packed(files), "cards.xlsx", sheet)[0].rows[0].cells["name"] for sheet in ("", "Old")]
    assert read == ["Bee", "Ant"]


json_numbers = numbers_as_written.filter(re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?").fullmatch)
records = st.lists(min_size=1, max_size=5, elements=st.fixed_dictionaries(
    {"name": st.text("abz é:-#'*", min_size=1, max_size=8).map(str.strip).filter(bool)},
    optional={"cost": json_numbers}))


@given(cards=records)
@settings(max_examples=20)
def test_objects_of_json_and_yaml_are_rows_that_print_as_they_are_written(tmp_path_factory, cards):
    folder = tmp_path_factory.mktemp("tables")
    text = "[" + ", ".join("{" + ", ".join(f'"{key}": {json.dumps(value) if key == "name" else value}'
                                           for key, value in card.items()) + "}" for card in cards) + "]"
    for name in ("cards.json", "cards.yaml", "cards.csv"):
        table, said = table_of(folder, text, name)
        assert [{key: str(cell) for key, cell in row.cells.items() if cell != ""} for row in table.rows] == cards, said


@pytest.mark.parametrize(("name", "content", "said"), [
    ("a.yaml", "- " * 5000 + "x", "nested too deep"), ("a.json", "[" * 100_000, "nested too deep"),
    ("a.json", "[" + ",".join(f'{{"k{n}": 1}}' for n in range(700)) + "]", "more than 400,000 cells")])
def test_files_of_records_are_bounded(tmp_path, name, content, said):
    table, problems = table_of(tmp_path, content, name)
    assert said in "\n".join(problems) and len(problems) == 1 and not table.rows


@pytest.mark.parametrize(("content", "said"), [
    (b"", "is empty"), ("Name\nÜ\n".encode("latin-1"), "cards.csv:2: is not UTF-8 text"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is a workbook of an old kind (save it as XLSX or CSV)"),
    (b"a\nx\x07\n", "cards.csv:2: holds a control"), (b"PK\x03\x04rubbish", "is not a workbook that can be read"),
    (b"a\n" + b"x" * 20_001, "cards.csv:2: has a cell of more than 20000 characters"),
    (b"a\n" + b"1\n" * (MAX_ROWS + 1), "20,001 rows"), (b"a," * MAX_COLUMNS + b"a\n" + b"1,", "201 columns"),
    (packed({"xl/workbook.bin": ""}), "is a binary workbook (save it as XLSX or CSV)"),
    (lambda: packed({"xl/workbook.xml": "0" * (MAX_UNPACKED_BYTES + 1)}), "is larger than 100 MB when unpacked")])
def test_every_fault_of_a_file_is_told(tmp_path, content, said):
    _, problems = table_of(tmp_path, content() if callable(content) else content)
    assert said in "\n".join(problems)


@needs_links
def test_tables_outside_the_folder_are_not_read(tmp_path):
    (tmp_path / "deck").mkdir()
    (tmp_path / "secret.csv").write_text("a\n1\n")
    (tmp_path / "deck" / "link.csv").symlink_to(tmp_path / "secret.csv")
    for name in ("../secret.csv", "link.csv"):
        problems = Problems()
        assert read_table(tmp_path / "deck", name, problems).rows == ()
        assert "lies outside the folder" in str(problems[0])
