"""Tallies of strangers: JSON, TOML, CSV and PDF that are forged, deep, huge or never end."""

import os
import time
import zlib
from contextlib import suppress
from functools import cache

import pikepdf
import pytest

from ppgen.errors import InputError
from ppgen.games.card_game.scoring import CardScoring, TallyNames, check_tallies
from ppgen.play.game_scoring import read_file, read_json, read_toml_tallies, tally_rows
from ppgen.reading.pdf_form import read_form_fields
from ppgen.shipped import shipped_root

SOON_S = 4.0


@pytest.fixture
def names(deck):
    return TallyNames(deck, shipped_root() / "data" / "card_game" / "locales")


def refusal(read):
    """What the first problem of a reader says; it must come soon."""
    start = time.process_time()
    with pytest.raises(InputError) as caught:
        read()
    assert time.process_time() - start < SOON_S
    assert str(caught.value.problems[0]).isprintable()
    return caught.value.problems[0].what


JSON = {
    "brackets": ("[" * 99_999, "nested too deep"),
    "lists in lists": ('{"players": ' + "[" * 50 + "]" * 50 + "}", "is nested deeper than 8"),
    "digits": ('{"players": ' + "9" * 99_999 + "}", "a number too long"),
    "a number beyond 64 bits": ('{"players": [{"ships": ' + "9" * 400 + "}]}", "is a number out of range"),
    "a float beyond all": ('{"players": [{"ships": 1e999}]}', "1 given"),
    "no numbers": ('{"players": [{"ships": NaN}, {"ships": Infinity}, {"ships": -Infinity}]}', "the name is empty"),
    "many players": ('{"players": [' + "{}," * 99_999 + "{}]}", "more than 5000 values"),
    "many unknown keys": ('{' + ",".join(f'"k{n}": 1' for n in range(99_999)) + "}", "more than 5000 values"),
    "some unknown keys": ('{' + ",".join(f'"k{n}": 1' for n in range(400)) + "}", "is not known"),
    "keys that stand twice": ('{' + ",".join(f'"k{n % 8_000}": 1' for n in range(16_000)) + "}", "more than 5000"),
    "a long key": ('{"' + "x" * 99_999 + '": 1}', "a text of more than 80 characters"),
    "a long text": ('{"date": "' + "x" * 99_999 + '"}', "a text of more than 80 characters"),
    "half a character": ('{"date": "\\ud800"}', "an invalid character (U+D800)"),
    "a control character": ('{"date": "\\u001b[2J"}', "a control character (U+001B)"),
    "a control character in a key": ('{"\\u001b[2J": 1}', "a control character (U+001B)"),
    "a turn of direction": ('{"date": "\\u202e"}', "turns the direction of reading"),
    "a number": ("7", "does not contain a game"),
    "nothing": ("", "is not valid JSON"),
    "a zero": ("\0", "is not valid JSON"),
}


@pytest.mark.parametrize(("text", "what"), JSON.values(), ids=JSON)
def test_json_that_goes_too_far_is_refused(deck, names, text, what):
    assert what in refusal(lambda: check_tallies(read_json(text, "game.json"), deck, names))


TOML = {
    "brackets": ("a = " + "[" * 99_999, "nested too deep"),
    "a key of many parts": (".".join("a" * 99_999) + " = 1", "a key of too many parts"),
    "lists in lists": ("a = " + "[" * 10 + "]" * 10, "is nested deeper than 8"),
    "digits": ("a = " + "9" * 99_999, "a number is too long"),
    "hexadecimal digits": ("a = 0x" + "f" * 5_000, "is a number out of range"),
    "a number beyond 64 bits": (f"[[players]]\nships = {10 ** 400}", "is a number out of range"),
    "many players": ("[[players]]\n" * 9_999, "more than 5000 values"),
    "an escaped control character": ('date = "\\u001b[2J"', "a control character (U+001B)"),
    "a date that is no text": ("date = 2024-05-01\nplace = [1]\nplayers = 3", "is not a text of at most"),
    "infinity": ("[[players]]\nships = inf\n[[players]]\nships = nan\n[[players]]\nships = -inf", "the name is empty"),
}


@pytest.mark.parametrize(("text", "what"), TOML.values(), ids=TOML)
def test_toml_that_goes_too_far_is_refused(deck, names, tmp_path, text, what):
    assert what in refusal(lambda: check_tallies(read_toml_tallies(text, tmp_path / "game.toml"), deck, names))


def read_csv(data, deck, names):
    return CardScoring(deck=deck, names=names).from_csv(tally_rows(data, "game.csv"), "game.csv")


