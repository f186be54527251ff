"""PDF: faces, sheets with their marks and captions, form fields."""
