// The end of a game, whatever the game: the ranking that opens, what can be done with it, and what comes next.

// Whether somebody has won: not where all that could break a tie is equal, too.
const isWon = result => result.tie_break !== "draw";

// Players from the first to the last; their rows rise from the last to the first. opened tells what is behind a total.
function podium(game, result, brief, opened) {
  const order = result.players.map((player, place) => ({ player, seat: game.players[place].seat })).sort((one, other) =>
    one.player.rank - other.player.rank);
  const most = Math.max(1, order[0].player.total);
  return h("ol", { class: "podium" }, order.map(({ player, seat }, place) => {
    const open = view.open === player.name, delay = (order.length - 1 - place) * 160;
    return h("li", { class: `pl ${player.rank === 1 && isWon(result) ? "w" : ""}`, key: `pl-${seat}`, style: { "--delay": `${delay}ms`,
      "--share": `${Math.max(2, 100 * player.total / most)}%` } },
      h("button", { id: `pl${place}`, "aria-expanded": String(open), on: () => { view.open = open ? null
        : player.name; draw(); } },
        h("span", { class: "rk num" }, player.rank), h("span", { class: "st" }, sign(`seat-${seat}`)),
        h("span", { class: "nm" }, player.name, h("small", {}, brief(player))),
        h("span", { class: "pt" }, signed(player.total)), icon("down"), h("span", { class: "gauge" })),
      open && h("div", { class: "open" }, opened(player)));
  }));
}

// A total in its parts: [sign, name, points] each.
const brief = parts => parts.map(([id, name, points]) => h("span", { class: "num" }, h("i", {}, sign(id)),
  h("span", { class: "vh" }, `${name} `), signed(points)));

function verdictHead(result, words, warnings) {
  return [h("div", {}, isWon(result) && h("div", { class: "crown", key: "crown" }, icon("crown", "currentColor")),
    h("p", { class: "verdict cap", role: "status" }, words)),
    warnings.length > 0 && h("p", { class: "note" }, warnings.join(" · "))];
}

// Title, game and day; a game with a page of its own is the title.
const headline = game => [...new Set([say("title"), pageOf(game).say("page.name"), day(game.when)])];

// Sharing in words, as a picture and as data.
function outActions(game, result, picture) {
  const page = pageOf(game), data = JSON.stringify(page.tallies(game), null, 1);
  const ranking = result.players.slice().sort((one, other) => one.rank - other.rank).map(player =>
    `${player.rank}. ${player.name} ${signed(player.total)}`);
  const words = [headline(game).join(" · "), ...ranking,
    page.verdict(result)].join("\n");
  return [h("div", { class: "acts" }, button("share", say("share"), () => share(words), "small"),
    button("picture", say("picture"), () => picture().then(canvas => sharePicture(canvas, `${fileName}.png`)),
      "small"),
    button("copy-data", say("copy_data"), () => copy(data), "small"),
    button("save-data", say("save_data"), () => saveFile(`${fileName}-${game.when}.json`, data, "application/json"),
      "small")), flashed()];
}

// The sentences behind the points, by what they are about: {about, sign, label, words} each.
function whyList(parts) {
  return h("div", {}, h("h2", {}, say("why")), parts.map(each => h("details", { key: `why-${each.about}` },
    h("summary", {}, h("span", {}, sign(each.sign)), each.label), each.words.map(words => h("p", {}, words)))));
}

// The end of a game that is counted on a table: brief and opened say what is behind a player's total, rows are those of
// the picture, total their last label, parts the sentences, and table shows the sheet.
function tableEnd(game, result, { warnings, brief, opened, rows, total, parts, table }) {
  const page = pageOf(game), picture = () => sheetPicture(say("title"),
    headline(game).slice(1).join(" · "), pictureColumns(game, result), [...rows, { label: total, strong: true,
      cells: result.players.map(player => signed(player.total)) }]);
  return [bar(say("result"), () => view.past ? go("past", { past: null }) : go("home"), view.past ? pastBar(game)
    : iconButton("to-sheet", "sheet", say("sheet"), () => go(page.correcting))),
    h("main", { class: "wrap" }, verdictHead(result, page.verdict(result), warnings), podium(game, result, brief, opened),
      outActions(game, result, picture), whyList(parts), h("div", {}, h("h2", {}, say("sheet")), table)),
    endFoot(game)];
}

// The players as sheetPicture wants them.
const pictureColumns = (game, result) => result.players.map(({ name, rank }, place) => ({ name,
  seat: game.players[place].seat, first: rank === 1 && isWon(result) }));

function endFoot(game) {
  const page = pageOf(game);
  if (game.of && !view.past) return foot(button("discard", say("discard"), () => discard(view.slot)),
    button("keep", say("keep"), () => {
      keepGame(game);
      delete store.drafts[view.slot];
      go("past");
    }, "pri"));
  return foot(button("home", say(view.past ? "home" : "done"), () => go("home")), button("rematch", say("rematch"),
    () => { tidyDrafts(); begin(page, game.players.map(({ name, seat }) => ({ name, seat }))); }, "pri"));
}

// A past game can be corrected, in a copy, or taken out.
function pastBar(game) {
  const slot = `of-${game.id}`;
  return h("span", { class: "ibs" }, iconButton("edit", "edit", say("correct"), () => {
    if (!store.drafts[slot]) store.drafts[slot] = { ...JSON.parse(JSON.stringify(game)), id: freshId(), of: game.id,
      undo: [] };
    go(pageOf(game).correcting, { past: null, slot });
  }), iconButton("bin", "bin", say("delete"), () => box(say("delete"), close => [h("p", {}, say("delete_sure")),
    h("div", { class: "acts" }, button("no-delete", say("back"), close, "small"), button("yes-delete", say("delete"),
      () => {
      store.games = store.games.filter(each => each.id !== game.id);
      delete store.drafts[slot];
      close();
      go("past", { past: null });
    }, "small pri"))])));
}
