"""Needs of any run from the system: requests to stop it, and files that are written whole or not at all."""
