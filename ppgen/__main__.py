"""``python -m ppgen``."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # the working folder: its modules may come from strangers

from ppgen.cli.start import program

program()
