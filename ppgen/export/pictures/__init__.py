"""Parts into their faces as pictures: drawn, named, written."""
