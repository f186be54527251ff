// Who plays, in which order, and with which stone.

function playersScreen() {
  if (!view.seats) view.seats = [1, 2, 3].map(seat => ({ seat, name: "" }));
  const seats = view.seats, nameAt = place => seats[place].name.trim().replace(/\s+/g, " ") || say("player",
    { n: place + 1 });
  const known = store.names.filter(name => !seats.some(each => each.name.trim() === name)).slice(0, 8);
  return [bar(say("players"), () => go("home")), h("main", { class: "wrap" },
    h("p", { class: "soft mid" }, say("players_hint")),
    h("ul", { class: "list" }, seats.map((each, place) => h("li", { class: "seat", key: `seat${place}` },
      h("button", { class: "stone", id: `stone${place}`, on: () => changeStone(place),
        "aria-label": say("stone_of", { name: nameAt(place), stone: say(`stone_${each.seat}`) }) },
          sign(`seat-${each.seat}`)),
      h("input", { id: `name${place}`, value: each.name, maxlength: 60, autocomplete: "off", autocapitalize: "words",
        spellcheck: "false",
        enterkeyhint: place < seats.length - 1 ? "next" : "done", "aria-label": say("player", { n: place + 1 }),
          placeholder: say("player", { n: place + 1 }),
        oninput: event => { each.name = event.target.value; }, onchange: draw, onkeydown: event => nextName(event,
          place) }),
      place > 0 && iconButton(`up${place}`, "up", say("earlier", { name: nameAt(place) }),
        () => { seats.splice(place - 1, 2, each, seats[place - 1]); draw(); }),
      seats.length > 3 && iconButton(`out${place}`, "close", say("remove", { name: nameAt(place) }),
        () => { seats.splice(place, 1); draw(); })))),
    seats.length < 5 && h("button", { class: "btn small mid", id: "add", on: () => { addSeat(); draw(); } },
      `+ ${say("add_player")}`),
    known.length > 0 && h("h2", {}, say("known")),
    h("div", { class: "chips" }, known.map(name => h("button", { class: "chip", key: name, on: () => seatKnown(name) },
      name))),
    flashed()),
  foot(button("start", say("start"),
    () => beginWith(seats.map((each, place) => ({ name: nameAt(place), seat: each.seat }))), "pri"))];
}

const freeStones = () => [1, 2, 3, 4, 5].filter(seat => !view.seats.some(each => each.seat === seat));

function addSeat() {
  const made = { seat: freeStones()[0], name: "" };
  view.seats.push(made);
  return made;
}

function seatKnown(name) {
  const empty = view.seats.find(each => !each.name.trim()) || view.seats.length < 5 && addSeat();
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

function beginWith(players) {
  const page = games[view.kind], wrong = page.wrongNames(players.map(player => player.name));
  if (wrong) { flash(wrong, true); return; }
  const typed = view.seats.map(each => each.name.trim().replace(/\s+/g, " ")).filter(Boolean);
  store.names = [...new Set([...typed, ...store.names])].slice(0, MOST_NAMES);
  store.drafts[page.name] = freshGame(page, players);
  go(page.first, { slot: page.name, past: null });
}
