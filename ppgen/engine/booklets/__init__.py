"""Booklets: running text with figures as tagged PDF, page by page or on sheets to fold."""
