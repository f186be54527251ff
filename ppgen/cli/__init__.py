"""The command line: commands and options, messages, exit codes, and the writing of files.

Nothing is imported here: ``start`` installs signal handlers before the rest is loaded.
"""
