"""``python -m ppgen``."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # the working folder: modules that lie there may be a stranger's

from ppgen.cli.start import program

program()
