"""Plant random slips in the code, one at a time in a copy of the tree, and print those that no test sees.

    python -m tools.mutate --random N --seed S [--in ROOM] [--near] [--save FILE]
    python -m tools.mutate --again FILE [--near]

A slip is what a tired author writes: one more or less, the other axis or edge, the other comparison, a dropped term,
a wrong key, a unit left out, `and` for `or`, another order. They come from the syntax trees of Python and of the
scripts (`tests/forms/tree.mjs`). A slip is tried near by: on the quick tests that import its module, records and
transcripts, or all tests that drive its script. Files of tests that took less time before come first, up to a minute
in all. Then, without `--near`, those that passed are tried on all tests, slow ones too (but those on Windows): each
file of tests runs with all of them at once, and what fails with halves, down to single ones. `--again` tries those of
a file that were not seen: without `--near`, on all tests at once.
`tests/equivalent.toml` has slips that change nothing anybody could see. The exit code is 1 if one is not seen.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import gc
import importlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import accumulate, count, pairwise, repeat, takewhile
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
EQUIVALENT = TESTS / "equivalent.toml"
MAX_CPU_S, MAX_WALL_S, NEAR_S = 150, 900, 60  # of a run of tests: one that takes more has lost its end by the slip
COSTS = defaultdict[str, float](lambda: 5)  # processor time of a file of tests, when it last passed near by
HEAVY = "pytest numpy lxml.etree pikepdf PIL.Image reportlab.pdfgen.canvas typst uharfbuzz jinja2 pypdfium2"
DRIVERS = {"ppgen/play": "forms pages/scorer", "ppgen/games": "forms pages/scorer", "ppgen/pages/open": "pages/open",
           "templates/site": "pages", "templates/table": "pages/table", "templates": "pages/scorer"}
"""The folders of tests that drive the scripts of a folder."""
RECORDED = re.compile("ppgen/(engine|making|printing|games/own_deck)/")
RECORDS = [f"golden/test_{name}.py" for name in "impositions many many_faces many_files faces zoo making".split()]
"""What they see on paper, they see of all these modules; transcripts see all modules."""

OTHERS = {"<": "<=", ">": ">=", "==": "!=", "===": "!==", "in": "not in", "is": "is not", "and": "or", "&&": "||",
          "??": "||", "+": "-", "*": "/", "//": "/", "+=": "-=", "x": "y", "width": "height", "right": "bottom",
          "across": "down", "columns": "rows", "column": "row", "dx": "dy", "rx": "ry", "left": "right",
          "top": "bottom", "first": "last", "start": "end", "before": "after", "min": "max", "floor": "ceil",
          "front": "back", "least": "most", "short": "long", "upper": "lower", "begin": "stop", "any": "all",
          "some": "every", "shift": "pop", "push": "unshift", "clientX": "clientY", "sin": "cos",
          "horizontal": "vertical"}
OTHERS = {other: one for one, other in OTHERS.items()} | OTHERS
STAMPS = count(1)
IN_SCRIPTS = {"/": "*", "in": "=="}
UNITS = re.compile(r"(points|(_?to_)?(mm|pt|units|radians|degrees)|round|floor|ceil|abs|sqrt|trunc|Number)$")
ORDERS = re.compile(r"(sorted|reversed|sort|reverse|set|dedupe)$")
AXES = {"x", "y", "width", "height", "across", "down", "columns", "rows", "column", "row", "dx", "dy", "rx", "ry",
        "clientX", "clientY", "sin", "cos", "horizontal", "vertical"}


@dataclass(frozen=True)
class Node:
    """A piece of a syntax tree with offsets in the text: of itself and of its parts."""

    kind: str
    start: int
    end: int
    parts: tuple[tuple[int, int], ...] = ()
    word: str = ""


@dataclass
class Slip:
    """A line of a file (number from 0), what it becomes, and the test that sees it."""

    file: str
    number: int
    line: str
    becomes: str
    kind: str
    seen: str | None = None  # not tried yet

    def apply(self, text: str) -> str:
        """The text with the slip in it, if its line is there."""
        lines = text.splitlines(keepends=True)
        places = sorted((n for n, line in enumerate(lines) if line.rstrip("\n") == self.line),
                        key=lambda n: abs(n - self.number))
        for place in places[:1]:
            lines[place] = self.becomes + "\n"
        return "".join(lines)

    @property
    def name(self) -> str:
        return f"{self.number} {self.file}".replace("/", " ")

    def __str__(self) -> str:
        return f"{self.file}:{self.number + 1} {self.kind}\n  - {self.line.strip()}\n  + {self.becomes.strip()}"


# --- Syntax trees ---

def python_nodes(text: str) -> Iterator[Node]:
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))

    def place(node: ast.AST) -> tuple[int, int]:
        at: Any = node
        return tuple(starts[row - 1] + len(lines[row - 1].encode()[:column].decode()) for row, column in (
            (at.lineno, at.col_offset), (at.end_lineno, at.end_col_offset)))

    def walk(node: ast.AST) -> Iterator[Node]:
        match node:
            case ast.JoinedStr() | ast.arguments() | ast.Import() | ast.ImportFrom():
                return  # strings have no offsets inside before Python 3.12; a signature has no arithmetic
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                yield Node("number", *place(node), word=str(value))
            case ast.Compare(left=left, comparators=[right]):
                yield Node("comparison", *place(node), (place(left), place(right)))
            case ast.BoolOp(values=values):
                yield Node("and/or", *place(node), (place(values[-2]), place(values[-1])))
            case ast.BinOp(left=left, right=right) if not isinstance(node.op, ast.Mod):
                yield Node("term", *place(node), (place(left), place(right)))
            case ast.AugAssign(target=left, value=right):
                yield Node("step", *place(node), (place(left), place(right)))
            case ast.UnaryOp(operand=operand):
                yield Node("negation", *place(node), (place(operand),))
            case ast.IfExp(test=test, body=one, orelse=other):
                yield Node("choice", *place(node), (place(one), place(other)))
                yield Node("guard", *place(test))
            case ast.If(test=test):
                yield Node("guard", *place(test))
            case ast.Name(id=word):
                yield Node("name", *place(node), word=word)
            case ast.Attribute(attr=word):
                yield Node("name", place(node)[1] - len(word), place(node)[1], word=word)
            case ast.Subscript(slice=ast.Constant(value=str() as word) as key):
                yield Node("key", *place(key), word=word)
            case ast.Call(func=function, args=args, keywords=keywords):
                name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
                yield Node("call", *place(node), tuple(map(place, args)), name)
                if keywords and (args or keywords[1:]):
                    yield Node("keyword", *place(keywords[-1]))
                if len(args) == 1 and isinstance(args[0], ast.Constant) and isinstance(args[0].value, str):
                    yield Node("key", *place(args[0]), word=args[0].value)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                yield Node("sequence", *place(node), tuple(map(place, parts)))
        for name, child in ast.iter_fields(node):
            if name not in ("annotation", "returns", "decorator_list"):
                for each in child if isinstance(child, list) else [child]:
                    if isinstance(each, ast.AST):
                        yield from walk(each)

    return walk(ast.parse(text))


def script_nodes(path: Path) -> Iterator[Node]:
    tree = subprocess.run(["node", ROOT / "tests/forms/tree.mjs", ROOT / "tests/forms/node_modules", path],
                          capture_output=True, check=True).stdout

    def place(node: Any) -> tuple[int, int]:
        return node["start"], node["end"]

    def walk(node: Any) -> Iterator[Node]:
        match node:
            case {"type": "Literal", "value": int() | float() as value} if not isinstance(value, bool):
                yield Node("number", *place(node), word=str(value))
            case {"type": "BinaryExpression" | "LogicalExpression", "operator": sign, "left": left, "right": right}:
                kind = "and/or" if sign in ("&&", "||", "??") else "comparison" if set(sign) & {*"<>="} else "term"
                yield Node(kind, *place(node), (place(left), place(right)))
            case {"type": "AssignmentExpression", "operator": "+=" | "-=", "left": left, "right": right}:
                yield Node("step", *place(node), (place(left), place(right)))
            case {"type": "UnaryExpression", "operator": "!" | "-", "argument": operand}:
                yield Node("negation", *place(node), (place(operand),))
            case {"type": "ConditionalExpression", "consequent": one, "alternate": other, "test": test}:
                yield Node("choice", *place(node), (place(one), place(other)))
                yield Node("guard", *place(test))
            case {"type": "IfStatement", "test": test}:
                yield Node("guard", *place(test))
            case {"type": "Identifier", "name": word}:
                yield Node("name", *place(node), word=word)
            case {"type": "CallExpression", "callee": function, "arguments": args}:
                yield Node("call", *place(node), tuple(map(place, args)),
                           function.get("property", function).get("name", ""))
                if len(args) == 1 and isinstance(word := args[0].get("value"), str):
                    yield Node("key", *place(args[0]), word=word)
            case {"type": "ArrayExpression", "elements": parts} if all(parts):
                yield Node("sequence", *place(node), tuple(map(place, parts)))
        for child in node.values():
            for each in child if isinstance(child, list) else [child]:
                if isinstance(each, dict) and "type" in each:
                    yield from walk(each)

    return walk(json.loads(tree))


# --- Slips ---

def edits(nodes: Sequence[Node], text: str, *, script: bool) -> Iterator[tuple[str, int, int, str]]:
    """Kind, start, end and new words of each slip that the pieces of a file allow."""
    names = {*dir(builtins)} | {node.word for node in nodes if node.kind == "name"}
    keys = sorted({node.word for node in nodes if node.kind == "key" and re.fullmatch(r"[\w.-]*\w", node.word)})
    never, negated = ("false", "!(") if script else ("False", "not (")
    for node in nodes:
        own, parts = text[node.start:node.end], [text[slice(*part)] for part in node.parts]
        between = (node.parts[0][1], node.parts[1][0]) if len(parts) == 2 else (0, 0)
        sign = re.sub(r"[()\s]|\n", " ", text[slice(*between)]).strip()
        at = text.find(sign, *between) if sign else -1
        match node.kind:
            case "number" if "." in own and float(node.word):
                yield "number", node.start, node.end, f"{float(node.word) * 1.25:.6g}"
            case "number" if own.isdigit():
                for more in (-1, 1):
                    yield "±1", node.start, node.end, str(int(own) + more)
            case "name" if (other := OTHERS.get(node.word)) and (other in names or text[node.start - 1] == "."):
                yield "axis" if node.word in AXES else "edge", node.start, node.end, other
            case "key" if node.word in keys and (other := next((key for key in keys if key > node.word), None)):
                yield "key", node.start, node.end, json.dumps(other, ensure_ascii=False)
            case "comparison" | "and/or" | "term" | "step" if sign in OTHERS and at >= 0:
                yield node.kind, at, at + len(sign), OTHERS[sign] if not script else IN_SCRIPTS.get(sign, OTHERS[sign])
        match node.kind:
            case "and/or" if len(parts) == 2:
                yield "dropped", node.parts[0][1], node.parts[1][1], ""
                yield "dropped", node.parts[0][0], node.parts[1][0], ""
            case "term" if sign in ("+", "-"):
                yield "dropped", node.parts[0][1], node.parts[1][1], ""
                if sign == "-":
                    yield "order", node.start, node.end, f"{parts[1]} - {parts[0]}"
            case "negation":
                yield "negation", node.start, node.parts[0][0], ""
            case "choice":
                yield "order", node.parts[0][0], node.parts[1][1], parts[1] + text[slice(*between)] + parts[0]
            case "guard":
                yield "guard", node.start, node.end, never
                yield "guard", node.start, node.end, f"{negated}{own})"
            case "keyword":
                yield "dropped", text.rfind(",", 0, node.start), node.end, ""
            case "call" if len(parts) == 1 and UNITS.match(node.word):
                yield "unit", node.start, node.end, f"({parts[0]})"
            case "call" if len(parts) == 1 and ORDERS.match(node.word) and not script:
                yield "order", node.start, node.end, f"list({parts[0]})"
        if node.kind in ("call", "sequence") and len(parts) > 1:
            for (one, other), (left, right) in zip(pairwise(parts), pairwise(node.parts), strict=True):
                if one != other and not {one[0], other[0]} & {*"*.\"'"}:
                    yield "order", left[0], right[1], other + text[left[1]:right[0]] + one


def slips_of(path: Path) -> list[Slip]:
    text, script = path.read_text("utf-8"), path.suffix == ".js"
    nodes = [*(script_nodes(path) if script else python_nodes(text))]
    made = []
    for kind, start, end, new in edits(nodes, text, script=script):
        first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
        if start >= 0 and "\n" not in text[start:end] + new and last >= 0:
            made.append(Slip(path.relative_to(ROOT).as_posix(), text.count("\n", 0, start), text[first:last],
                             text[first:start] + new + text[end:last], kind))
    return made


def draw_slips(number: int, seed: int, room: str) -> list[Slip]:
    """Random slips: a line of code of any room is as likely as another, then each kind as likely as another."""
    marked = {file: {*lines} for file, lines in tomllib.loads(EQUIVALENT.read_text("utf-8")).items()}
    paths = [path for top in ("ppgen", "templates") for path in sorted((ROOT / top).rglob("*"))
             if path.suffix in (".py", ".js") and room in path.relative_to(ROOT).as_posix()]
    chance, sizes = random.Random(seed), [path.stat().st_size for path in paths]
    made = dict[Path, dict[str, list[Slip]]]()
    drawn = dict[tuple[str, int], Slip]()  # one of a line, as they are planted together
    while len(drawn) < number:
        path, = chance.choices(paths, sizes)
        if path not in made:
            kinds = made[path] = defaultdict(list)
            for slip in slips_of(path):
                if slip.becomes.strip() not in marked.get(slip.file, ()):
                    kinds[slip.kind].append(slip)
        if made[path]:
            slip = chance.choice(made[path][chance.choice([*made[path]])])
            if path.suffix == ".js" or _compiles(slip):
                drawn.setdefault((slip.file, slip.number), slip)
    return [*drawn.values()]


def _compiles(slip: Slip) -> bool:
    text = (ROOT / slip.file).read_text("utf-8")
    with suppress(SyntaxError):
        return ast.dump(ast.parse(slip.apply(text))) != ast.dump(ast.parse(text))
    return False


# --- Tests ---

def copy_tree(top: Path) -> Path:
    """Copy what git does not ignore, once in a process, and link what it ignores but tests need."""
    if (folder := top / str(os.getpid())).exists():
        return folder
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    for name in filter(lambda name: (ROOT / name).is_file(), listed.stdout.splitlines()):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    for name in ("compiled", "tests/forms/node_modules"):
        if (ROOT / name).exists():
            (folder / name).symlink_to(ROOT / name)
    return folder


class Clock:
    """A plugin of pytest that prints the file of each test and the time so far."""

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        print(f"\n{nodeid.partition('::')[0]} {sum(os.times()[:4])}")


def pytest(folder: Path, *words: str) -> tuple[int, str]:
    """Run tests of a copy in a fork of this process, which has imported what is heavy; its exit code and output."""
    if not (process := os.fork()):
        try:
            os.setsid()
            with (folder / "printed").open("wb") as file:
                os.dup2(file.fileno(), 1)
                os.dup2(file.fileno(), 2)
            resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_S, MAX_CPU_S))
            os.chdir(folder)
            os.environ["PYTHONPATH"] = str(folder)
            sys.path.insert(0, str(folder))
            code = importlib.import_module("pytest").main(
                ["-q", "--tb=no", "-rfE", "-x", "-p", "no:cacheprovider", *words], [Clock()])
        except BaseException:
            code = 3
        finally:
            sys.stdout.flush()
            os._exit(code)
    signal.signal(signal.SIGALRM, lambda *_: os.killpg(process, signal.SIGKILL))
    signal.alarm(MAX_WALL_S)
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    signal.alarm(0)
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)
    return code, (folder / "printed").read_text("utf-8", "replace")


def find_tests(slip: Slip) -> list[str]:
    """The files of tests that import the slip's module, record what it prints, or drive its script."""
    patterns = ["golden/test_transcripts.py", *RECORDS * bool(RECORDED.match(slip.file))]
    if slip.file.endswith(".js"):
        folders = next(tests for scripts, tests in DRIVERS.items() if slip.file.startswith(scripts))
        patterns = ["pages/test_script_laws.py", "pages/test_walks.py", *(f"{at}/test_*.py" for at in folders.split())]
    imported = re.compile(r"{0}\.{2}\b|from {0} import .*\b{2}\b".format(
        *map(re.escape, slip.file.removesuffix(".py").replace("/", ".").rpartition("."))))
    found = [*filter(lambda path: imported.search(path.read_text("utf-8")), sorted(TESTS.rglob("test_*.py"))),
             *(path for pattern in patterns for path in sorted(TESTS.glob(pattern)))]
    return [*dict.fromkeys(str(path.relative_to(ROOT)) for path in found)]