CSV = {
    "columns": ("," + "a," * 99_999 + "\n," + "cards," * 99_999, "has more than 200 columns"),
    "rows": (",a\n,cards\n" + "france,1\n" * 9_999, "has more than 500 rows"),
    "lines": (",a\n,cards\n" + "\n" * 99_999, "50000 lines"),
    "a large cell": (',a\n,cards\nfrance,"' + "1" * 400_000 + '"', "field larger than field limit"),
    "a lone quote": (',a\n,cards\nfrance,"1', "is not valid CSV"),
    "zeros": ("\0" * 9_999, "holds a control character (U+0000)"),
    "an escape": (",a,b,c\n,cards,cards,cards\n\x1b[2J,1", "holds a control character (U+001B)"),
    "a turn of direction": (",a\u202e,b,c\n,cards,cards,cards", "turns the direction of reading"),
    "a long cell": (",a,b,c\n,cards,cards,cards\nfrance," + "1" * 9_999 + ",9x", "a cell of more than 80 characters"),
    "nearly numbers": (",a,b,c\n,cards,cards,cards\n" + f"france,{'1' * 40}.{'1' * 38}x\n" * 400, "is not a number"),
    "nonsense": (",a,b,c\n,cards,cards,cards\n" + "".join(f"{n}{'x' * 70},1\n" for n in range(400)),
                 "is neither a country nor a row"),
}


@pytest.mark.parametrize(("text", "what"), CSV.values(), ids=CSV)
def test_csv_that_goes_too_far_is_refused(deck, names, text, what):
    assert what in refusal(lambda: check_tallies(read_csv(text.encode(), deck, names), deck, names))


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"\xff\xfe\x00\xd8", b"\xfe\xff\xdc\x00", b"\xff" * 999,
                                  b"\x80sep=;"])
def test_bytes_that_are_no_text_are_refused(deck, names, data):
    refusal(lambda: read_csv(data, deck, names))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes and links of POSIX")
@pytest.mark.parametrize("suffix", ["json", "toml", "csv", "pdf"])
def test_a_file_that_is_none_is_refused(tmp_path, suffix):
    path = tmp_path / f"game.{suffix}"
    os.mkfifo(path)
    assert refusal(lambda: read_file(path)) == "is not a regular file"
    path.unlink()
    path.symlink_to("/dev/zero")
    assert refusal(lambda: read_file(path)) == "is not a regular file"
    path.unlink()
    path.symlink_to(path)
    assert "can't be read" in refusal(lambda: read_file(path))
    path.unlink()
    with path.open("wb") as file:
        file.truncate(100_000_000_000)
    assert "is larger than" in refusal(lambda: read_file(path))


FORM = {1: b"<</Type/Catalog/AcroForm 2 0 R/Pages 9 0 R>>", 9: b"<</Type/Pages/Kids[]/Count 0>>"}


def pdf(objects, in_stream=None):
    """A PDF of these objects; those of ``in_stream`` (a stream, and their numbers) lie packed in object 5."""
    objects = dict(objects)
    if in_stream:
        objects[5] = in_stream[0]
    out, offsets = b"%PDF-1.7\n", {}
    for number, body in objects.items():
        offsets[number] = len(out)
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    place, rows, inside = len(out), b"", in_stream[1] if in_stream else ()
    for number in range(21):
        if number in inside:
            rows += b"\2" + (5).to_bytes(4, "big") + inside.index(number).to_bytes(2, "big")
        elif number in offsets or number == 20:
            rows += b"\1" + offsets.get(number, place).to_bytes(4, "big") + b"\0\0"
        else:
            rows += b"\0\0\0\0\0\xff\xff"
    return out + b"20 0 obj\n%b\nendobj\nstartxref\n%d\n%%%%EOF\n" % (
        stream(b"/Type/XRef/Size 21/W[1 4 2]/Root 1 0 R", rows), place)


def stream(entries, data):
    return b"<<%b/Length %d>>\nstream\n%b\nendstream" % (entries, len(data), data)


def packed(data, then_blanks):
    """Zlib data of the given bytes and so many million blanks after them."""
    packer = zlib.compressobj(9)
    blanks = b" " * 1_000_000
    return b"".join([packer.compress(data), *(packer.compress(blanks) for _ in range(then_blanks)), packer.flush()])


def field(value, name=b"(p1.name)"):
    return {**FORM, 2: b"<</Fields[3 0 R]>>", 3: b"<</T%b/V %b>>" % (name, value)}


@cache
def blanks():
    """Twenty megabytes of nothing, in twenty kilobytes: made where it is wanted."""
    return packed(b"", 20)


PACKED_FORM = b"2 0 3 50 " + b"<</Fields[3 0 R]>>".ljust(50) + b"<</T(p1.name)/V(x)>>"

FORGED = {
    "nothing": b"", "a header": b"%PDF-1.7\n", "words": b"hello" * 99, "zeros": bytes(9_999),
    "no form": pdf({1: b"<</Type/Catalog/Pages 9 0 R>>", 9: FORM[9]}),
    "a root that is no table": pdf({1: b"[1 2]"}),
    "a form that is a stream": pdf({**FORM, 2: stream(b"/Fields[]", b"x")}),
    "fields that are the form": pdf({**FORM, 2: b"<</Fields 2 0 R>>"}),
    "arrays in arrays": pdf({**FORM, 2: b"<</Fields" + b"[" * 50_000 + b"]" * 50_000 + b">>"}),
    "packed objects that are megabytes": lambda: pdf(
        FORM, (stream(b"/Type/ObjStm/N 2/First 9/Filter/FlateDecode", packed(PACKED_FORM, 20)), (2, 3))),
    "many objects": pdf({**FORM, 2: b"<</Fields[" + b"1 " * 400_000 + b"]>>"}),
}


