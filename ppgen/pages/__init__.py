"""The pages in the browser: the site, the score page, the table, and that of ``ppgen open``."""
