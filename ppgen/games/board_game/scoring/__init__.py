"""Points by the rules, and every way of telling them."""
