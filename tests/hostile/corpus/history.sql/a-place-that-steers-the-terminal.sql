UPDATE games SET place = char(27) || '[2J';
