UPDATE games SET result = replace(result, '"winners": [', '"winners": [1, ');
