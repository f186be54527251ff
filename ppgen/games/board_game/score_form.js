// The letters on the sheet are scored by the rules of the game.
// Before this stand the scoring itself (boardGame), the fields, and scoreRules.

// What every box of points holds, by the names of the fields, and the texts of which that was computed.
var scoreValues = {}, scoreRead = null;

// The position that stands on the sheet, and the columns of its players.
function scorePosition() {
  var position = { players: [], spaces: {}, councillors: {}, interim: {}, noted: false }, seats = [], texts = [], known;
  function seatOf(word) { return boardGame.seatOf(word, position.players, known); }
  function read(name) {
    var text = scoreText(name);
    texts.push(text);
    position.noted = position.noted || text !== "";
    return text;
  }
  function count(table, country, key) {
    var text = read(country.id + "." + key);
    if (text !== "") {
      table[country.id] = seats.map(function (seat, place) {
        return boardGame.letters(text).filter(function (letter) { return seatOf(letter) === place; }).length;
      });
    }
  }
  for (var player = 1; player <= scorePlayers; player++) {
    var name = scoreText("p" + player + ".name").replace(/^\s+|\s+$/g, "");
    texts.push(name);
    if (name !== "") { position.players.push(name); seats.push(player); }
  }
  known = boardGame.initials(position.players);
  scoreRules.countries.forEach(function (country) {
    country.spaces.forEach(function (space) {
      var seat = seatOf(read(country.id + "." + space));
      if (seat >= 0) { position.spaces[space] = seat; }
    });
    count(position.councillors, country, "councillors");
    count(position.interim, country, "interim");
  });
  if (Object.keys(position.interim).length === 0) {
    var before = scoreRow("before");
    texts.push(before.join());
    position.interim = null;
    position.before = seats.map(function (seat) { return Math.max(0, before[seat - 1]); });
    position.noted = position.noted || seats.some(function (seat) { return before[seat - 1] >= 0; });
  }
  return { position: position, seats: seats, read: texts.join("\n") };
}

// The points of each country in a table like {FR: [3, 1, 0]}, for the countries in which anything stands.
function scoreCountries(values, seats, key, counts, points) {
  scoreRules.countries.forEach(function (country) {
    if (!counts(country).some(function (count) { return count > 0; })) { return; }
    seats.forEach(function (seat, place) { values["p" + seat + "." + country.id + "." + key] = points(country, place); });
  });
}

// What all boxes of points hold.
function scoreAll(found) {
  var position = found.position, seats = found.seats, values = {}, early = position.interim;
  if (!seats.length || !position.noted) { return values; }
  if (early === null) { delete position.interim; } else { delete position.before; }
  var result = boardGame.score(position, scoreRules, false);
  scoreCountries(values, seats, "points", function (country) {
    return result.players.map(function (player) { return player.countries[country.id].cloisters; });
  }, function (country, place) { return result.players[place].countries[country.id].points; });
  if (early !== null) {
    var then = boardGame.score({ players: position.players, cloisters: early }, scoreRules, true);
    scoreCountries(values, seats, "interim_points", function (country) {
      return then.players.map(function (player) { return player.countries[country.id].cloisters; });
    }, function (country, place) { return then.players[place].countries[country.id].points; });
  }
  scoreRules.alliances.forEach(function (alliance) {
    var points = result.players.map(function (player) {
      return player.alliances.filter(function (scored) { return scored.box === alliance.box; })
        .reduce(function (sum, scored) { return sum + scored.points; }, 0);
    });
    if (!points.some(function (each) { return each > 0; })) { return; }
    seats.forEach(function (seat, place) { values["p" + seat + ".box" + alliance.box] = points[place]; });
  });
  result.players.forEach(function (player, place) {
    var column = "p" + seats[place] + ".";
    ["cloister_subtotal", "alliance_subtotal", "chain_points", "total", "pieces_left"].forEach(function (key) {
      values[column + key] = player[key];
    });
    if (early !== null) { values[column + "before"] = player.before; }
  });
  return values;
}

// Every box of points asks for its value; all are computed as soon as anything else is read than before.
function scorePut(name) {
  if (name === "p1.before") {
    var found = scorePosition();
    if (found.read !== scoreRead) { scoreRead = found.read; scoreValues = scoreAll(found); }
  }
  var known = Object.prototype.hasOwnProperty.call(scoreValues, name);
  if (known) { event.value = "" + scoreValues[name]; } else if (!/\.before$/.test(name)) { event.value = ""; }
}
