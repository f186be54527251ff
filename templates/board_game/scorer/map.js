// The map: all of it, or one country so large that its spaces can be tapped; chains in gold, an alliance lit up.

const EDGE = "#3B2A1E", ROAD = "#6E5B45", RED = "#8E2620", NAME = 4.2;

function boardMap(page) {
  const { model } = page, { map, rules } = model;
  const country = id => page.say(`countries.${id}`);

  // Half of the line below a space, in the board's units: letters of Latin are about half as wide as high.
  const reach = name => [...name].reduce((sum, letter) => sum + (letter > "\u2E7F" ? 1 : 0.56), 0) * NAME / 2 + 1;

  // What is shown: the frame, or a country's spaces, with their names, and court with what they need around them.
  function windowOf(id) {
    if (!id) return map.frame.join(" ");
    const [x, y, radius] = map.countries[id].court, room = map.radius * 2.6;
    const across = [x - radius, x + radius], down = [y - radius, y + radius];
    for (const [at, from, name] of model.spacesOf[id].map(space => map.spaces[space])) {
      const beside = Math.max(room, reach(name));
      across.push(at - beside, at + beside);
      down.push(from - room, from + room);
    }
    const left = Math.min(...across), top = Math.min(...down);
    return [left, top, Math.max(...across) - left, Math.max(...down) - top].map(Math.round).join(" ");
  }

  // What can be tapped, by touch and by keys.
  const tappable = (id, label, on) => ({ id, role: "button", tabindex: "0", "aria-label": label, on,
    onkeydown: event => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); on(); } } });

  const picture = (id, x, y, size) => h("use", { href: `#${id}`, x: x - size / 2, y: y - size / 2, width: size,
    height: size });
  const road = (one, other, number) =>
    `M${map.spaces[one].slice(0, 2).join(" ")}Q${map.roads[number].join(" ")} ${map.spaces[other].slice(0, 2).join(" ")}`;

  function land(id, shown, game, tools) {
    const known = map.countries[id], lit = shown.hot && shown.hot.includes(id), dim = shown.hot ? !lit : shown.id
      && shown.id !== id;
    const more = known && tools && !shown.id ? tappable(`land-${id}`,
      `${country(id)}: ${model.held(game, id).reduce((sum, count) => sum + count, 0)} / ${model.spacesOf[id].length}`,
      () => tools.open(id)) : {};
    return h("path", { d: map.lands[id], class: known ? !shown.id && shown.near === id ? "land near" : "land" : "far",
      style: known ? { fill: known.tint } : {}, "fill-opacity": known && dim ? 0.42 : 1, ...(lit ? { class: "land lit" } : {}), ...more, key: id });
  }

  const roads = () => {
    const all = rules.roads.map(([one, other], number) => road(one, other, number)).join("");
    return [h("path", { d: all, fill: "none", stroke: ROAD, "stroke-width": 3.4, key: "kerb" }),
      h("path", { d: all, fill: "none", stroke: "#F6EDD9", "stroke-width": 2.2, key: "road" })];
  };

  function chains(paths) {
    const line = paths.map(spaces => spaces.slice(1).map((space, place) => {
      const number = rules.roads.findIndex(([one, other]) => one === space && other === spaces[place]
        || other === space && one === spaces[place]);
      return road(...rules.roads[number], number);
    }).join("")).join("");
    return line && [h("path", { d: line, fill: "none", stroke: EDGE, "stroke-width": 8, "stroke-linecap": "round",
      key: "chain-edge" }),
      h("path", { d: line, fill: "none", stroke: "#E6B83E", "stroke-width": 5, "stroke-linecap": "round",
        key: "chain" })];
  }

  function alliance({ box, countries }, shown) {
    if (shown.id && !countries.includes(shown.id)) return null;
    const [x, y, ribbon] = map.boxes[box], lit = shown.box === box, side = lit ? 24 : map.box * 0.6;
    return h("g", { class: "box", key: `box-${box}` }, h("path", { d: ribbon, fill: "none", stroke: RED,
      "stroke-width": lit ? 5 : 1.6, "stroke-dasharray": lit ? "none" : "0.1 3", "stroke-linecap": "round" }),
      h("rect", { x: x - side / 2, y: y - side / 2, width: side, height: side, rx: 1.5, fill: RED, stroke: lit
        ? "#E6B83E" : EDGE, "stroke-width": lit ? 2.5 : 0.6 }),
      h("text", { x, y: y + side * 0.25, "text-anchor": "middle", "font-size": side * 0.68, "font-weight": 700,
        fill: "#FFF6E4" }, box));
  }

  function court(id, game, shown, tools) {
    const [x, y, radius] = map.countries[id].court, counts = model.isFinal(game) ? model.advising(game, id) : [],
      all = counts.reduce((sum, count) => sum + count, 0);
    const seats = counts.flatMap((count, seat) => Array(count).fill(game.players[seat].seat));
    const own = tools && (!shown.id || shown.id === id) && model.isFinal(game) ? tappable(shown.id ? "court" : `court-${id}`,
      `${country(id)}, ${page.say("tally.councillors")}: ${all}`, () => tools.court(id)) : {};
    return h("g", { class: "sp", key: `court-${id}`, ...own }, h("circle", { class: "ring", cx: x, cy: y, r: radius - 1,
      fill: "#F6EDD9", stroke: EDGE, "stroke-width": 1 }),
      h("use", { href: `#arms-${id}`, x: x - radius * 0.5, y: y - radius * 0.6, width: radius, height: radius * 1.2 }),
      seats.map((seat, place) => {
        const turn = 2 * Math.PI * place / Math.max(8, all) - Math.PI / 2;
        return picture(`councillor-${seat}`, x + Math.cos(turn) * (radius - 1.5), y + Math.sin(turn) * (radius - 1.5),
          8.5);
      }));
  }

  // A space and who holds it, in words.
  function told(game, id) {
    const seat = game.spaces[id], values = { space: `${id} ${map.spaces[id][2]}`, country: country(model.countryOf[id]) };
    return seat === undefined ? page.say("page.space_empty", values) : page.say("page.space_held", { ...values,
      name: game.players[seat].name });
  }

  function space(id, game, shown, tools) {
    const [x, y, name] = map.spaces[id], own = model.countryOf[id], seat = game.spaces[id], near = shown.id ? shown.id === own : Boolean(tools),
      size = shown.id ? 15 : 17;
    return h("g", { class: "sp", key: `space-${id}`, ...(tools && near ? tappable(`space-${id}`, told(game, id),
      () => tools.claim(id)) : {}) },
      h("circle", { class: "ring", cx: x, cy: y, r: map.radius, fill: "#FFFAEC", stroke: EDGE, "stroke-width": near ? 1
        : 0.7 }),
      seat === undefined ? picture("cloister", x, y, map.radius * 1.5) : picture(`seat-${game.players[seat].seat}`, x,
        y, size),
      game.locked && game.locked[id] !== undefined && tools && h("circle", { cx: x, cy: y, r: size / 2 + 0.6,
        fill: "none", stroke: EDGE, "stroke-width": 1 }),
      shown.id && h("text", { class: near ? "name" : "name dim", x, y: y + map.radius + 4.4, "text-anchor": "middle",
        "font-size": NAME }, name),
      near && tools && h("circle", { class: "hit", cx: x, cy: y, r: 12.5 }));
  }

  // shown is {id (a country, or all), near (the one that was touched last), hot (countries lit up), box, chains}; tools
  // {open, claim, court} make it touchable.
  const drawn = (game, shown, tools) => h("svg", { class: "m", viewBox: windowOf(shown.id), role: tools ? "group" : "img",
    "aria-label": page.say("page.whole_map"), key: `map-${tools ? "tools" : "still"}` },
    h("path", { d: map.isles, class: "far", key: "isles" }), Object.keys(map.lands).map(id => land(id, shown, game,
      tools)), roads(), chains(shown.chains || []),
    rules.alliances.map(each => alliance(each, shown)), model.ids.map(id => court(id, game, shown, tools)),
      Object.keys(map.spaces).map(id => space(id, game, shown, tools)));

  return { drawn, told };
}
