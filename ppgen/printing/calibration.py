"""Calibration page, and printer profiles made from its readings."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import degrees
from pathlib import Path

from ppgen.assets import user_folder
from ppgen.engine.colours import Swatch
from ppgen.engine.component import PAGE, Component, Part
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import ORIGIN, UNSCALED, Point, Scale, Size, parse_shift
from ppgen.engine.imposition.impose import mirrors_columns
from ppgen.engine.imposition.sheets import LARGEST_ANGLE, LARGEST_SHIFT, Backs, Flip, SheetSpec
from ppgen.engine.pictures.picture_pixels import brighten
from ppgen.errors import InputError, Phrase, Problems, RequestError, join_names
from ppgen.printing.request import CALIBRATION, MAX_BRIGHTNESS, MIN_BRIGHTNESS
from ppgen.reading.fields import Fields, read_toml
from ppgen.reading.texts import Texts
from ppgen.records import dataclass

MIN_CALIBRATION_PAGE = Size(154, 232)  # room for the page in mm: its rulers must not shrink
SCALES_APART = 114.6  # between the Y scales of A and B in mm: a difference of 1 mm is half a degree of skew
DRIFT_DEGREES_PER_MM = round(degrees(1 / SCALES_APART), 2)  # of skew, by the Y readings of A and B
CROSS_GAP = 12.0  # distance in mm between the middle of a cross and its scales, so that it does not cover their lines
SCALE_REACH = 6  # largest drift on the scales, in mm
BRIGHTNESS_STEPS = (100, 120, 140, 165, 200)  # of the test strip, in percent
DARK_GREYS = (0, 16, 32, 48, 64)  # of each, from 0 to 255: a printer that prints too dark makes black of them
MAX_SWATCH_GROUPS = 2  # groups of colours that fit the page


def calibration_part(texts: Texts, spec: SheetSpec, room: Size, swatches: Sequence[Sequence[Swatch]] = (),
                     game: str = "") -> Part:
    """Return the calibration page: rulers for the scale, crosses for ``--back-offset`` and ``--back-rotation``.

    Held up to the light, the back's crosses lie on the front's scales, which show the offset to type. A flip at the
    long edge swaps left and right on the back, a flip at the short edge top and bottom: the signs of the scales, and
    which pair is A, follow the flip. B is A turned by 180° about the middle of the page. Backs are turned about that
    point, too: the mean of both readings is the shift, whatever the skew. Without duplex there is nothing to hold up
    to the light, so the page has no back.

    ``swatches`` are the colours that players must tell apart; as many groups as fit are printed, to show whether the
    printer keeps them distinct. ``game`` goes into the build command on the page. Raises InputError if ``room`` is too
    small.
    """
    if room.width < MIN_CALIBRATION_PAGE.width or room.height < MIN_CALIBRATION_PAGE.height:
        raise InputError.at("--paper", Phrase("calibration_room", size=MIN_CALIBRATION_PAGE, room=room),
                            Phrase("on_a4_or_letter"), key=CALIBRATION)
    hints = {kind: texts(f"calibration.print-{kind}") for kind in ("long", "short", "front")}
    duplex = spec.backs is Backs.DUPLEX
    flip = spec.flip if duplex else Flip.LONG
    names, signs = ("AB", "−+") if mirrors_columns(spec.paper.size, flip) else ("BA", "+−")
    grids = {"apart": SCALES_APART, "from_cross": CROSS_GAP, "reach": SCALE_REACH, "names": names,
             "left": signs[0], "right": signs[1], "down": signs[0], "up": signs[1]}
    values = {"grids": grids if duplex else None, "print_it": hints[flip.value if duplex else "front"],
              "colours": [[swatch.colour for swatch in group] for group in swatches[:MAX_SWATCH_GROUPS] if group],
              "strip": [(percent, [f"#{brighten(grey, percent):02x}" + f"{brighten(grey, percent):02x}" * 2
                                   for grey in DARK_GREYS]) for percent in BRIGHTNESS_STEPS],
              "decimal": texts("language.decimal"), "build": f"ppgen build --game {game}" if game else "ppgen build"}
    faces = [FaceRequest(template=f"shared/calibration-{side}.svg.j2", size=room, values=values, worded=True)
             for side in ("front", "back")]
    return Part(name=CALIBRATION, title=texts("parts.calibration"), layout=PAGE,
                components=(Component(id="calibration", front=faces[0], back=faces[1] if duplex else None),))


# --- Printer profiles ---

RULER_MM = 100.0  # length of the rulers
EXACT_RULERS = Point(RULER_MM, RULER_MM)  # rulers of a printer without scale error
MAX_RULER_ERROR_MM = 5.0  # rulers with a larger error were printed with “fit to page”
ACROSS, DOWN = "across", "down"
READINGS = {f"{scale}-{axis}": (scale.upper(), axis.upper()) for scale in "ab" for axis in "xy"}
QUESTIONS = (ACROSS, DOWN, *READINGS)  # in the order of the page
MAX_READING_MM = 6.5  # beyond the end of the page's scales
_NUMBER = re.compile(r"[+-]?([0-9]{1,4}(\.[0-9]{0,4})?|\.[0-9]{1,4})")
PRINTER_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")

_HEADER = """\
# Printer profiles of ppgen: ppgen printer save, list, remove.
# back-offset: mm right and down; back-rotation: degrees clockwise; rulers: what 100 mm came out as, across and down;
# brightness: percent, of pictures.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Printer:
    """Profile of a printer: corrections of its backs."""

    back_offset: Point = ORIGIN  # mm right and down
    back_rotation: float = 0.0  # degrees clockwise
    rulers: Point = EXACT_RULERS  # measured lengths of the 100 mm rulers, across and down
    brightness: float = 100.0  # percent, of pictures

    @property
    def scale(self) -> Scale:
        """Scale that corrects the sheets, to a tenth of a per mille: a ruler shows no more."""
        scale = Scale(round(RULER_MM / self.rulers.x, 4), round(RULER_MM / self.rulers.y, 4))
        return UNSCALED if scale == UNSCALED else scale


