// The fields of a score sheet's form, whatever the game. A cell holds a number or a sum like 3+2.
// Before this stand tallyCounts, scorePlayers (how many columns there are) and scoreCells (the cells of a column).

function scoreText(name) {
  var field = this.getField(name);
  return field === null || field.value === null ? "" : "" + field.value;
}

// The sum in a cell; -1 if nothing is written there.
function scoreCount(name) {
  return tallyCounts.count(scoreText(name));
}

// A column in which anything is written belongs to a player.
function scorePlays(player) {
  var column = "p" + player + ".";
  return scoreText(column + "name") !== "" || scoreCells.some(function (cell) {
    return scoreCount(column + cell) >= 0;
  });
}

// The counts of a cell, player by player; -1 where nothing is written.
function scoreRow(cell) {
  var counts = [];
  for (var player = 1; player <= scorePlayers; player++) { counts.push(scoreCount("p" + player + "." + cell)); }
  return counts;
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

// pdf.js lets Tab go by place, over computed points too, unless they are locked while its scripts run.
function scoreLock(names) {
  if (app.viewerType !== "PDF.js") { return; }
  for (var i = 0; i < names.length; i++) { this.getField(names[i]).readonly = true; }
}

// A cell takes digits and plus signs, and minus signs if it is signed. Some viewers ask only in the end: then it falls
// back to what it held.
function scoreKeystroke(signed) {
  var read = signed ? tallyCounts.plainSigned : tallyCounts.plain;
  if (event.willCommit) {
    event.rc = (signed ? /^[-0-9+]*$/ : /^[0-9+]*$/).test(read("" + event.value));
    return;
  }
  var typed = "" + event.change;
  var plain = read(typed).replace(signed ? /[^-0-9+]/g : /[^0-9+]/g, "");
  if (typed !== "" && plain === "") { event.rc = false; } else if (plain !== typed) { event.change = plain; }
}

// What a cell shows until it is clicked: the result of a sum, which has no room in it, with a minus sign of a typesetter.
function scoreFormat() {
  var text = "" + event.value;
  event.value = ("" + (/[0-9][-+]/.test(text) ? tallyCounts.points(text) : text)).replace("-", "\u2212");
}
