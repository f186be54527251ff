"""The board and the words of a language into what is printed: parts and rules."""
