"""The score sheet asked for on a terminal, country by country."""
