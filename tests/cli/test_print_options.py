"""Options of printing: what is typed, and what it means."""

import json

import pytest

from ppgen.printing.request import BOARD_SCALE, FIT
from tests.conftest import run_python


@pytest.mark.parametrize(("typed", "scale"), [
    ("75", 0.75), ("75%", 0.75), ("0.75", 0.75), ("10", 0.1), ("200", 2), ("2", 2), ("fit", FIT)])
def test_a_bare_board_scale_from_10_on_is_a_percentage(typed, scale):
    assert BOARD_SCALE.parse(typed) == scale


DECLARATION = '''    labels: bool = _option(True, OutputKind.CUT, word="unlabelled",
                           help="Print a label beside the pieces.")
    def spec(self'''
NEW_OPTION = f"""
import json, sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from ppgen.printing import __path__ as folder
path = Path(folder[0]) / "request.py"
spec = spec_from_file_location("ppgen.printing.request", path)
module = sys.modules[spec.name] = module_from_spec(spec)
exec(path.read_text("utf-8").replace("    def spec(self", {DECLARATION!r}), vars(module))
assert module.is_file_word("unlabelled")
from click.testing import CliRunner
from ppgen.cli.program import main
print(json.dumps([CliRunner().invoke(main, line.split()).output for line in sys.argv[1:]]))
"""
"""The program with one more field of the build request, and nothing else."""


@pytest.mark.slow
def test_an_option_is_declared_in_one_place(tmp_path):
    done = run_python("-c", NEW_OPTION, "build --help --all", "export png --help --all",
                      "build -l de --only stones --only score-sheet --no-labels --dry-run --json -q", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    page, of_pictures, built = json.loads(done.stdout)
    page = " ".join(page.split())
    assert " --labels / --no-labels " in page and "Print a label beside the pieces. [default: --labels]" in page
    assert "Usage: " in of_pictures and "--labels" not in of_pictures  # no sheets to cut
    assert {file["path"] for file in json.loads(built)[0]["files"]} == {
        "output/de/stones-a4-unlabelled.pdf", "output/de/score-sheet-a4.pdf"}
