UPDATE games SET tallies = printf('%.*c', 5000, '['), result = printf('%.*c', 5000, '[');
