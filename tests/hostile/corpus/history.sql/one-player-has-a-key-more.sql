UPDATE games SET result = replace(result, '{"name": "Anna"', '{"more": 1, "name": "Anna"');
