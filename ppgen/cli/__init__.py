"""Turns a command line into calls of the house, and what comes back into lines and exit codes.

Nothing is imported here: ``start`` listens to requests to stop before the rest is loaded.
"""
