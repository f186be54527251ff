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


def test_tables_are_read_as_they_were(golden_cases, tmp_path):
    def answer(text):
        table, said = table_of(tmp_path, f"{text}\n", langs=("de", "en"))
        yield from (f"{table.line} {column}: {heading}{' #' * (column in table.numbers)}"
                    for column, heading in table.headings.items())
        yield from (f"{row.line} {[*row.cells.values()]}" for row in table.rows)
        yield from said

    golden_cases("tables", answer)


def test_a_workbook_gives_texts_and_numbers_with_its_rows(tmp_path):
    content = workbook(Cards=[["Flavour Text", "Cost", "Code"], ["Boo", 3.0, "007"], [], ["“Ha”", 2.5, "x"]])
    table, said = table_of(tmp_path, content, "cards.xlsx")
    assert [(row.line, *row.cells.values()) for row in table.rows] == [(2, "Boo", 3, "007"), (4, "“Ha”", 2.5, "x")]
    assert said == []
    assert table_of(tmp_path, content, "cards.csv")[0].rows == table.rows  # its name does not matter


def test_numbers_look_as_their_formats_say_still(golden_cases):
    def answer(text):
        value, _, code = text.partition(" ")
        yield format_number(float(value) if "." in value else int(value), code)

    golden_cases("number-formats", answer)


def test_a_workbook_says_what_it_shows(tmp_path):
    bold = '<c t="inlineStr"><is><r><t>Pay </t></r><r><rPr><b/></rPr><t>two </t></r><r><t>coins</t></r></is></c>'
    content = workbook(Cards=[
        ["Name", "Kind", "Text", "Secret"], ["Ant", "Insect", bold], ["Bee", "", '<c r="C3"><f>1</f></c>', "Stings"],
        ["Cat", "Mammal", "Purrs"], ["Dog", "Mammal", "Barks"], ["Emu", "Bird", '<c t="e" r="C6"><v>#N/A</v></c>']])
    files = unpacked(content)
    sheet = files["xl/worksheets/sheet1.xml"].replace('<row r="4">', '<row r="4" hidden="1">').replace(
        "</sheetData>", '</sheetData><mergeCells><mergeCell ref="B2:B3"/></mergeCells>').replace(
        "<sheetData>", '<cols><col min="4" max="99" hidden="1"/></cols><sheetData>')
    table, notes = table_of(tmp_path, packed({**files, "xl/worksheets/sheet1.xml": sheet}), "cards.xlsx")
    assert [[*row.cells.values()] for row in table.rows] == [
        ["Ant", "Insect", "Pay **two** coins"], ["Bee", "Insect", ""], ["Dog", "Mammal", "Barks"], ["Emu", "Bird", ""]]
    assert [note.partition(" (")[0] for note in notes] == [
        "cards.xlsx:4: hidden rows, left out: 4", "cards.xlsx:1: hidden columns, left out: Secret",
        "cards.xlsx:3: formulas without a value in rows: 3, 6"]


def test_a_hidden_sheet_is_read_by_its_name_only(tmp_path):
    content = workbook(Old=[["Name"], ["Ant"]], Cards=[["Name"], ["Bee"]])
    files = unpacked(content)
    files["xl/workbook.xml"] = files["xl/workbook.xml"].replace("<sheet ", '<sheet state="hidden" ', 1)
    read = [table_of(tmp_path, packed(files), "cards.xlsx", sheet)[0].rows[0].cells["name"] for sheet in ("", "Old")]
    assert read == ["Bee", "Ant"]


