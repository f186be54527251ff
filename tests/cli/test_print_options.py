"""Options of printing: what is typed, and what it means."""

import json
from pathlib import Path

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
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from ppgen.printing import __path__ as folder
path = Path(folder[0]) / "request.py"
spec = spec_from_file_location("ppgen.printing.request", path)
module = sys.modules[spec.name] = module_from_spec(spec)
exec(path.read_text("utf-8").replace("    def spec(self", {DECLARATION!r}), vars(module))
assert module.is_file_word("unlabelled")
from ppgen.cli.program import main
main(prog_name="ppgen")
"""
"""The program with one more field of the build request, and nothing else."""


def with_new_option(*words: str, folder: Path) -> str:
    done = run_python("-c", NEW_OPTION, *words, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_an_option_is_declared_in_one_place(tmp_path):
    page = " ".join(with_new_option("build", "--help", "--all", folder=tmp_path).split())
    assert " --labels / --no-labels " in page and "Print a label beside the pieces. [default: --labels]" in page
    assert "--labels" not in with_new_option("export", "png", "--help", "--all", folder=tmp_path)  # no sheets to cut
    built = with_new_option("build", "-l", "de", "--only", "stones", "--only", "score-sheet", "--no-labels",
                            "--dry-run", "--json", folder=tmp_path)
    assert {file["path"] for file in json.loads(built)[0]["files"]} == {
        "output/de/stones-a4-unlabelled.pdf", "output/de/score-sheet-a4.pdf"}
