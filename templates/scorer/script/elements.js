// What screens are made of: descriptions of elements, and what makes a page show them by changing what differs.

const SVG = "http://www.w3.org/2000/svg";
const DRAWN = new Set(["svg", "use", "path", "g", "rect", "circle", "text", "title"]);

// An element to be: on is what a tap does, style holds properties, value what stands in a field; the rest are
// attributes. Of what is in it, words are text and never markup; null, false and undefined are nothing.
function h(tag, given, ...inside) {
  return { tag, given: given || {}, inside: inside.flat(Infinity).filter(each => each !== null && each !== undefined
    && each !== false) };
}

// Make the element hold just this. What is there already and of the same kind is kept, and with it focus and scrolling.
function show(parent, wanted) {
  wanted.forEach((each, place) => {
    const there = parent.childNodes[place], made = typeof each === "object" ? shownElement(there, each)
      : shownText(there, String(each));
    if (!there) parent.appendChild(made);
    else if (made !== there) parent.replaceChild(made, there);
  });
  while (parent.childNodes.length > wanted.length) parent.lastChild.remove();
}

function shownText(there, words) {
  if (!there || there.nodeType !== Node.TEXT_NODE) return document.createTextNode(words);
  if (there.data !== words) there.data = words;
  return there;
}

function shownElement(there, { tag, given, inside }) {
  const same = there && there.nodeType === Node.ELEMENT_NODE && there.localName === tag && there.given
    && (there.given.id || there.given.key) === (given.id || given.key);
  const made = same ? there : DRAWN.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  const before = same ? there.given : {};
  for (const name of Object.keys(before)) if (!(name in given)) set(made, name, undefined);
  for (const name of Object.keys(given)) if (given[name] !== before[name] || name === "value") set(made, name,
    given[name]);
  made.given = given;
  if (!given.foreign) show(made, inside);
  return made;
}

function set(element, name, value) {
  if (name === "key" || name === "foreign") return;
  if (name === "on") element.onclick = value || null;
  else if (name.startsWith("on")) element[name] = value || null;
  else if (name === "value") { if (element.value !== value) element.value = value; }
  else if (name === "style") for (const property of Object.keys(value || {})) element.style.setProperty(property,
    value[property]);
  else if (value === undefined || value === null || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : value);
}

const byId = id => document.getElementById(id);

// A sign of the games (arms, stones …), which says nothing to screen readers.
function sign(id) {
  return h("svg", { class: "sign", "aria-hidden": "true", focusable: "false", key: id }, h("use", { href: `#${id}` }));
}

const ICONS = {
  back: "M15 5L8 12L15 19", next: "M9 5L16 12L9 19", down: "M5 9L12 16L19 9", close: "M6 6L18 18M18 6L6 18",
  sheet: "M4 5H20V19H4ZM4 10H20M4 14.5H20M10 5V19M15 5V19", undo: "M9 7L4.5 11.5L9 16M5 11.5H14A5 5 0 0 1 14 20.5H11",
  gear: "M4 7H20M4 12H20M4 17H20M9 5V9M15 10V14M8 15V19", warn: "M12 4L21 20H3ZM12 10V14.5M12 17V17.6",
  edit: "M4 20L5 15.5L16 4.5L19.5 8L8.5 19ZM14 6.5L17.5 10", bin: "M5 7H19M10 7V4H14V7M7 7L8 20H16L17 7",
  map: "M3 6L9 4L15 6L21 4V18L15 20L9 18L3 20ZM9 4V18M15 6V20", up: "M5 15L12 8L19 15",
  more: "M5 12H5.1M12 12H12.1M19 12H19.1", swap: "M4 9H19L15.5 5.5M20 15H5L8.5 18.5",
  zoom: "M10.5 4.5A6 6 0 1 0 10.5 16.5A6 6 0 1 0 10.5 4.5M15 15L20 20",
  crown: "M3 18H21L22 7L17 12L12 4L7 12L2 7ZM3 21H21",
};

function icon(name, fill) {
  return h("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true", fill: fill || "none", key: name },
    h("path", { d: ICONS[name] }));
}

const iconButton = (id, name, label, on, more) => h("button", { class: "ib", id, "aria-label": label, on, ...more },
  icon(name));
const button = (id, label, on, look) => h("button", { class: `btn ${look || ""}`, id, on }, label);