def test_an_ods_file_says_what_it_shows(tmp_path):
    def cell(words: str, **attributes: str) -> str:
        looks = " ".join(f"t:{key}={value!r}" for key, value in attributes.items())
        return f"<t:table-cell {looks}>{words}</t:table-cell>"

    def text(words: str, **attributes: str) -> str:
        return cell(f"<x:p>{words}</x:p>", **{"value-type": "string"} | attributes)

    rows = [
        ("", [*map(text, ("Name", "Kind", "Share", "Cost", "Secret", "Flies", "Since", "Text"))]),
        ("", [text("Ant"), text("Insect", **{"number-rows-spanned": "2"}),
              text("25 %", **{"value-type": "percentage", "value": "0.25"}),
              text("1.250,50", **{"value-type": "float", "value": "1250.5"}), text("x"),
              text("WAHR", **{"value-type": "boolean", "boolean-value": "true"}),
              text("Mär 2026", **{"value-type": "date", "date-value": "2026-03-01"}),
              text('Pay<x:s/><x:span x:style-name="T1">two</x:span> coins</x:p><x:p>or<x:line-break/>run')]),
        ("", [text("Bee"), "<t:covered-table-cell/>", cell("", formula="of:=1"),
              cell("", **{"number-columns-repeated": "2"}),
              text("FALSCH", **{"value-type": "boolean", "boolean-value": "false"}),
              text("Mai 2026", **{"value-type": "date"}), text("#N/A", **{"value-type": "error"})]),
        ('t:visibility="filter" t:number-rows-repeated="3"', [text("Cat")]),
        ('t:number-rows-repeated="2"', [
            text("Dog"), cell("", **{"number-columns-repeated": "6"}), text("a<x:s x:c='2'/>b")]),
        ("", [cell("<d:frame><d:image/></d:frame>")]), ('t:number-rows-repeated="1000000"', [cell("")])]
    content = ('<o xmlns:t="table" xmlns:x="text" xmlns:d="draw"><x:style x:name="T1"><x:text-properties '
               'x:font-weight="bold"/></x:style><x:style x:name="H"><t:table-properties t:display="false"/></x:style>'
               f'<t:table t:name="Old" t:style-name="H"><t:table-row>{text("Old")}</t:table-row></t:table>'
               '<t:table t:name="Cards" t:style-name="C"><t:table-column t:number-columns-repeated="4"/>'
               '<t:table-column t:visibility="collapse"/><t:table-column/>' + "".join(
                   f"<t:table-row {look}>{''.join(cells)}</t:table-row>" for look, cells in rows) + "</t:table></o>")
    table, notes = table_of(tmp_path, packed({"content.xml": content}), "cards.ods")
    assert [[*row.cells.values()] for row in table.rows] == [
        ["Ant", "Insect", "25 %", 1250.5, "✓", "Mär 2026", "Pay **two** coins\nor\nrun"],
        ["Bee", "Insect", "", "", "✗", "Mai 2026", ""], *[["Dog", "", "", "", "", "", "a  b"]] * 2]
    assert [note.partition(" (")[0] for note in notes] == [
        "cards.ods:4: hidden rows, left out: 4, 5, 6", "cards.ods:1: hidden columns, left out: Secret",
        "cards.ods:9: pictures in rows, left out: 9", "cards.ods:3: formulas without a value in rows: 3"]


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


def test_the_shapes_of_records(tmp_path):
    def rows(text: str, name: str, sheet: str = "") -> list[list[str]]:
        table, said = table_of(tmp_path, text, name, sheet)
        assert not said
        return [[*table.headings.values()], *([*map(str, row.cells.values())] for row in table.rows)]

    assert rows('{"Ant": {"cost": 1.50, "flies": true}, "Bee": {"cost": null}}', "a.json") == [
        ["name", "cost", "flies"], ["Ant", "1.50", "✓"], ["Bee", "", ""]]
    assert rows('{"ant": {"Title": "Ant"}}', "a.json") == [["id", "Title"], ["ant", "Ant"]]
    assert rows('{"v": 1, "cards": [{"name": "Ant", "stats": {"hp": 3}, "tags": ["a", 2]}]}', "a.json") == [
        ["name", "stats hp", "tags"], ["Ant", "3", "a, 2"]]
    assert rows('{"a": [{"x": 1}], "b": [{"x": "two"}]}', "a.json", "b") == [["x"], ["two"]]
    assert rows("- name: Ant\n  text: |\n    One.\n    Two.\n- {name: Bee, text: ~}\n", "a.yml") == [
        ["name", "text"], ["Ant", "One.\nTwo."], ["Bee", ""]]
    cider = {"formatName": "dexie", "data": {"databaseName": "cider", "data": [
        {"tableName": "decks", "rows": [{"id": 1, "name": "Sea"}]},
        {"tableName": "cards", "rows": [{"id": 1, "name": "Orc", "cost": "+1", "count": 3}]}]}}
    assert rows(json.dumps(cider), "a.json", "cards") == [["id", "name", "cost", "count"], ["1", "Orc", "+1", "3"]]
    mse = ("mse version: 2.0\nstyling:\n\tx: y\ncard:\n\ttime created: now\n\tname: Ant\n\trule text:\n"
           "\t\t<b>Run</b> <sym>T</sym>.\n\t\tRest.\n\timage: image1\n"
           "card:\n\tname: Bee\n\trule text: <i-flavor></i-flavor>\n")
    (tmp_path / "a.mse-set").write_bytes(packed({"set": mse}))
    table = read_table(tmp_path, "a.mse-set", Problems())
    assert [[*row.cells.values()] for row in table.rows] == [
        ["Ant", "**Run** T.\nRest.", "image1.png"], ["Bee", "", ""]]


