// What is typed is added up by the rules of the game.
// Before this stand the scoring itself (cardGame), the fields, and scoreRules.

function scoreCountry(player, id) {
  var number = scoreRules.countries.filter(function (country) { return country.id === id; })[0].number;
  return scorePoints(player, [id + ".cards"], function (counts) {
    return cardGame.countryPoints(counts, number)[player - 1];
  });
}

function scoreSymbols(player, id) {
  return scorePoints(player, [id + ".symbols"], function (counts) {
    return cardGame.symbolPoints(counts)[player - 1];
  });
}

function scoreChains(player) {
  return scorePoints(player, ["ships", "carriages"], function (ships, carriages) {
    return cardGame.chainPoints(ships[player - 1], scoreRules)
      + cardGame.chainPoints(carriages[player - 1], scoreRules);
  });
}

function scoreLaw(player) {
  return scorePoints(player, ["minus_two"], function (tablets) {
    return cardGame.lawPoints(tablets[player - 1], scoreRules);
  });
}

function scoreSubtotal(player, points) {
  return scoreSum(scoreRules.countries.map(function (country) {
    return "p" + player + "." + country.id + "." + points;
  }));
}
