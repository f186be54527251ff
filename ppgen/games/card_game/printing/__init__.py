"""The parts of the printed set: cards, tokens, score sheet, rules."""
