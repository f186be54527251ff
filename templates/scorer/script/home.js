// The first screen: what was begun, what can be begun, what was played.

function homeScreen() {
  const pages = Object.values(games), slots = Object.keys(store.drafts).filter(slot => !store.drafts[slot].kept);
  return [h("main", { class: "wrap" },
    h("div", { class: "hero" }, h("div", { class: "arms", "aria-hidden": "true" },
      pages[0].banner.map(id => h("span", {}, sign(id)))),
      h("h1", {}, say("title")), h("p", {}, say("unofficial"))),
    spark(), flashed(),
    slots.map(slot => goOn(slot, store.drafts[slot])),
    pages.map((page, place) => h("button",
      { class: `btn choice ${slots.length || place ? "" : "pri"}`, id: `new-${page.name}`,
      on: () => go("players", { kind: page.name, seats: null }) },
    h("span", { class: "pic" }, sign(page.arms)), h("span", { class: "tx" }, page.say("page.name"),
      h("small", {}, say("new_score"))))),
    h("h2", {}, say("history")),
    store.games.length ? pastList(3) : h("p", { class: "soft" }, say("no_history")),
    h("div", { class: "acts" },
      store.games.length > 0 && button("to-past", say("all_games"), () => go("past"), "small"),
      button("paste", say("paste"), pasteBox, "small"),
      button("gear", say("settings"), () => go("settings"), "small"),
      sitePage() && h("a", { class: "btn small", id: "to-site", href: sitePage() }, say("to_site"))))];
}

// The page that this one belongs to on a site: in this language, of the game that one came from.
function sitePage() {
  const here = document.documentElement.dataset.site.split(" "), names = Object.keys(games), game = asked.get("game");
  const lang = here.includes(language()) ? language() : here[0];
  return lang && `../${lang}/${names.length > 1 && names.includes(game) ? game : "index"}.html`;
}

// A draft, and what else can be done with it. One whose numbers are all in is shown as the result that it is.
function goOn(slot, game) {
  const page = pageOf(game), [done, all] = page.progress(game), over = page.complete(game);
  const names = game.players.map(player => player.name).join(" · ");
  return h("div", { class: "draft", key: slot }, h("button", { class: "btn pri choice", id: `on-${slot}`,
    on: () => go(over ? "result" : page.first, { slot }) },
    h("span", { class: "pic" }, sign(page.armsOf(game))),
    h("span", { class: "tx" }, say(game.of ? "go_on_correcting" : over ? "result" : "go_on"),
      h("small", {}, over ? leaders(page.result(game)) : names),
      h("small", {}, `${page.say("page.name")} · ${over ? day(game.when) : say("counted", { n: done, m: all })}`))),
  iconButton(`more-${slot}`, "more", `${say("more")}: ${names}`, () => box(say("more"), close => {
    const then = (id, label, on, look) => button(id, label, () => { close(); on(); }, look);
    return [h("h2", {}, names), h("div", { class: "acts" }, then("no-more", say("back"), () => {}, "small"),
      then("edit-players", say("edit_players"), () => editPlayers(slot, "home"), "small"),
      then("discard", say("discard"), () => discard(slot), "small"))];
  })));
}

// Away with a draft, and back with it for as long as the first screen is shown.
function discard(slot) {
  const game = store.drafts[slot];
  delete store.drafts[slot];
  go("home");
  flash(say("discarded"), false, () => { store.drafts[slot] = game; });
}

function settingsScreen() {
  const prefs = store.prefs, names = document.documentElement.dataset.names.split(" ");
  return [bar(say("settings"), () => go("home")), h("main", { class: "wrap" }, h("div", { class: "set" },
    choice("lang", say("language"), LANGUAGES.map((lang, place) => [lang, names[place].replace(/_/g, " "), lang]),
      language(), lang => { prefs.lang = lang; asked.delete("lang"); }),
    choice("theme", say("look"), ["auto", "light", "dark"].map(each => [each, say(`look_${each}`)]), prefs.theme,
      theme => { prefs.theme = theme; }),
    choice("hand", say("hand"), ["left", "right"].map(each => [each, say(`hand_${each}`)]), prefs.hand,
      hand => { prefs.hand = hand; })),
  h("p", { class: "soft" }, say("where_kept")),
  h("p", { class: "soft" }, document.documentElement.dataset.version))];
}
