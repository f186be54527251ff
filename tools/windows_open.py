"""``Open ppgen.exe``, the script in it: begins ``ppgen open`` for what is dropped on it, or in Documents/ppgen."""

import os
import re
import subprocess
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path


def find_games() -> Path:
    """The folder for new games, which is made."""
    home = Path(os.environ["USERPROFILE"])
    documents = (home / "OneDrive" / "Documents", home / "Documents")
    games = next((folder for folder in documents if folder.is_dir()), home) / "ppgen"
    games.mkdir(exist_ok=True)
    return games


def main() -> int:
    """Open a deck, make one of a table or of pictures, or begin without."""
    dropped = Path(sys.argv[1]).absolute() if len(sys.argv) > 1 else None
    deck = dropped.parent if dropped and dropped.name == "deck.toml" else dropped
    if deck and not (deck / "deck.toml").is_file():
        name = re.sub(r"[^\w-]+", "-", deck.stem).strip("-") or "deck"
        names = (f"{name}-{number}" if number else name for number in count())
        deck = next(folder for folder in (find_games() / each for each in names) if not folder.exists())
        made = subprocess.run([sys.executable, "-m", "ppgen", "new", deck.name, "--from", str(dropped)],
                              cwd=deck.parent)
        if made.returncode:
            return made.returncode
    os.chdir(deck or find_games())
    sys.argv[1:] = ["open"]
    from ppgen.cli.start import exit_code

    return exit_code()


if __name__ == "__main__":
    print("ppgen opens its page in your browser. Close this window to end it.", flush=True)
    try:
        code = main()
    except BaseException as error:
        code = 1
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
    if code:
        with suppress(EOFError):
            input("Enter closes this window. ")
    os._exit(code)
