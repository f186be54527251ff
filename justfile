# Short names for the commands in CONTRIBUTING.md. Set up the environment first, as it says there.

python := ".venv/bin/python"

# List the recipes
default:
    @just --list

# All checks and the quick tests; with --all the slow ones too
check *ARGUMENTS:
    {{python}} tools/check.py {{ARGUMENTS}}

# Some of the tests: just test tests/engine -k fold
test *ARGUMENTS:
    {{python}} -m pytest {{ARGUMENTS}}

# The reference of template functions, from the code
functions:
    {{python}} -m tools.functions_page

# The tests that follow the documentation
docs:
    {{python}} -m pytest tests/test_docs.py tests/test_readme.py tests/test_page_commands.py tests/test_translating.py tests/test_your_own_game.py

# The site of the documentation, in output/docs; needs requirements-docs.txt
site:
    {{python}} -m tools.docs_site output/docs

# The pictures of the README
pictures *ARGUMENTS:
    {{python}} -m tools.pictures {{ARGUMENTS}}

# Speed, measured against the aims
bench *ARGUMENTS:
    {{python}} -m benchmarks.aims {{ARGUMENTS}}
