"""Running text into tagged booklets."""
