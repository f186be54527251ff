"""The parts of the printed set: cards, tablets, stones, score sheet, rules."""
