"""A run and the system: the child for strangers' files, requests to stop it, files written whole or not at all."""
