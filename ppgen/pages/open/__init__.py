"""The set as pictures on the screen, again whenever a file is saved."""
