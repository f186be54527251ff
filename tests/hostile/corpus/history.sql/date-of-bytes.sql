UPDATE games SET date = x'00ff';