def plant(slips: Sequence[Slip], folder: Path, stamp: int = 0) -> None:
    """Put the files of slips into a copy of the tree, with the slips in them; a stamp of 0 takes all out."""
    for slip in slips:
        shutil.copy2(ROOT / slip.file, folder / slip.file)
    for slip in slips if stamp else ():
        path = folder / slip.file
        path.write_text(slip.apply(path.read_text("utf-8")), "utf-8")
        os.utime(path, (0, stamp))  # bytecode files of others are not taken for its own


def try_slips(slips: Sequence[Slip], folder: Path, tests: Sequence[str], *words: str) -> str:
    """The first test that fails with slips in a copy of the tree, or nothing."""
    plant(slips, folder, next(STAMPS))
    code, printed = pytest(folder, *words, *tests)
    plant(slips, folder)
    failed = re.search(r"^(?:FAILED|ERROR) (\S+?\.py(?:::\w+(?:\[[\w.-]+\])?)?)", printed, re.MULTILINE)
    seen = failed[1] if failed else "" if code in (0, 5) else f"no end of tests: {code}"
    until = dict(re.findall(r"^(\S+\.py) ([\d.]+)$", printed, re.MULTILINE))
    took = {test: float(end) - float(start) for (_, start), (test, end) in pairwise([("", 0), *until.items()])}
    passed = takewhile(lambda test: test not in seen, tests if code in (0, 1) else ())
    COSTS.update((test, took.get(test, 0)) for test in passed)
    return seen


