// The board game on the page: counted on the map of all countries or on one's, its two scorings, and what the page asks
// of each game.

const TAP = 44; // the least that a space may measure on the screen, in pixels: on the map it is 25 mm from the next

function boardGamePage() {
  const missed = { "wrong.no_before": "before", "wrong.no_cloisters": "spaces", "wrong.no_chains": "chains" };
  let found = null; // the map is read when it is first wanted
  const page = { name: "board-game", arms: "arms-swabia", banner: ["aragon", "swabia", "france", "lotharingia",
    "england", "burgundy", "italy"].map(id => `arms-${id}`),
    first: "map", correcting: "map", seats: [3, 5] };
  Object.defineProperty(page, "model",
    { get: () => found = found || boardModel(JSON.parse(byId("game-board-game").textContent)) });
  let drawn = null;
  const map = () => drawn = drawn || boardMap(page);
  page.say = (key, values) => sayIn("board-game", key, values);
  page.find = key => textIn("board-game", key);
  const country = id => page.say(`countries.${id}`), why = ([key, values]) => page.say(key, values.country
    ? { ...values, country: country(values.country) } : values);
  const total = counts => counts.reduce((sum, count) => sum + count, 0);

  page.armsOf = game => game.at < 0 ? page.arms : `arms-${page.model.ids[game.at]}`;
  page.fresh = () => ({ spaces: {}, later: {}, locked: null, councillors: {}, before: null, phase: "interim", at: -1,
    undo: [], seen: false });
  page.sound = game => page.model.sound(game);
  // Nobody can know which cloister is the last: a game is over when its result was looked at, and until it is counted on.
  page.complete = game => page.model.isFinal(game) && Boolean(game.seen);
  page.isOver = (game, screen) => page.model.isFinal(game) && screen === "result";
  page.progress = game => [Object.keys(game.spaces).length, Object.keys(page.model.countryOf).length];
  page.tallies = game => page.model.written(game);
  page.reseated = (game, from) => page.model.reseated(game, from);
  page.taken = tallies => {
    const taken = page.model.taken(boardGameJudge.checked(tallies, page.model.rules, page.say));
    if (!taken) throw new Error(page.say("page.no_spaces"));
    return taken;
  };
  page.running = page.result = game => page.model.result(game);
  page.score = tallies => {
    const { rules } = page.model, position = boardGameJudge.checked(tallies, rules, page.say);
    const result = boardGame.score(position, rules);
    result.warnings = boardGameJudge.missing(position).map(key =>
      `${missed[key]}: ${page.say(key)}`);
    return result;
  };
  page.verdict = (result, over = true) => boardGameSentences.verdict(result, page.model.rules, page.find, over);
  page.keys = { map: (event, game) => {
    if (event.key === "Backspace") undo(game);
    else if (/^[1-5]$/.test(event.key) && game.players[event.key - 1]) { view.picked = event.key - 1; draw(); }
    else return false;
    return true;
  } };

  function act(refused, done) {
    if (refused) { flash(why(refused), true); return false; }
    done();
    view.flash = null;
    draw();
    return true;
  }

  function undo(game) {
    const step = game.undo.pop();
    if (!step) return;
    if (step.whole) Object.assign(game, step.whole, { undo: [] });
    else Object.assign(game, step.before, { at: step.at });
    view.flash = null;
    tell(say("undone"));
    draw();
  }

  // To a country, or to the map of all of them, where it stays in sight.
  function turn(game, to) {
    const { model } = page, from = model.ids[game.at];
    game.at = to;
    view.flash = null;
    if (from) view.focus = from;
    draw();
    if (to < 0 && from) centre(byId(`land-${from}`));
    tell(to < 0 ? page.say("page.whole_map") : standing(game, model.ids[to]));
  }

  function centre(land) {
    const own = land.getBoundingClientRect(), around = land.closest(".map"), box = around.getBoundingClientRect();
    around.scrollLeft += own.left + own.width / 2 - box.left - box.width / 2;
    around.scrollTop += own.top + own.height / 2 - box.top - box.height / 2;
  }

  const standing = (game, id) =>
    `${country(id)}: ${page.say("tally.cloisters")} ${total(page.model.held(game, id))}/${page.model.spacesOf[id].length}`;

  function toResult(game) {
    game.seen = page.model.isFinal(game);
    go("result");
  }

  // ---- counting ----

  function phases(game) {
    const { isFinal, toFinal, toInterim } = page.model, final = isFinal(game);
    const button_ = (id, label, on, here) => h("button", { id, "aria-pressed": String(here), on }, label);
    return h("header", { class: "bar" }, h("h1", { class: "vh" }, page.say("page.name")), iconButton("back", "back",
      say("home"), () => go("home")),
      h("div", { class: "seg phases" }, button_("phase-interim", page.say("page.interim"),
        () => { if (final) { toInterim(game); draw(); } }, !final),
        button_("phase-final", page.say("page.final"), () => { if (!final) Object.keys(game.spaces).length
          ? (toFinal(game), draw()) : go("before", { points: {} }); }, final)),
      button("to-result", say("result"), () => toResult(game), game.at < 0 ? "small pri" : "small"));
  }

  // The country that is counted, or on the map of all of them the one that was touched last. After the ninth comes the
  // result.
  function head(game, id) {
    const { model } = page, last = model.ids.length - 1, whole = game.at < 0;
    const step = (name, label, to) => iconButton(`go-${name}`, name, label, () => turn(game, to));
    const held = id && `${page.say("tally.cloisters")} ${total(model.held(game, id))}/${model.spacesOf[id].length}`;
    return h("div", { class: "bh" }, step("back", page.say("page.back"), game.at > 0 ? game.at - 1 : last),
      h("div", { class: "mid" }, id && h("i", {}, sign(`arms-${id}`)),
        h("div", {}, h("h2", {}, id ? country(id) : page.say("page.whole_map")),
        id && h("div", { class: "num soft" }, whole ? held
          : `${held} · ${page.say("page.step", { n: game.at + 1, m: model.ids.length })}`))),
      whole ? id && iconButton("near", "zoom", country(id), () => turn(game, model.ids.indexOf(id)))
        : iconButton("whole", "map", page.say("page.whole_map"), () => turn(game, -1)),
      game.at === last ? button("go-next", say("result"), () => toResult(game), "small pri")
        : step("next", page.say("page.next"), game.at + 1));
  }

  function court(game, id) {
    const { model } = page, counts = model.advising(game, id), most = Math.max(...model.held(game, id));
    return h("div", { class: "court" }, h("span", { class: "lb num" },
      `${page.say("tally.councillors")} ${total(counts)}/${most}`),
      counts.flatMap((count, seat) => Array.from({ length: count }, (_, place) => h("button",
        { id: `adviser-${seat}-${place}`, "aria-label": page.say("page.remove_councillor",
        { name: game.players[seat].name }),
        on: () => { act(null, () => model.advise(game, id, seat, -1)); tell(advised(game, id)); } }, sign(`councillor-${game.players[seat].seat}`)))),
      h("button", { class: "ib plus", id: "advise", "aria-label": page.say("page.add_councillor",
        { name: game.players[view.picked].name }), on: () => advise(game, id) }, "+"));
  }

  const advised = (game, id) => `${country(id)}: ${page.say("tally.councillors")} ${total(page.model.advising(game, id))}`;

  function advise(game, id) {
    view.focus = id;
    if (act(page.model.courtRefusal(game, id, view.picked), () => page.model.advise(game, id, view.picked, 1)))
      tell(advised(game, id));
  }

  function claim(game, space) {
    const { model } = page, seat = view.picked;
    view.focus = model.countryOf[space];
    if (act(model.spaceRefusal(game, space, seat), () => model.claim(game, space, seat))) tell(map().told(game, space));
  }

  function brushes(game, id) {
    const { model } = page, result = model.result(game);
    return h("div", { class: "brush", role: "group", "aria-label": say("players") },
      game.players.map(({ name, seat }, place) => {
      const player = result.players[place];
      return h("button", { id: `brush-${place}`, "aria-pressed": String(view.picked === place),
        on: () => { view.picked = place; draw(); } }, h("i", {}, sign(`seat-${seat}`)), h("span", {}, name),
        h("span", { class: "num" }, id ? `${player.countries[id].cloisters} → ${player.countries[id].points}`
          : `${total(model.ids.map(each => player.countries[each].cloisters))} → ${signed(player.total)}`));
    }));
  }

  function mapScreen(game) {
    const { model } = page, id = game.at < 0 ? "" : model.ids[game.at], wrong = view.flash && view.flash.wrong;
    if (!game.players[view.picked]) view.picked = 0;
    const near = id || (model.spacesOf[view.focus] ? view.focus : "");
    const tools = { open: where => { view.focus = where; view.flash = null; draw(); tell(standing(game, where)); },
      court: where => advise(game, where), claim: space => claim(game, space) };
    return h("main", { class: "bd" }, phases(game), h("div", { class: `map${id ? "" : " whole"}`, style: { "--ratio":
      String(model.map.frame[2] / model.map.frame[3]), "--across": `${Math.ceil(model.map.frame[2] * TAP / 25)}px` } },
      map().drawn(game, { id, near }, tools)),
      h("div", { class: "below" }, head(game, near), near && model.isFinal(game) && court(game, near),
        h("div", { class: "deck" }, h("div", { class: "hands" },
          h("div", { class: `ask${wrong ? " no" : ""}`, role: wrong ? "alert" : "group", key: wrong
            ? `no${view.flash.words}` : "ask" }, wrong && icon("warn"),
            h("span", { class: "tx" }, wrong ? view.flash.words : page.say(model.isFinal(game) ? "page.hint_final"
              : id ? "page.hint_interim" : "page.hint_whole")),
            iconButton("undo", "undo", say("undo"), () => undo(game), { "aria-disabled": game.undo.length ? undefined
              : "true" })), brushes(game, id)))));
  }

  // Only the points of the interim scoring are known, or there was none.
  function beforeScreen(game) {
    const points = view.points || (view.points = {});
    return [bar(page.say("score.interim"), () => go("map")), h("main", { class: "wrap" }, h("p", { class: "soft mid" },
      page.say("page.before_hint")),
      h("ul", { class: "list" }, game.players.map(({ name, seat }, place) => h("li",
        { class: "seat", key: `before${place}` }, h("span", { class: "stone" }, sign(`seat-${seat}`)),
        h("span", { class: "grow" }, name),
        h("input", { id: `points${place}`, class: "num", inputmode: "numeric", maxlength: 3, autocomplete: "off",
          "aria-label": page.say("page.before_of", { name }), value: points[place] || "",
          oninput: event => { points[place] = event.target.value = event.target.value.replace(/\D/g, ""); } })))),
            flashed()),
    foot(button("start-final", page.say("page.go_final"),
      () => { page.model.toFinal(game, game.players.map((_, place) => Number(points[place] || 0))); go("map"); },
      "pri"))];
  }

  // ---- the end ----

  const parts = (player, final) => [...final ? [[page.say("score.interim"), player.before]] : [],
    [page.say("tally.cloisters"), player.cloister_subtotal],
    ...final ? [[page.say("tally.alliances"), player.alliance_subtotal], [page.say("tally.chains"),
      player.chain_points]] : []].map(([name, points]) => h("span", { class: "num" }, `${name} ${points}`));

  function opened(result, player, told, final) {
    const seat = result.players.indexOf(player);
    const rows = page.model.ids.map(id => {
      const entry = player.countries[id];
      return [h("i", {}, sign(`arms-${id}`)), h("span", {}, country(id)),
        h("b", {}, `${entry.cloisters} → ${entry.points}`), h("b", {}, final ? `(${entry.councillors})` : "")];
    });
    return [h("div", { class: "bk num" }, rows), h("p", {}, told.find(each => each.about === seat).words)];
  }

  function resultScreen(game) {
    const { model } = page, final = model.isFinal(game), past = Boolean(view.past), result = model.result(game),
      position = model.position(game);
    const told = boardGameSentences.reasons(result, position, model.rules, !final, page.find), about = key =>
      told.filter(each => each.about === key).map(each => each.words);
    const lit = final && view.box ? model.rules.alliances.find(each => each.box === view.box) : null;
    const light = box => { view.box = view.box === box ? 0 : box; draw(); };
    const boxes = final ? model.rules.alliances.map(({ box }) => h("button",
      { class: `al${view.box === box ? " on" : ""}`, id: `box-${box}`, key: `al-${box}`,
      "aria-pressed": String(view.box === box), on: () => light(box) },
      h("span", { class: "bx num" }, box), h("span", {}, about(`box ${box}`)))) : [];
    const chained = result.players.flatMap((_, seat) => about(`chains ${seat}`));
    const whys = model.ids.map(id => ({ about: id, sign: `arms-${id}`, label: country(id),
      words: [...about(`then ${id}`), ...about(id)] })).filter(each => each.words.length);
    return [bar(`${say("result")} · ${page.say(final ? "score.final" : "score.interim")}`, () => past ? go("past",
      { past: null }) : go("map"), past && pastBar(game)), h("main", { class: "wrap" },
      verdictHead(result, page.verdict(result, final), final && !game.before && !game.locked ? [page.say("wrong.no_before")]
        : []),
      podium(game, result, player => parts(player, final), player => opened(result, player, told, final)),
      outActions(game, result, () => picture(game, result, final)),
      h("div", { class: "stick" }, map().drawn(game, { hot: lit && lit.countries, box: lit && lit.box, chains: lit || !final
        ? [] : result.players.flatMap(player => player.chains) })),
      final && h("div", {}, button("all-boxes", page.say("page.one_by_one", { alliances: page.say("tally.alliances") }), () => lightUp(game), "small all"),
        chained.length > 0 && h("div", { class: "al" }, h("span", { class: "bx g num" },
          `${model.rules.chain_length}+`), h("span", {}, h("b", {}, page.say("tally.chains")),
          chained.map(words => h("span", { class: "ln" }, words)))), boxes),
      whyList(whys)),
    final || past ? endFoot(game) : foot(button("to-final", page.say("page.to_final"),
      () => { model.toFinal(game); go("map"); }, "pri"))];
  }

  // The alliances one after the other, as they are scored.
  function lightUp(game) {
    const boxes = page.model.rules.alliances.map(each => each.box);
    const next = place => {
      if (current() !== game || view.screen !== "result") return;
      view.box = boxes[place] || 0;
      draw();
      if (place < boxes.length) setTimeout(next, matchMedia("(prefers-reduced-motion: reduce)").matches ? 2500 : 1100,
        place + 1);
    };
    next(0);
  }

  function picture(game, result, final) {
    const { model } = page;
    const row = (id, label, value, strong) => ({ sign: id, label, strong, cells: result.players.map(player =>
      signed(value(player))) });
    return sheetPicture(say("title"),
      `${page.say("page.name")} · ${page.say(final ? "score.final" : "score.interim")} · ${day(game.when)}`, pictureColumns(game, result), [
      ...model.ids.map(id => ({ sign: `arms-${id}`, label: country(id), cells: result.players.map(player =>
        `${player.countries[id].cloisters}→${player.countries[id].points}${final ? "   (" + player.countries[id].councillors + ")" : ""}`) })),
      ...final ? [row("", page.say("score.interim"), player => player.before), row("", page.say("tally.alliances"),
        player => player.alliance_subtotal), row("", page.say("tally.chains"), player => player.chain_points)] : [],
      row("", page.say("score.total"), player => player.total, true)]);
  }

  page.screens = { map: mapScreen, before: beforeScreen, result: resultScreen };
  return page;
}
