// The past games: who won how often, each game, and what comes in from elsewhere.

const results = new WeakMap(); // of past games, which don't change

function resultOf(game) {
  if (!results.has(game)) results.set(game, pageOf(game).result(game));
  return results.get(game);
}

function pastScreen() {
  return [bar(say("history"), () => go("home")), h("main", { class: "wrap" }, flashed(),
    store.games.length ? [h("h2", {}, say("wins")), winsTable(), pastList(store.games.length)] : h("p", { class: "soft" },
      say("no_history")),
    h("div", { class: "acts" }, button("paste", say("paste"), pasteBox, "small"),
      store.games.length > 0 && button("save-all", say("save_all"), () => saveFile(`${fileName}-games.json`,
        allGames(), "application/json"), "small")))];
}

// Wins and games of each player, the most wins first; names that differ only in case are one player's. A shared win is none.
function winsTable() {
  const found = {};
  for (const game of store.games) {
    const result = resultOf(game);
    for (const player of result.players) {
      const own = found[`=${player.name.toLowerCase()}`] = found[`=${player.name.toLowerCase()}`]
        || { name: player.name, wins: 0, games: 0, points: 0 };
      own.games++;
      own.points += player.total;
      if (result.tie_break !== "draw" && result.winners.includes(player.name)) own.wins++;
    }
  }
  const rows = Object.values(found).sort((one, other) => other.wins - one.wins
    || other.points / other.games - one.points / one.games);
  return h("ul", { class: "card wins" }, rows.map(each => h("li", {}, h("b", {}, each.name),
    h("span", { class: "num" }, say("won_of", { wins: each.wins, games: each.games })),
    h("span", { class: "gauge", style: { "--share": `${Math.round(100 * each.wins / each.games)}%` } }))));
}

// Who is first and with how many points.
function leaders(result) {
  const first = result.players.filter(player => player.rank === 1);
  return `${first.map(player => player.name).join(" · ")} ${signed(first[0].total)}`;
}

function pastList(most) {
  return h("ul", { class: "list" }, store.games.slice(0, most).map(game => {
    const result = resultOf(game), first = result.players.findIndex(player => player.rank === 1);
    const others = result.players.filter(player => player.rank > 1).map(player =>
      `${player.name} ${signed(player.total)}`);
    return h("li", { class: "card", key: game.id }, h("button", { class: "gm", id: `past-${game.id}`,
      on: () => go("result", { past: game }) },
      h("span", { class: "st" }, sign(`seat-${game.players[first].seat}`)),
      h("span", { class: "who" }, h("b", {}, leaders(result)),
        h("span", {}, [day(game.when), pageOf(game).say("page.name"), others.join(", ")].filter(Boolean).join(" · "))),
          icon("next")));
  }));
}

const allGames = () => JSON.stringify({ games: store.games.map(game => pageOf(game).tallies(game)) }, null, 1);

// A text, typed in or from a file, as past games; says what came of it. What is here already stays: only as many are
// taken as there is room for. Throws an Error for what is none.
function takeIn(text) {
  if (text.length > MOST_CHARACTERS) throw new Error(say("too_large"));
  const found = JSON.parse(text);
  const documents = isObject(found) && Array.isArray(found.games) ? found.games : [found];
  const same = game => JSON.stringify(pageOf(game).tallies(game)), there = new Set(store.games.map(same)), fresh = [];
  const room = MOST_GAMES - store.games.length, left = { known: 0, future: 0, room: Math.max(0, documents.length
    - MOST_GAMES) };
  for (const document of documents.slice(0, MOST_GAMES)) {
    const page = tallyPage(document);
    page.score(document);
    const game = { ...freshGame(page, []), ...page.taken(document) };
    if (isObject(document) && isDay(document.date)) game.when = document.date;
    const sound = soundGame(game), told = sound && same(sound);
    if (!sound) throw new Error(page.name);
    if (there.has(told)) left.known++;
    else if (sound.when > today(1)) left.future++; // it would stand above all others for ever
    else if (fresh.length >= room) left.room++;
    else {
      there.add(told);
      fresh.push(sound);
    }
  }
  store.games = newestFirst([...fresh, ...store.games]);
  for (const game of fresh)
    store.names = [...new Set([...store.names, ...game.players.map(player => player.name)])].slice(0, MOST_NAMES);
  return [[say("taken_in", { n: fresh.length }), left.known && say("left_known", { n: left.known }),
    left.future && say("left_future", { n: left.future }),
    left.room && say("left_room", { n: left.room, most: MOST_GAMES })].filter(Boolean).join("\n"), fresh.length > 0];
}

// Whether this is a day of the calendar as 2026-11-22.
function isDay(words) {
  return typeof words === "string" && /^\d{4}-\d{2}-\d{2}$/.test(words) && !Number.isNaN(Date.parse(words))
    && new Date(words).toISOString().slice(0, 10) === words;
}

function pasteBox() {
  let typed = "", wrong = "";
  box(say("paste"), (close, redraw) => {
    const take = text => {
      try {
        const [done, some] = takeIn(text);
        close();
        go("past");
        flash(done, !some);
      } catch (error) {
        wrong = say("no_game", { why: error instanceof SyntaxError ? "JSON" : error.message });
        redraw();
      }
    };
    const fromFile = event => {
      const file = event.target.files[0];
      if (file && file.size > MOST_CHARACTERS) { wrong = say("too_large"); redraw(); }
      else if (file) file.text().then(take, () => {});
    };
    return [h("h2", {}, say("paste")),
      h("textarea", { id: "typed", "aria-label": say("paste_hint"), placeholder: say("paste_hint"), spellcheck: "false",
        oninput: event => { typed = event.target.value; } }),
      wrong && h("p", { class: "note", role: "alert" }, wrong),
      h("label", { class: "btn small file" }, say("from_file"), h("input", { type: "file", id: "file", class: "vh",
        accept: ".json,application/json", onchange: fromFile })),
      h("div", { class: "acts" }, button("no-paste", say("back"), close, "small"), button("take", say("take"),
        () => take(typed), "small pri"))];
  });
}
