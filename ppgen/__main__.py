"""``python -m ppgen``."""

from ppgen.cli import main

main()
