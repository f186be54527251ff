// The fields of a sheet with the rules of score.toml. Before this stand scoreLines, the fields, and scoreRules, of which
// fields has the field of each line's points (null if there is none), zeros the lines that score where nothing is written.

// The number in a cell, also below 0; null if nothing is written there.
function scoreEntry(name) {
  return tallyCounts.points(scoreText(name));
}

// The seats that a line looks at: all of them, or those in play where their number matters.
function scoreSeats(inPlay) {
  var seats = [];
  for (var player = 1; player <= scorePlayers; player++) { if (!inPlay || scorePlays(player)) { seats.push(player); } }
  return seats;
}

// Whether a line sums a player's own points: these are blank for all players at once, unless they are entries.
function scoreAlone(line) {
  return !!line.points_of && !line.before && !line.places && !line.only && !line.whose
    && !line.points_of.some(function (n) { return scoreRules.lines[n].signed; });
}

// What a line scores for a player; blank until anything is written into what it depends on.
function scoreCell(player, n) {
  if (!scorePlays(player)) { return ""; }
  var line = scoreRules.lines[n], byNumber = Object.keys(line.places || { 1: 0 }).join() !== "1";
  var inPlay = byNumber || line.want || line.only === "fewest" || line.not_all;
  var seats = scoreAlone(line) ? [player] : scoreSeats(inPlay);
  var written = scoreRules.zeros.indexOf(n) >= 0, points = {};
  var columns = seats.map(function (seat) {
    var column = {};
    (line.counts || []).forEach(function (cell) {
      var own = scoreEntry("p" + seat + "." + cell);
      if (own !== null) { column[cell] = own; written = true; }
    });
    return column;
  });
  (line.points_of || []).forEach(function (other) {
    points[other] = seats.map(function (seat) {
      var field = scoreRules.fields[other];
      var own = field === null ? tallyCounts.points(scoreCell(seat, other)) : scoreEntry("p" + seat + "." + field);
      written = written || own !== null;
      return own || 0;
    });
  });
  if (!written) { return ""; }
  var values = scoreLines.valuesOf(line, columns, points);
  return "" + scoreLines.scoreLine(line, scoreLines.countLine(line, values), values, columns)[seats.indexOf(player)];
}
