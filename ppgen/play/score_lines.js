// Scores by the rules of score.toml, and the reasons in words: the twin of line_points.py, for forms and pages.
// Plain ECMAScript 5 on plain values. rules is what Rules.data() writes; columns are the cells of each player by name.
var scoreLines = (function () {
  "use strict";
  var COMPUTED = {
    "+": function (a, b) { return a + b; }, "-": function (a, b) { return a - b; },
    "*": function (a, b) { return a * b; }, "//": function (a, b) { return Math.floor(a / b); },
    "==": function (a, b) { return Number(a === b); }, "!=": function (a, b) { return Number(a !== b); },
    "<": function (a, b) { return Number(a < b); }, "<=": function (a, b) { return Number(a <= b); },
    ">": function (a, b) { return Number(a > b); }, ">=": function (a, b) { return Number(a >= b); },
    "min": Math.min, "max": Math.max
  };

  function or(value, usual) { return value === undefined ? usual : value; }

  function sum(numbers) { return numbers.reduce(function (before, number) { return before + number; }, 0); }

  function compute(tree, values) {
    if (typeof tree === "number") { return tree; }
    if (tree[0] === "entry") { return values[tree[1]]; }
    return COMPUTED[tree[0]].apply(null, tree.slice(1).map(function (each) { return compute(each, values); }));
  }

  function take(how, values) {
    if (how === "most") { return Math.max.apply(null, values); }
    if (how === "least") { return Math.min.apply(null, values); }
    if (how === "kinds") { return values.filter(function (each) { return each > 0; }).length; }
    return sum(values);
  }

  function valuesOf(line, columns, points) {
    return columns.map(function (column, seat) {
      return line.points_of ? line.points_of.map(function (n) { return points[n][seat]; })
        : (line.counts || [line.key]).map(function (cell) { return column[cell] || 0; });
    });
  }

  function countLine(line, values) {
    var own = values.map(function (each) { return take(line.take, each); }), all = sum(own);
    return line.whose === "others" ? own.map(function (each) { return all - each; }) : own;
  }

  function single(line, count) {
    if (count < or(line.least, 0) && !line.signed) { return 0; }
    if (line.table) {
      return line.table.reduce(function (found, step) { return count >= step[0] ? step[1] : found; }, 0);
    }
    return or(line.each, 1) * Math.floor(Math.min(count, or(line.up_to, 9999)) / or(line.per, 1)) || 0; // not -0
  }

  // The counts of the places: the highest first, or the fewest; 0 has no place among the most.
  function order(want, counts) {
    var least = want === "fewest";
    return counts.filter(function (count, n) { return (least || count !== 0) && counts.indexOf(count) === n; })
      .sort(function (one, other) { return least ? one - other : other - one; });
  }

  function placesOf(line, counts, places) {
    if (line.before) { return [line.exist || sum(counts)].concat(places); }
    var fitting = Object.keys(line.places).map(Number).filter(function (least) { return counts.length >= least; });
    return fitting.length ? line.places[Math.max.apply(null, fitting)] : [];
  }

  function whole(number) { return number < 0 ? Math.ceil(number) : Math.floor(number); }

  function scorePlaces(line, counts) {
    var places = order(line.want, counts), worth = placesOf(line, counts, places), points = {}, ahead = 0;
    places.forEach(function (count, place) {
      var tied = counts.filter(function (each) { return each === count; }).length;
      var own = worth.slice(or(line.ties, "each") === "each" ? place : ahead), first = own.length ? own[0] : 0;
      points[count] = line.ties === "share" ? whole(first / tied) : line.ties === "none" ? (tied === 1 ? first : 0)
        : line.ties === "split" ? whole(sum(own.slice(0, tied)) / tied) : first;
      ahead += tied;
    });
    if (line.not_all && places.length === 1 && ahead === counts.length) { points = {}; }
    return counts.map(function (count) { return points[count] || 0; });
  }

  // A formula scores where anything was played: 0 may be worth something.
  function scoreLine(line, counts, values, columns) {
    if (line.before || line.places) { return scorePlaces(line, counts); }
    var top = order(line.only, counts)[0];
    return counts.map(function (count, seat) {
      if (line.only && count !== top) { return 0; }
      if (line.formula === undefined) { return single(line, count); }
      return (line.counts || [line.key]).some(function (cell) { return columns[seat][cell] !== undefined; })
        ? compute(line.formula, values[seat]) : 0;
    });
  }

  // Counts, points, totals, ranks, decided and values, as Score has them in Python.
  function score(rules, names, columns) {
    var counts = [], points = [];
    rules.lines.forEach(function (line, n) {
      var values = valuesOf(line, columns, points);
      counts.push(countLine(line, values));
      points.push(scoreLine(line, counts[n], values, columns));
    });
    var totals = names.map(function (_, seat) {
      return sum(rules.lines.map(function (line, n) { return line.added === false ? 0 : points[n][seat]; }));
    });
    var values = rules.tie_break.map(function (each) {
      return columns.map(function (column) { return sum(each[2].map(function (cell) { return column[cell] || 0; })); });
    });
    var merits = totals.map(function (total, seat) {
      return [rules.lowest ? -total : total].concat(values.map(function (own, n) {
        return rules.tie_break[n][0] === "fewest" ? -own[seat] : own[seat];
      }));
    });
    function leads(one, other) {
      for (var n = 0; n < one.length; n++) { if (one[n] !== other[n]) { return one[n] > other[n]; } }
      return false;
    }
    var ranks = merits.map(function (own) {
      return 1 + merits.filter(function (other) { return leads(other, own); }).length;
    });
    var first = merits[ranks.indexOf(1)], decided = "", left = merits.filter(function (each) {
      return each[0] === first[0];
    });
    if (left.length > 1) {
      decided = "draw";
      rules.tie_break.some(function (each, n) {
        left = left.filter(function (own) { return own[n + 1] === first[n + 1]; });
        if (left.length === 1) { decided = each[1]; }
        return left.length === 1;
      });
    }
    return { names: names, counts: counts, points: points, totals: totals, ranks: ranks, decided: decided,
      deciders: values };
  }

  // ---- words: find(key) has the texts of a language; what is made of it is Words in Python ----

  function signed(points) { return String(points).replace("-", "\u2212"); }

  function speaker(find) {
    var words = {};
    words.lookup = function (key, group) {
      var keys = ["explain." + group + ".", "explain." + (group || "").split(".")[0] + ".", "explain.", "results."];
      return keys.reduce(function (found, before) { return or(found, find(before + key)); }, undefined);
    };
    words.say = function (key, values, group) {
      return or(words.lookup(key, group), find(key)).replace(/\{([a-z_]+)\}/g, function (hole, name) {
        return values[name] === undefined ? hole : values[name];
      });
    };
    words.chain = function (key, parts) {
      return parts.length ? parts.reduce(function (first, last) {
        return words.say(key, { first: first, last: last });
      }) : "";
    };
    words.join = function (names) {
      var last = names[names.length - 1], first = words.chain("list", names.slice(0, -1));
      return first ? words.say("and", { first: first, last: last }) : last;
    };
    words.sentence = function (what, clauses) {
      return words.say("line", { what: what, parts: words.chain("also", clauses) });
    };
    words.count = function (what, count) {
      var one = find("counted.singular").split(/\s+/).indexOf(String(Math.abs(count))) < 0 ? "" : "_one";
      var own = what === "points" ? undefined : words.lookup("counted" + one, what);
      return or(or(own, find("counted." + what.split(".").pop() + one)), "{count}").replace("{count}", signed(count));
    };
    return words;
  }

  function placeClauses(line, counts, points, names, words) {
    var less = [], clauses = [], places = order(line.only || line.want, counts), first = line.only || or(line.want, "most");
    places.forEach(function (count, place) {
      function named(wanted) { return names.filter(function (_, seat) { return counts[seat] === wanted; }); }
      var tied = named(count), before = place ? named(places[place - 1]) : [], own = points[counts.indexOf(count)];
      if (place && !own) {
        less = less.concat(tied.map(function (name) {
          return words.say("held", { name: name, count: signed(count) }, line.group);
        }));
        return;
      }
      var key = (!place ? first : line.before ? "next_before" : "next") + (tied.length > 1 ? "_shared" : "");
      var nth = ["", "second", "third", "fourth", "fifth"][place];
      clauses.push(words.say(key, { names: words.join(tied), count: signed(count), points: signed(own),
        place: nth ? words.say("places." + nth, {}) : place + 1, before: before.length ? words.say(
          before.length > 1 ? "before_many" : "before_one", { names: words.join(before) }, line.group) : "" }, line.group));
    });
    return less.length ? clauses.concat(words.say("less", { counts: words.chain("list", less) }, line.group))
      : clauses;
  }

  function clausesOf(line, counts, points, names, words) {
    if (!counts.some(Boolean) && !points.some(Boolean)) {
      var nobody = words.lookup("nobody", line.group);
      return nobody === undefined ? [] : [nobody];
    }
    if (line.places && !points.some(Boolean)) { return []; } // a place that scores nothing with so few players
    if (line.before || line.places || line.only) { return placeClauses(line, counts, points, names, words); }
    return names.map(function (name, seat) {
      if (!counts[seat] && !points[seat]) { return ""; }
      var key = line.signed ? "entry" : counts[seat] < or(line.least, 0) ? "short" : "each";
      return words.say(key, { name: name, count: signed(counts[seat]), points: signed(points[seat]),
        measure: or(line.least, 0) }, line.group);
    }).filter(Boolean);
  }

  // The sentence for a line: {about, words}; null if nobody has anything there.
  function lineReason(line, counts, points, names, words) {
    var clauses = clausesOf(line, counts, points, names, words);
    return clauses.length ? { about: line.row, words: words.sentence(line.label, clauses) } : null;
  }

  // The sentence for a player's total, with the text of a key.
  function totalReason(rules, scored, seat, words, key) {
    var values = {}, parts = [];
    rules.lines.forEach(function (line, n) {
      var own = scored.points[n][seat];
      values[line.key.replace(/-/g, "_")] = signed(own);
      if (line.added !== false && own) { parts.push(words.say("part", { points: signed(own), label: line.label })); }
    });
    values.parts = words.chain("list", parts.length ? parts : ["0"]);
    values.total = signed(scored.totals[seat]);
    return { about: seat, words: words.sentence(scored.names[seat], [words.say(key, values)]) };
  }

  // A sentence for each line in which anybody has something, and for each total.
  function reasons(rules, scored, words) {
    return rules.lines.map(function (line, n) {
      return line.added === false ? null : lineReason(line, scored.counts[n], scored.points[n], scored.names, words);
    }).filter(Boolean).concat(scored.names.map(function (_, seat) {
      return totalReason(rules, scored, seat, words, "total");
    }));
  }

  // Who has won and what decided, or who leads; of a game with verdicts, what the total means.
  function verdict(rules, scored, words, over) {
    var ranks = scored.ranks, names = scored.names, first = ranks.indexOf(1), total = scored.totals[first];
    var points = words.count("points", total), decided = scored.decided;
    function join(holds) { return words.join(names.filter(function (_, seat) { return holds(seat); })); }
    var isBest = function (seat) { return scored.totals[seat] === total; }, best = names.filter(function (_, seat) {
      return isBest(seat);
    });
    if (over && rules.verdicts.length && names.length === 1) {
      return words.say("judged", { points: points, verdict: rules.verdicts.reduce(function (found, step) {
        return total >= step[0] ? step[1] : found;
      }, "") });
    }
    if (!over) { return words.say(best.length > 1 ? "leaders" : "leader", { points: points,
      names: join(isBest), name: best[0] }); }
    if (!decided) { return words.say("winner", { name: best[0], points: points }); }
    var n = rules.tie_break.map(function (each) { return each[1]; }).indexOf(decided);
    n = n < 0 ? rules.tie_break.length - 1 : n;
    var by = n < 0 ? ["", "", []] : rules.tie_break[n], values = n < 0 ? [] : scored.deciders[n], own = values[first] || 0;
    var winners = join(function (seat) { return ranks[seat] === 1; }), fewest = by[0] === "fewest";
    var beaten = values.filter(function (_, seat) { return isBest(seat) && ranks[seat] > 1; });
    var line = rules.lines.filter(function (each) { return [each.key, each.group, each.row].indexOf(by[1]) >= 0; })[0];
    var key = decided !== "draw" ? (fewest ? "decided_fewest" : "decided") : beaten.length ? "draw_some"
      : by[1] ? "draw_all" : "draw";
    return words.say(key, { names: key === "draw" ? winners : join(isBest), winners: winners, winner: names[first],
      points: points, own: own, counted: by[1] ? words.count(by[1], own) : "", what: line ? line.label : by[1],
      others: (fewest ? Math.min : Math.max).apply(null, beaten.concat(beaten.length ? [] : [0])) }, by[1]);
  }

  return { score: score, reasons: reasons, lineReason: lineReason, totalReason: totalReason, verdict: verdict,
    speaker: speaker, valuesOf: valuesOf, countLine: countLine, scoreLine: scoreLine, signed: signed };
}());
