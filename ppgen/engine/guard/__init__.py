"""Limits of strangers' templates and drawings: sandbox, metering and drawing cost."""