def read_printers(file: Path) -> dict[str, Printer]:
    """Read the profiles of a file by name; a missing file has none. Raises InputError with every problem."""
    if not file.exists():
        return {}
    problems = Problems()
    top = read_toml(file.parent, file.name, problems)
    printers = {name: _parse_printer(top.take_table(name)) for name in top}
    problems.raise_if_any()
    return printers


def dump_printers(printers: Mapping[str, Printer]) -> str:
    """Format profiles as the text of their file."""
    return _HEADER + "".join(
        f"\n[{name}]\nback-offset = \"{printer.back_offset.x:g},{printer.back_offset.y:g}\"\n"
        f"back-rotation = {printer.back_rotation:g}\n"
        f"rulers = \"{printer.rulers.x:g},{printer.rulers.y:g}\"\n"
        f"brightness = {printer.brightness:g}\n" for name, printer in sorted(printers.items()))


def duplex_drift(reading_a: Point, reading_b: Point, slope: float) -> tuple[Point, float]:
    """Back offset (mean of the readings at A and B) and rotation (``slope`` degrees for each mm apart in y)."""
    offset = Point(round((reading_a.x + reading_b.x) / 2, 3), round((reading_a.y + reading_b.y) / 2, 3))
    return offset, round((reading_a.y - reading_b.y) * slope, 2)


def read_number(text: str) -> float:
    """Parse a typed number: ``99,5``, ``0.5 mm``, ``−1``. Raises ValueError for anything else."""
    plain = unicodedata.normalize("NFKC", text).strip().lower().removesuffix("mm").strip()
    plain = re.sub("[−–]", "-", plain).replace(",", ".")
    if not _NUMBER.fullmatch(plain):
        raise ValueError(f"'{text}' is not a number")
    return float(plain)


def _parse_printer(table: Fields) -> Printer:
    printer = Printer(back_offset=_take_pair(table, "back-offset", ORIGIN, -LARGEST_SHIFT, LARGEST_SHIFT),
                      back_rotation=table.take_number("back-rotation", -LARGEST_ANGLE, LARGEST_ANGLE, 0.0),
                      rulers=_take_pair(table, "rulers", EXACT_RULERS, RULER_MM - MAX_RULER_ERROR_MM,
                                        RULER_MM + MAX_RULER_ERROR_MM),
                      brightness=table.take_number("brightness", MIN_BRIGHTNESS, MAX_BRIGHTNESS, 100.0))
    table.close()
    return printer


def _take_pair(table: Fields, key: str, default: Point, low: float, high: float) -> Point:
    if not (words := table.take_text(key, "")):
        return default
    try:
        pair = parse_shift(words)
    except ValueError as error:
        table.note(key, str(error))
        return default
    if not all(low <= length <= high for length in (pair.x, pair.y)):
        table.note(key, Phrase("shift_pair_range", text=words),
                   Phrase("each_in_mm", least=f"{low:g}", most=f"{high:g}"))
    return pair


# --- Saved profiles ---

PROFILES_FILE = "printers.toml"


def load_profiles() -> dict[str, Printer]:
    """Load all saved profiles. Raises InputError with the problems of the file."""
    return read_printers(profile_path())


def load_profile(name: str) -> Printer:
    """Load a saved profile. Raises RequestError for an unknown name."""
    printers = load_profiles()
    if name not in printers:
        raise RequestError.at("--printer", Phrase("unknown_printer", name=name),
                              Phrase("known_printers", message=join_names(sorted(printers)) or Phrase("none")))
    return printers[name]


@contextmanager
def edit_profiles() -> Iterator[dict[str, Printer]]:
    """Load all profiles, to change them; save them at the end. No other run changes them meanwhile."""
    from ppgen.process.file_writing import BuiltFile, lock_file, write_files

    folder = _config_folder()
    folder.mkdir(parents=True, exist_ok=True)
    lock = folder / "printers.lock"
    lock.touch()
    with lock_file(lock):
        printers = load_profiles()
        yield printers
        write_files(folder, [BuiltFile(path=PROFILES_FILE, content=dump_printers(printers).encode())])


def profile_path() -> Path:
    """The path of the file of profiles."""
    return _config_folder() / PROFILES_FILE


def _config_folder() -> Path:
    return user_folder("config", Phrase("profile_folder"))
