// What is typed is added up by the rules of the game. A cell holds a number or a sum like 3+2.
// Before this stand the scoring itself (cardGame), scoreRules and scorePlayers.

function scoreText(name) {
  var field = this.getField(name);
  return field === null || field.value === null ? "" : "" + field.value;
}

// The sum in a cell; -1 if nothing is written there.
function scoreCount(name) {
  return cardGame.count(scoreText(name));
}

// A column in which anything is written belongs to a player.
function scorePlays(player) {
  var column = "p" + player + ".";
  return scoreText(column + "name") !== "" || scoreRules.countries.some(function (country) {
    return scoreCount(column + country.id + ".cards") >= 0 || scoreCount(column + country.id + ".symbols") >= 0;
  }) || scoreCount(column + "ships") >= 0 || scoreCount(column + "carriages") >= 0
    || scoreCount(column + "minus_two") >= 0;
}

// The counts of a row, player by player; -1 where nothing is written.
function scoreRow(row) {
  var counts = [];
  for (var player = 1; player <= scorePlayers; player++) { counts.push(scoreCount("p" + player + "." + row)); }
  return counts;
}

// What stands in a row of points: blank until anyone has written into a row of counts it depends on.
function scorePoints(player, rows, points) {
  var counts = rows.map(scoreRow);
  var written = counts.some(function (row) { return Math.max.apply(null, row) >= 0; });
  if (!written || !scorePlays(player)) { return ""; }
  return "" + points.apply(null, counts.map(function (row) {
    return row.map(function (count) { return Math.max(0, count); });
  }));
}

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

// The sum of points above; blank if all of them are.
function scoreSum(names) {
  var sum = 0, blank = true;
  for (var i = 0; i < names.length; i++) {
    var text = scoreText(names[i]);
    if (/^-?[0-9]+$/.test(text)) { sum += parseInt(text, 10); blank = false; }
  }
  return blank ? "" : "" + sum;
}

function scoreSubtotal(player, points) {
  return scoreSum(scoreRules.countries.map(function (country) {
    return "p" + player + "." + country.id + "." + points;
  }));
}

// pdf.js lets Tab go by place, over computed points too, unless they are locked while its scripts run.
function scoreLock(names) {
  if (app.viewerType !== "PDF.js") { return; }
  for (var i = 0; i < names.length; i++) { this.getField(names[i]).readonly = true; }
}

// A cell takes digits and plus signs. Some viewers ask only in the end: then it falls back to what it held.
function scoreKeystroke() {
  if (event.willCommit) {
    event.rc = /^[0-9+]*$/.test(cardGame.plain("" + event.value));
    return;
  }
  var typed = "" + event.change;
  var plain = cardGame.plain(typed).replace(/[^0-9+]/g, "");
  if (typed !== "" && plain === "") { event.rc = false; } else if (plain !== typed) { event.change = plain; }
}
