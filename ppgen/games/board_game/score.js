// The scoring of the board game for everything that runs scripts: the twin of points.py.
// Plain ECMAScript 5 on plain values; before it stand tallyCounts and scoreLines. It scores what was checked; what can't
// be right, it doesn't say.
//
// rules is {lines, tie_break, countries: [{id, spaces}, ...], roads, alliances: [{box, countries}, ...], pieces,
// chain_length, most_chains}, as rules_json writes it. Sets of spaces are numbers, a bit for each space that a player holds.
var boardGame = (function () {
  "use strict";

  function sum(numbers) {
    return numbers.reduce(function (before, number) { return before + number; }, 0);
  }

  function has(table, key) {
    return !!table && Object.prototype.hasOwnProperty.call(table, key);
  }

  // ---------- what is written: letters and names ----------

  // The characters of a text, full-width letters made plain, without spaces.
  function letters(written) {
    var made = [], text = tallyCounts.plain(written);
    for (var at = 0; at < text.length; at++) {
      var code = text.charCodeAt(at), letter = text.charAt(at);
      if (code >= 0xD800 && code <= 0xDBFF) { // the first half of a rarer character
        at += 1;
        letter += text.charAt(at);
      }
      if (!/\s/.test(letter)) { made.push(letter.toUpperCase()); }
    }
    return made;
  }

  // Whether it is one: cased, or of a script that has no case.
  function isLetter(letter) {
    var code = (letter || " ").charCodeAt(0);
    return !!letter && (letter.toLowerCase() !== letter || code >= 0x5D0 && code < 0x2000 ||
      code >= 0x3041 && code < 0xD7A4 || code >= 0xD840 && code < 0xD880);
  }

  // The letters of the players: the first ones of their names where those differ, else A to E by seat; the seats' ones,
  // too, where nobody's name begins with such a letter.
  function initials(players) {
    var first = players.map(function (name) { return letters(name)[0]; });
    var differ = first.every(function (letter, seat) { return first.indexOf(letter) === seat; });
    var usable = differ && first.every(function (letter) { return isLetter(letter); });
    var latin = first.some(function (letter) { return /^[A-Z]$/.test(letter); });
    return { own: usable ? first : [], seats: usable && latin ? [] : ["A", "B", "C", "D", "E"].slice(0, first.length) };
  }

  // The seat that a letter or a name stands for, or -1.
  function seatOf(word, players, known) {
    var name = players.indexOf(word), letter;
    if (name >= 0) { return name; }
    letter = letters(word).join("");
    return known.own.indexOf(letter) >= 0 ? known.own.indexOf(letter) : known.seats.indexOf(letter);
  }

  // The numbers of the players in each country, by its id.
  function inCountries(table, names, rules) {
    var made = {};
    rules.countries.forEach(function (country) {
      made[country.id] = has(table, country.id) ? table[country.id] : names.map(function () { return 0; });
    });
    return made;
  }

  // ---------- points ----------

  // Points of each player for counts cloisters in a country.
  function countryPoints(counts) { return scoreLines.scoreLine({ before: true }, counts); }

  // Whether the player of a seat has, or shares, the most councillors in a country.
  function leads(counts, seat) {
    return counts[seat] > 0 && counts[seat] === Math.max.apply(null, counts);
  }

  // Points of each player for the councillors in the two countries of an alliance.
  function alliancePoints(one, other) {
    return one.map(function (held, seat) {
      return leads(one, seat) && leads(other, seat) ? sum(one) + sum(other) : 0;
    });
  }

  // ---------- chains ----------

  function size(mask) {
    var count = 0;
    for (; mask; mask &= mask - 1) { count += 1; }
    return count;
  }

  function places(mask) {
    var made = [];
    for (var place = 0; mask >> place; place++) { if (mask >> place & 1) { made.push(place); } }
    return made;
  }

  // The spaces of part to which roads lead from the first one.
  function reached(first, part, near) {
    var found = 1 << first, todo = [first];
    while (todo.length) {
      places(near[todo.pop()] & part & ~found).forEach(function (place) { found |= 1 << place; todo.push(place); });
    }
    return found;
  }

  // Chains of least to most through a space, one for each set of spaces, the longest first.
  function chainsThrough(first, part, near, least) {
    var most = 2 * least - 1, arms = [[{ mask: 0, spaces: [] }]], found = [], seen = {};
    for (var length = 1; length < most; length++) {
      arms.push([]);
      arms[length - 1].forEach(function (arm) {
        var end = arm.spaces.length ? arm.spaces[arm.spaces.length - 1] : first;
        places(near[end] & part & ~arm.mask & ~(1 << first)).forEach(function (place) {
          arms[length].push({ mask: arm.mask | 1 << place, spaces: arm.spaces.concat([place]) });
        });
      });
    }
    function put(arm, other) {
      var mask = arm.mask | other.mask | 1 << first;
      if (arm.mask & other.mask || has(seen, mask)) { return; }
      seen[mask] = true;
      found.push({ mask: mask, spaces: arm.spaces.slice().reverse().concat([first], other.spaces) });
    }
    for (var long = most - 1; long > 0; long--) {
      for (var short = Math.min(long, most - 1 - long); short >= 0 && 1 + long + short >= least; short--) {
        arms[long].forEach(function (arm) { arms[short].forEach(function (other) { put(arm, other); }); });
      }
    }
    var sorted = [];
    for (var count = most; count >= least; count--) {
      sorted = sorted.concat(found.filter(function (chain) { return chain.spaces.length === count; }));
    }
    return sorted;
  }

  // The best division of the spaces in part: how many cloisters are covered, and by which chains. The search holds
  // near, least, what is known of sets, and how many chains it found: beyond most it goes on with the first alone.
  function best(part, search) {
    var known = search.known;
    if (size(part) < search.least) { return { count: 0, chains: [] }; }
    if (!has(known, part)) {
      var first = places(part & -part)[0], joined = reached(first, part, search.near);
      if (joined === part) {
        known[part] = bestJoined(first, part, search);
      } else {
        var one = best(joined, search), other = best(part & ~joined, search);
        known[part] = { count: one.count + other.count, chains: one.chains.concat(other.chains) };
      }
    }
    return known[part];
  }

  // The best division of spaces that hang together: with each chain through the first of them, or without it.
  function bestJoined(first, part, search) {
    var most = size(part), found = { count: 0, chains: [] };
    var through = chainsThrough(first, part, search.near, search.least);
    search.found += through.length;
    var ended = through.some(function (chain) {
      var length = chain.spaces.length, rest = part & ~chain.mask;
      if (length + size(rest) > found.count) {
        var others = best(rest, search);
        if (others.count + length > found.count) {
          found = { count: others.count + length, chains: [chain.spaces].concat(others.chains) };
        }
      }
      return found.count === most || search.found > search.most;
    });
    if (ended) { return found; }
    var without = best(part & ~(1 << first), search);
    return without.count > found.count ? without : found;
  }

  // The chains, those whose ends a road joins made one.
  function joined(chains, near) {
    for (var one = 0; one < chains.length; one++) {
      for (var other = one + 1; other < chains.length; other++) {
        for (var way = 0; way < 4; way++) {
          var left = way < 2 ? chains[one] : chains[one].slice().reverse();
          var right = way % 2 ? chains[other].slice().reverse() : chains[other];
          if (near[left[left.length - 1]] >> right[0] & 1) {
            var rest = chains.filter(function (chain) { return chain !== chains[one] && chain !== chains[other]; });
            return joined([left.concat(right)].concat(rest), near);
          }
        }
      }
    }
    return chains;
  }

  // The chains of a player who holds these spaces: the longest first, each from its first space on.
  function bestChains(held, rules) {
    var near = held.map(function () { return 0; });
    rules.roads.forEach(function (road) {
      var one = held.indexOf(road[0]), other = held.indexOf(road[1]);
      if (one >= 0 && other >= 0) { near[one] |= 1 << other; near[other] |= 1 << one; }
    });
    var all = held.reduce(function (mask, space, place) { return mask | 1 << place; }, 0);
    var division = best(all, { near: near, least: rules.chain_length, most: rules.most_chains, known: {},
      found: 0 });
    return joined(division.chains, near).map(function (chain) {
      return chain[0] < chain[chain.length - 1] ? chain : chain.slice().reverse();
    }).sort(function (one, other) {
      return other.length - one.length || one[0] - other[0];
    }).map(function (chain) { return chain.map(function (place) { return held[place]; }); });
  }

  // ---------- the score ----------

  // The lines of rules, scored for players like those of a result; then are the cloisters at the interim scoring, by
  // country, if these are scored and not noted.
  function scored(players, rules, then) {
    return scoreLines.score(rules, players.map(function (player) { return player.name; }), players.map(
      function (player, seat) {
        var column = { noted: then ? 0 : player.before, chain_points: player.chain_points,
          pieces_left: player.pieces_left };
        player.alliances.forEach(function (alliance) { column["box" + alliance.box] = alliance.points; });
        rules.countries.forEach(function (country) {
          column[country.id + ".cloisters"] = player.countries[country.id].cloisters;
          column[country.id + ".interim"] = then && has(then, country.id) ? then[country.id][seat] : 0;
        });
        return column;
      }));
  }

  // What alliances score for the player of a seat.
  function allied(advising, seat, rules) {
    return rules.alliances.map(function (alliance) {
      return { box: alliance.box, points: alliancePoints(advising[alliance.countries[0]],
        advising[alliance.countries[1]])[seat] };
    }).filter(function (alliance) { return alliance.points; });
  }

  // A position with seats and numbers in place of letters, as judge.js checks it, scored: what "ppgen score --format
  // json" prints, without the sentences of its warnings. With interim, as the interim scoring does.
  function score(position, rules, interim) {
    var names = position.players, on = position.spaces || {}, hasSpaces = Object.keys(on).length > 0;
    var cloisters = position.cloisters || {}, hasCloisters = Object.keys(cloisters).length > 0;
    var before = position.before || [], chained = !hasSpaces && hasCloisters && position.chains || [];
    var advising = inCountries(position.councillors, names, rules);
    var then = inCountries(position.interim, names, rules), standing = then;
    if (hasSpaces) {
      standing = {};
      rules.countries.forEach(function (country) {
        standing[country.id] = names.map(function (name, seat) {
          return country.spaces.filter(function (space) { return on[space] === seat; }).length;
        });
      });
    } else if (hasCloisters || !interim) {
      standing = inCountries(cloisters, names, rules);
    }
    var labels = Array.prototype.concat.apply([], rules.countries.map(function (country) { return country.spaces; }));
    var players = names.map(function (name, seat) {
      var countries = {}, chains = interim ? [] : bestChains(labels.filter(function (space) {
        return on[space] === seat;
      }), rules);
      rules.countries.forEach(function (country) {
        countries[country.id] = { cloisters: standing[country.id][seat], councillors: advising[country.id][seat] };
      });
      return { name: name, rank: 1, total: 0, countries: countries, chains: chains, pieces_left: 0,
        before: interim ? 0 : before[seat] || 0,
        alliances: interim ? [] : allied(advising, seat, rules),
        chain_points: chained.length && !interim ? chained[seat] :
          sum(chains.map(function (chain) { return chain.length; })) };
    });
    function left(player) {
      return rules.pieces - sum(rules.countries.map(function (country) {
        return player.countries[country.id].cloisters + player.countries[country.id].councillors;
      }));
    }
    if (!interim) { players.forEach(function (player) { player.pieces_left = left(player); }); } // it breaks ties
    var found = scored(players, rules, before.length || interim ? null : then);
    players.forEach(function (player, seat) {
      rules.lines.forEach(function (line, n) {
        if (line.group === "cloisters") { player.countries[line.row].points = found.points[n][seat]; }
        if (line.added === false) { player[line.key] = found.points[n][seat]; }
      });
      player.rank = found.ranks[seat];
      player.total = found.totals[seat];
      player.pieces_left = left(player);
    });
    var stands = players.some(function (player) {
      return rules.countries.some(function (country) { return player.countries[country.id].cloisters; });
    });
    return { game: "board-game", complete: !!(!interim && (before.length || position.interim) && stands &&
        (hasSpaces || chained.length)),
      winners: names.filter(function (name, seat) { return found.ranks[seat] === 1; }),
      tie_break: found.decided || null, warnings: [], players: players };
  }

  return { letters: letters, initials: initials, seatOf: seatOf, countryPoints: countryPoints,
    alliancePoints: alliancePoints, bestChains: bestChains, scored: scored, score: score };
}());