def test_files_of_other_programs_say_what_they_are(golden_cases, tmp_path):
    def answer(text):
        name, _, content = text.partition("\n")
        table, problems = table_of(tmp_path, f"{content}\n", name)
        assert not table.rows
        yield from problems

    golden_cases("other-programs", answer)


@pytest.mark.parametrize(("name", "content", "said"), [
    ("a.yaml", "- " * 5000 + "x", "nested too deep"), ("a.json", "[" * 100_000, "nested too deep"),
    ("a.json", "[" + ",".join(f'{{"k{n}": 1}}' for n in range(700)) + "]", "more than 400,000 cells")])
def test_files_of_records_are_bounded(tmp_path, name, content, said):
    table, problems = table_of(tmp_path, content, name)
    assert said in "\n".join(problems) and len(problems) == 1 and not table.rows


@pytest.mark.parametrize(("content", "said"), [
    (b"", "is empty"), (b"Name,Cost\n", "has no row under its headings"),
    ("Name\nÜ\n".encode("latin-1"), "cards.csv:2: is not UTF-8 text"),
    (b"\n<!DOCTYPE html><html><body>Sign in</body></html>", "is a web page (download the sheet itself"),
    (b'a,b\n"x,y\nz\n', "cards.csv:2: is not valid CSV"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is a workbook of an old kind (save it as XLSX or CSV)"),
    (b"a,b\n1,2,3\n", "cards.csv:2: has 3 cells, the first row 2"), (b"a\nx\x07\n", "cards.csv:2: holds a control"),
    (b"a\n" + b"x" * 20_001, "cards.csv:2: has a cell of more than 20000 characters"),
    (b"PK\x03\x04rubbish", "is not a workbook that can be read"),
    (b"a\n" + b"1\n" * (MAX_ROWS + 1), "20,001 rows"), (b"a," * MAX_COLUMNS + b"a\n" + b"1,", "201 columns"),
    (workbook(Cards=[["Name"], ["a"], ['<c r="ZZ300000"><v>1</v></c>']]),
     "has a cell in row 300,000, column 702, so 300,000 rows and 702 columns (at most 400,000 cells: delete "
     "what lies far out)"),
    (workbook(Cards=[["Name"], ['<c r="ZZZZZZ4294967295"><v>1</v></c>']]),
     "has a cell at 'ZZZZZZ4294967295', beyond every sheet (delete that cell)"),
    (workbook(Cards=[["Name"], ['<c t="s"><v>7</v></c>']]), "is not a workbook that can be read"),
    (workbook(Cards=[["Name"], ['<c t="n"><v>7</v>']]), "is not a workbook that can be read: mismatched tag"),
    (packed({"xl/workbook.bin": ""}), "is a binary workbook (save it as XLSX or CSV)"),
    (b"Name\ne" + "\u0301".encode() * 31, "cards.csv:2: has a letter with more than 30 accents"),
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
