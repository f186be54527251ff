// Who plays, in which order, and with which stone: of a new game, or of a draft (view.slot) that goes on with them.

function playersScreen() {
  const [least, most] = games[view.kind].seats;
  if (!view.seats) view.seats = stones(Math.min(most, Math.max(least, 2))).map(seat => ({ seat, name: "" }));
  const seats = view.seats, nameAt = place => seats[place].name.trim().replace(/\s+/g, " ") || say("player",
    { n: place + 1 });
  const known = store.names.filter(name => !seats.some(each => each.name.trim() === name)).slice(0, 8);
  const leave = () => view.slot ? go(view.from) : go("home");
  return [bar(say("players"), leave), h("main", { class: "wrap" },
    least < most && h("p", { class: "soft mid" }, say("players_hint", { least, most })),
    h("ul", { class: "list" }, seats.map((each, place) => h("li", { class: "seat", key: `seat${place}` },
      !games[view.kind].plain && h("button", { class: "stone", id: `stone${place}`, on: () => changeStone(place),
        "aria-label": say("stone_of", { name: nameAt(place), stone: say(`stone_${each.seat}`) }) },
          sign(`seat-${each.seat}`), h("i", { class: "swap" }, icon("swap"))),
      h("input", { id: `name${place}`, value: each.name, maxlength: 60, autocomplete: "off", autocapitalize: "words",
        spellcheck: "false",
        enterkeyhint: place < seats.length - 1 ? "next" : "done", "aria-label": say("player", { n: place + 1 }),
          placeholder: say("player", { n: place + 1 }),
        oninput: event => { each.name = event.target.value; }, onchange: draw, onkeydown: event => nextName(event,
          place) }),
      place > 0 && iconButton(`up${place}`, "up", say("earlier", { name: nameAt(place) }),
        () => { seats.splice(place - 1, 2, each, seats[place - 1]); draw(); }),
      seats.length > least && iconButton(`out${place}`, "close", say("remove", { name: nameAt(place) }),
        () => { seats.splice(place, 1); draw(); })))),
    seats.length < most && h("button", { class: "btn small mid", id: "add", on: () => { addSeat(); draw(); } },
      `+ ${say("add_player")}`),
    known.length > 0 && h("h2", {}, say("known")),
    h("div", { class: "chips" }, known.map(name => h("button", { class: "chip", key: name, on: () => seatKnown(name) },
      name))),
    flashed()),
  foot(button("start", say(view.slot ? "keep" : "start"),
    () => sitDown(seats.map((each, place) => ({ ...each, name: nameAt(place) }))), "pri"))];
}

const stones = most => Array.from({ length: most }, (_, place) => place + 1);
const freeStones = () => stones(games[view.kind].seats[1]).filter(seat => !view.seats.some(each => each.seat === seat));

function addSeat() {
  const made = { seat: freeStones()[0], name: "" };
  view.seats.push(made);
  return made;
}

function seatKnown(name) {
  const empty = view.seats.find(each => !each.name.trim()) || view.seats.length < games[view.kind].seats[1] && addSeat();
  if (empty) empty.name = name;
  draw();
}

// The next stone that nobody has, or with five players the next one's in exchange.
function changeStone(place) {
  const own = view.seats[place], free = freeStones();
  if (free.length) own.seat = free.find(seat => seat > own.seat) || free[0];
  else {
    const other = view.seats[(place + 1) % view.seats.length];
    [own.seat, other.seat] = [other.seat, own.seat];
  }
  draw();
}

function nextName(event, place) {
  if (event.key !== "Enter" || event.isComposing) return;
  const next = byId(`name${place + 1}`);
  if (next) next.focus();
  else event.target.blur();
}

// The players of a draft are asked for again, and then it goes on; from names the screen to go back to.
function editPlayers(slot, from) {
  const game = store.drafts[slot];
  go("players", { kind: game.game, slot, from, seats: game.players.map((player, place) => ({ ...player, from: place })) });
}

function sitDown(players) {
  const page = games[view.kind], seen = {},
    wrong = players.map(({ name }) => playChecking.nameProblem(name, seen, page.say)).find(Boolean), game = current();
  if (wrong) { flash(wrong, true); return; }
  const out = game ? game.players.filter((_, place) => players.every(player => player.from !== place)) : [];
  const done = () => {
    const typed = view.seats.map(each => each.name.trim().replace(/\s+/g, " ")).filter(Boolean);
    store.names = [...new Set([...typed, ...store.names])].slice(0, MOST_NAMES);
    if (game) reseat(game, players);
    else begin(page, players.map(({ name, seat }) => ({ name, seat })));
    if (game) go(view.from === "home" ? page.first : view.from);
  };
  if (!out.length) { done(); return; }
  const names = out.map(player => player.name).join(", ");
  box(say("players"), close => [h("p", {}, say("remove_sure", { names })), h("div", { class: "acts" },
    button("no-remove", say("back"), close, "small"), button("yes-remove", say("remove", { name: names }),
      () => { close(); done(); }, "small pri"))]);
}

function begin(page, players) {
  const slot = freeSlot(page);
  store.drafts[slot] = freshGame(page, players);
  go(page.first, { slot, past: null });
}
