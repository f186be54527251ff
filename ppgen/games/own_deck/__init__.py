"""A deck of one's own: tables and templates become parts, without a line of Python."""
