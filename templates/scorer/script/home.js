// The first screen: what was begun, what can be begun, what was played.

function homeScreen() {
  const pages = Object.values(games), drafts = Object.keys(store.drafts).map(slot => [slot, store.drafts[slot]]);
  return [h("main", { class: "wrap" },
    h("div", { class: "hero" }, h("div", { class: "arms", "aria-hidden": "true" },
      pages[0].banner.map(id => h("span", {}, sign(id)))),
      h("h1", {}, say("title")), h("p", {}, say("unofficial"))),
    spark(),
    drafts.map(([slot, game]) => goOn(slot, game)),
    pages.filter(page => !store.drafts[page.name]).map((page, place) => h("button",
      { class: `btn choice ${drafts.length || place ? "" : "pri"}`, id: `new-${page.name}`,
      on: () => go("players", { kind: page.name, seats: null }) },
    h("span", { class: "pic" }, sign(page.arms)), h("span", { class: "tx" }, page.say("page.name"),
      h("small", {}, say("new_score"))))),
    h("h2", {}, say("history")),
    store.games.length ? pastList(3) : h("p", { class: "soft" }, say("no_history")),
    h("div", { class: "acts" },
      store.games.length > 0 && button("to-past", say("all_games"), () => go("past"), "small"),
      button("paste", say("paste"), pasteBox, "small"),
      button("gear", say("settings"), () => go("settings"), "small")),
    flashed())];
}

function goOn(slot, game) {
  const page = pageOf(game), [done, all] = page.progress(game);
  return h("button", { class: "btn pri choice", id: `on-${slot}`, on: () => go(page.complete(game) ? "result"
    : page.first, { slot }) },
    h("span", { class: "pic" }, sign(page.armsOf(game))),
    h("span", { class: "tx" }, game.of ? say("go_on_correcting") : say("go_on"),
      h("small", {}, game.players.map(player => player.name).join(" · ")),
      h("small", {}, `${page.say("page.name")} · ${say("counted", { n: done, m: all })}`)));
}

function settingsScreen() {
  const prefs = store.prefs, names = document.documentElement.dataset.names.split(" ");
  const known = document.documentElement.dataset.languages.split(" ");
  return [bar(say("settings"), () => go("home")), h("main", { class: "wrap" }, h("div", { class: "set" },
    choice("lang", say("language"), known.map((lang, place) => [lang, names[place].replace(/_/g, " "), lang]),
      language(), lang => { prefs.lang = lang; }),
    choice("theme", say("look"), ["auto", "light", "dark"].map(each => [each, say(`look_${each}`)]), prefs.theme,
      theme => { prefs.theme = theme; }),
    choice("hand", say("hand"), ["left", "right"].map(each => [each, say(`hand_${each}`)]), prefs.hand,
      hand => { prefs.hand = hand; })),
  h("p", { class: "soft" }, say("where_kept")),
  h("p", { class: "soft" }, document.documentElement.dataset.version))];
}