@pytest.mark.parametrize("data", FORGED.values(), ids=FORGED)
@pytest.mark.slow
def test_a_pdf_that_is_no_filled_sheet_is_refused(tmp_path, deck, names, data):
    (tmp_path / "game.pdf").write_bytes(data() if callable(data) else data)
    assert refusal(lambda: read_file(tmp_path / "game.pdf").raw(CardScoring(deck=deck, names=names)))


READ = {
    "its own kid": pdf({**FORM, 2: b"<</Fields[3 0 R]>>", 3: b"<</T(a)/Kids[3 0 R 3 0 R]>>"}),
    "kids in a circle": pdf({**FORM, 2: b"<</Fields[3 0 R]>>", 3: b"<</T(a)/Kids[4 0 R 4 0 R]>>",
                             4: b"<</T(b)/Kids[" + b"3 0 R " * 5_000 + b"]>>"}),
    "values of all kinds": pdf({**FORM, 2: b"<</Fields[1 (a) /b null true 3 0 R <</T 5/V 7>> <</T[1]/V<</a 1>>>> "
                                b"<</T/nm/V/nm>> <</T(x)/V true>> <</T(y)/V 3 0 R>> <</T(z)/Kids 5>> "
                                b"<</T(z)/Kids[1 2]>> 77 0 R]>>",
                                3: b"<</T<ff fe 00 d8>/V<fe ff d8 00>>>"}),
    "long names and values": pdf(field(b"(" + b"x" * 999_999 + b")", b"(" + b"a." * 99_999 + b")")),
    "a value that is a stream": pdf({**field(b"4 0 R"), 4: stream(b"", b"Anna")}),
    "a value packed to a thousandth": lambda: pdf({**field(b"4 0 R"), 4: stream(b"/Filter/FlateDecode", blanks())}),
    "a value packed often": lambda: pdf({**field(b"4 0 R"), 4: stream(
        b"/Filter[/FlateDecode/FlateDecode/FlateDecode]", zlib.compress(zlib.compress(blanks(), 9), 9))}),
    "a length that is no number": pdf({**field(b"4 0 R"), 4: b"<</Length/Foo>>\nstream\nabc\nendstream"}),
    "a length that is a lie": lambda: pdf({**field(b"4 0 R"), 4: b"<</Filter/FlateDecode/Length 9>>\nstream\n"
                                           + blanks() + b"\nendstream"}),
}


@pytest.mark.parametrize("data", READ.values(), ids=READ)
def test_strange_fields_are_read_in_bounds(tmp_path, data):
    """What can be read of them is short; whether a game comes out of it the check will say."""
    (tmp_path / "game.pdf").write_bytes(data() if callable(data) else data)
    start = time.process_time()
    try:
        fields = read_form_fields(tmp_path / "game.pdf")
    except InputError as error:
        assert "is not a PDF that can be read" in str(error)
    else:
        assert all(len(value) <= 80 for value in fields.values())
        assert len(fields) <= 5_000
    assert time.process_time() - start < SOON_S


def test_a_value_in_a_stream_is_read(tmp_path):
    (tmp_path / "game.pdf").write_bytes(READ["a value that is a stream"])
    assert read_form_fields(tmp_path / "game.pdf") == {"p1.name": "Anna"}


def test_of_fields_of_one_name_the_first_with_words_is_read(tmp_path):
    named = {number: b"<</T(p1.name)/V(%b)>>" % words for number, words in ((3, b""), (4, b"Anna"), (6, b"Berta"))}
    (tmp_path / "game.pdf").write_bytes(pdf({**FORM, 2: b"<</Fields[3 0 R 4 0 R 6 0 R]>>", **named}))
    assert read_form_fields(tmp_path / "game.pdf") == {"p1.name": "Anna"}


def test_the_limits_of_qpdf_are_as_they_were(tmp_path):
    before = pikepdf.settings.get_qpdf_limits() if hasattr(pikepdf.settings, "get_qpdf_limits") else None
    for data in (READ["its own kid"], FORGED["words"]):
        (tmp_path / "game.pdf").write_bytes(data)
        with suppress(InputError):
            read_form_fields(tmp_path / "game.pdf")
    if before is not None:
        assert pikepdf.settings.get_qpdf_limits() == before


def test_a_pdf_with_a_password_is_refused(tmp_path):
    with pikepdf.new() as document:
        document.add_blank_page()
        document.save(tmp_path / "game.pdf", encryption=pikepdf.Encryption(owner="a", user="b"))
    assert refusal(lambda: read_file(tmp_path / "game.pdf")) == "is protected by a password"


def test_what_libraries_say_of_a_pdf_is_not_printed(process, tmp_path):
    """Python prints what is logged where nobody listens."""
    file = shipped_root() / "tests" / "hostile" / "corpus" / "game.pdf" / "a-page-that-is-none.pdf"
    done = process("score", str(file), cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == f"{file}: is not a PDF that can be read (save it again in the PDF viewer)\n"
