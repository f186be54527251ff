"""Make the site of the documentation in a folder: the Markdown of the checkout, and a page of every option.

    python -m tools.docs_site FOLDER

Needs zensical (requirements-docs.txt). The navigation is that of docs/README.md. A dead link is an error.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from ppgen.cli.messages import ALL_OPTIONS
from ppgen.cli.program import main

ROOT = Path(__file__).resolve().parents[1]
OPTIONS_PAGE = "docs/options.md"
CONFIG = """
[project]
site_name = "ppgen"
site_description = "Print a game at home, or make your own."
docs_dir = "pages"
site_dir = "site"
use_directory_urls = false
nav = {nav}

[project.theme]
font = false
features = ["navigation.footer", "navigation.sections", "navigation.top", "search.highlight", "content.code.copy"]

[[project.theme.palette]]
media = "(prefers-color-scheme: light)"
scheme = "default"
toggle = {{ icon = "lucide/sun", name = "Dark" }}

[[project.theme.palette]]
media = "(prefers-color-scheme: dark)"
scheme = "slate"
toggle = {{ icon = "lucide/moon", name = "Light" }}
"""
"""Without fonts from elsewhere: the pages load nothing from other sites."""


def commands(group: click.Group = main, parent: click.Context | None = None) -> Iterator[click.Context]:
    """Every command as a context, those inside groups too."""
    context = parent or click.Context(main, info_name="ppgen", **main.context_settings)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, info_name=name, parent=context)
        yield inner
        if isinstance(command, click.Group):
            yield from commands(command, inner)


def options_page() -> str:
    """The help of all commands with every option."""
    parts = ["# All options\n"]
    for context in commands():
        context.meta[ALL_OPTIONS] = True
        parts.append(f"## {context.command_path}\n\n```text\n{context.get_help()}\n```\n")
    return "\n".join(parts)


def navigation() -> str:
    """The pages below the headings of docs/README.md, as an array of TOML."""
    _, *sections = re.split(r"^## (.*)\n", (ROOT / "docs" / "README.md").read_text(encoding="utf-8"), flags=re.M)
    groups = {title: [f"docs/{page}" for page in re.findall(r"\]\(([\w/.-]+\.md)\)", text)]
              for title, text in zip(sections[::2], sections[1::2], strict=True) if not text.startswith("\n|")}
    groups["Reference"].append(OPTIONS_PAGE)
    groups["Project"] = ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "benchmarks/README.md"]
    first = {"ppgen": "README.md", "Questions": "docs/README.md", "Troubleshooting": "docs/troubleshooting.md"}
    entries = {**first, **groups}.items()
    return f"[{', '.join(f'{{{json.dumps(title)} = {json.dumps(pages)}}}' for title, pages in entries)}]"


def make_site(folder: Path) -> int:
    """Make the site; return zensical's exit code."""
    with TemporaryDirectory() as name:
        work = Path(name)
        pages = [path for pattern in ("*.md", "LICENSE", "docs/**/*.md", "docs/images/*", "benchmarks/*.md")
                 for path in ROOT.glob(pattern)]
        for path in pages:
            target = work / "pages" / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            content = path.read_bytes()  # consoles of the docs show what is typed, without a prompt
            target.write_bytes(content.replace(b"```console", b"```bash") if path.suffix == ".md" else content)
        (work / "pages" / OPTIONS_PAGE).write_text(options_page(), encoding="utf-8")
        (work / "zensical.toml").write_text(CONFIG.format(nav=navigation()), encoding="utf-8")
        done = subprocess.run([sys.executable, "-m", "zensical", "build", "--strict"], cwd=work)
        if not done.returncode:
            shutil.copytree(work / "site", folder, dirs_exist_ok=True)
        return done.returncode


if __name__ == "__main__":
    sys.exit(make_site(Path(sys.argv[1])))
