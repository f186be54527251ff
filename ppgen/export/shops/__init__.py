"""A set for print shops: which product for which piece, its pictures or pages, and what to do with them."""
