"""Readers of untrusted files: checked values from TOML, CSV, locale files and PDF forms."""