def try_near(slip: Slip, top: Path) -> str:
    """The first test near by that fails: of those that take a minute, the quickest ones first."""
    tests = sorted(find_tests(slip), key=COSTS.__getitem__)
    sums = accumulate(COSTS[test] for test in tests)
    tests = [test for test, seconds in zip(tests, sums, strict=True) if seconds <= NEAR_S]
    return try_slips([slip], copy_tree(top), tests, *["-m", "not slow"] * slip.file.endswith(".py"))


def try_together(tests: str, slips: Sequence[Slip], top: Path) -> None:
    """Note which slips a file of tests sees: those that no other has seen are planted at once. What fails is run with
    halves of them."""
    folder, words = copy_tree(top), list[str]()

    def find_seen(slips: Sequence[Slip], test: str) -> Iterator[Slip]:
        if try_slips(slips, folder, [test]):
            if not slips[1:]:
                yield slips[0]
            for half in (slips[::2], slips[1::2]) if slips[1:] else ():
                yield from find_seen(half, test)

    left = [slip for slip in slips if not (top / slip.name).exists()]
    while left and (seen := try_slips(left, folder, [tests], *words)):
        test = seen if seen.startswith(tests) else tests  # else it came to no end
        found = [*find_seen(left, test)] if not try_slips([], folder, [test], *words) else []
        for slip in found:
            (top / slip.name).write_text(seen, "utf-8")
        left = [slip for slip in left if slip not in found]
        if not found and test == tests:
            break
        words += [f"--deselect={test}"] * (not found)  # it fails without slips, too, or with several only


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option, kind, usual in (("--random", int, 20), ("--seed", int, 0), ("--in", str, ""), ("--again", Path, None),
                                ("--save", Path, None)):
        parser.add_argument(option, type=kind, default=usual, dest="room" * (option == "--in") or None)
    parser.add_argument("--near", action="store_true")
    options = parser.parse_args()
    slips = ([Slip(**each) for each in json.loads(options.again.read_text("utf-8"))] if options.again
             else draw_slips(options.random, options.seed, options.room))
    left = [slip for slip in slips if not slip.seen]

    def tell(slip: Slip, seen: str) -> None:
        slip.seen = seen
        print(f"{slip}\n    {seen or 'not seen'}", flush=True)
        if save := options.save or options.again:
            save.write_text(json.dumps([asdict(each) for each in slips if each.seen is not None], indent=1), "utf-8")

    os.nice(19)
    sys.dont_write_bytecode, os.environ["PYTHONDONTWRITEBYTECODE"] = False, ""  # each run would compile all modules
    for module in HEAVY.split():
        importlib.import_module(module)
    gc.freeze()
    with TemporaryDirectory() as top, ProcessPoolExecutor(os.cpu_count(), get_context("fork")) as executor:
        near = left if options.near or not options.again else []
        for slip, seen in zip(near, executor.map(try_near, near, repeat(Path(top))), strict=True):
            tell(slip, seen)
        left = [slip for slip in left if not slip.seen]
        wanted = Counter(test for slip in left for test in find_tests(slip))
        files = [] if options.near else sorted((
            path.relative_to(ROOT).as_posix() for path in sorted(TESTS.rglob("test_*.py"))
            if "windows" not in path.name), key=wanted.__getitem__, reverse=True)
        for _ in executor.map(try_together, files, repeat(left), repeat(Path(top))):
            for slip in left:
                if not slip.seen and (note := Path(top, slip.name)).exists():
                    tell(slip, note.read_text("utf-8"))
    left = [slip for slip in slips if not slip.seen]
    print("\nNot seen:", *left, sep="\n")
    for title, key in (("room", lambda slip: slip.file.rpartition("/")[0]), ("kind", lambda slip: slip.kind)):
        unseen, tried = Counter(map(key, left)), Counter(map(key, slips))
        print(f"\n{title}: unseen, tried", *(f"{at:30} {unseen[at]:4} {tried[at]:4}" for at in sorted(tried)), sep="\n")
    print(f"{len(left)} of {len(slips)} slips are not seen")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
