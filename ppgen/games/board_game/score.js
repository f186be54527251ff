// The scoring of the board game for everything that runs scripts: the twin of points.py.
// Plain ECMAScript 5 on plain values; before it stands tallyCounts. It scores what was checked; what can't be right, it
// doesn't say.
//
// rules is {countries: [{id, spaces}, ...], roads, alliances: [{box, countries}, ...], pieces, chain_length,
// most_chains}, as rules_json writes it. Sets of spaces are numbers, a bit for each space that a player holds.
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

  // A number, a sum in a text, or nothing at all.
  function number(value) {
    return typeof value === "string" ? Math.max(0, tallyCounts.count(value)) : value || 0;
  }

  // The pieces of each player in one country: "AAB", or {A: 2, B: 1}.
  function counted(value, players, known) {
    var made = players.map(function () { return 0; });
    function add(word, held) {
      var seat = seatOf(word, players, known);
      if (seat >= 0) { made[seat] += held; }
    }
    if (typeof value === "string") {
      letters(value).forEach(function (letter) { add(letter, 1); });
    } else {
      Object.keys(value || {}).forEach(function (word) { add(word, number(value[word])); });
    }
    return made;
  }

  // A number for each player: a list, or a table.
  function numbers(value, players, known) {
    return Array.isArray(value) ? players.map(function (name, seat) { return number(value[seat]); }) :
      counted(value, players, known);
  }

  // The pieces of each player in each country, by its id.
  function table(written, position, known, rules) {
    var made = {};
    rules.countries.forEach(function (country) {
      made[country.id] = counted(has(written, country.id) ? written[country.id] : "", position.players, known);
    });
    return made;
  }

  // The seat on each space: "AB.A", {FR1: "Andreas"}, or the labels without their country.
  function holders(position, known, rules) {
    var made = {}, written = position.spaces || {};
    function put(space, word) {
      var seat = typeof word === "string" ? seatOf(word, position.players, known) : -1;
      if (seat >= 0) { made[space.toUpperCase()] = seat; }
    }
    function putAll(table) {
      Object.keys(table).forEach(function (space) { put(space, table[space]); });
    }
    putAll(written);
    rules.countries.forEach(function (country) {
      var value = has(written, country.id) ? written[country.id] : "";
      if (typeof value !== "string") { putAll(value || {}); return; }
      letters(value).forEach(function (letter, place) { put(country.spaces[place] || "", letter); });
    });
    return made;
  }

  // ---------- points ----------

  // Points of each player for counts cloisters in a country: the most score all that stand there, each next place what
  // one player of the place before has; 0 scores nothing, equal counts share a place.
  function countryPoints(counts) {
    var places = counts.filter(function (held, seat) { return held > 0 && counts.indexOf(held) === seat; });
    places.sort(function (one, other) { return other - one; });
    var before = [sum(counts)].concat(places);
    return counts.map(function (held) { return held > 0 ? before[places.indexOf(held)] : 0; });
  }

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

  // A player's score, for now on rank 1; standing, advising and points are those of all players by country.
  function addUp(position, seat, before, standing, advising, alliances, chains, chainPoints, rules) {
    var countries = {}, cloisters = 0, pieces = 0;
    rules.countries.forEach(function (country) {
      var entry = { cloisters: standing[country.id][seat], councillors: advising[country.id][seat],
        points: countryPoints(standing[country.id])[seat] };
      countries[country.id] = entry;
      cloisters += entry.points;
      pieces += entry.cloisters + entry.councillors;
    });
    var allied = sum(alliances.map(function (alliance) { return alliance.points; }));
    return { name: position.players[seat], rank: 1, total: before + cloisters + allied + chainPoints, before: before,
      countries: countries, cloister_subtotal: cloisters, alliances: alliances, alliance_subtotal: allied,
      chains: chains, chain_points: chainPoints, pieces_left: rules.pieces - pieces };
  }

  // A position as JSON files hold it, scored: what "ppgen score --format json" prints, without the sentences of its
  // warnings. With interim, as the interim scoring does.
  function score(position, rules, interim) {
    var names = position.players, known = initials(names), on = holders(position, known, rules);
    var advising = table(position.councillors, position, known, rules);
    var then = table(position.interim, position, known, rules), standing = then;
    if (position.spaces) {
      standing = {};
      rules.countries.forEach(function (country) {
        standing[country.id] = names.map(function (name, seat) {
          return country.spaces.filter(function (space) { return on[space] === seat; }).length;
        });
      });
    } else if (position.cloisters || !interim) {
      standing = table(position.cloisters, position, known, rules);
    }
    var players = names.map(function (name, seat) {
      var before = 0, chains = [], alliances = [];
      if (interim) { return addUp(position, seat, 0, standing, advising, [], [], 0, rules); }
      before = position.before ? numbers(position.before, names, known)[seat] : sum(rules.countries.map(function (country) {
        return countryPoints(then[country.id])[seat];
      }));
      rules.alliances.forEach(function (alliance) {
        var points = alliancePoints(advising[alliance.countries[0]], advising[alliance.countries[1]])[seat];
        if (points) { alliances.push({ box: alliance.box, points: points }); }
      });
      chains = bestChains(Array.prototype.concat.apply([], rules.countries.map(function (country) {
        return country.spaces;
      })).filter(function (space) { return on[space] === seat; }), rules);
      return addUp(position, seat, before, standing, advising, alliances, chains, position.chains ?
        numbers(position.chains, names, known)[seat] : sum(chains.map(function (chain) { return chain.length; })), rules);
    });
    function behind(one, other) {
      return one.total < other.total || one.total === other.total && !interim && one.pieces_left < other.pieces_left;
    }
    players.forEach(function (player) {
      player.rank += players.filter(function (other) { return behind(player, other); }).length;
    });
    var winners = players.filter(function (player) { return player.rank === 1; });
    var highest = players.filter(function (player) { return player.total === winners[0].total; });
    var stands = players.some(function (player) {
      return rules.countries.some(function (country) { return player.countries[country.id].cloisters; });
    });
    return { game: "board-game", complete: !!(!interim && (position.before || position.interim) && stands &&
        (position.spaces || position.chains)),
      winners: winners.map(function (player) { return player.name; }),
      tie_break: winners.length > 1 ? "draw" : highest.length > 1 ? "pieces" : null, warnings: [], players: players };
  }

  return { letters: letters, initials: initials, seatOf: seatOf, countryPoints: countryPoints,
    alliancePoints: alliancePoints, bestChains: bestChains, score: score };
}());
