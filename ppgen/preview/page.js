// Keeps the page as it should be: listens for new looks, fetches the page again and takes over what differs.
"use strict";

const main = document.querySelector("main");
const body = document.body;
const view = body.dataset.view;
const turnAll = document.querySelector("#turn-all");
const usual = { faces: "1", pages: "0.5" };
let zoom = usual[view];
try { zoom = sessionStorage.getItem(`zoom ${view}`) ?? zoom; } catch { /* a browser that keeps nothing */ }

// How wide an image stands on the page tells the browser which picture to load.
function size(image) {
  const [width, height] = [Number(image.getAttribute("width")), Number(image.getAttribute("height"))];
  const shown = zoom === "fit" ? (window.innerHeight - 168) * width / height : width * Number(zoom);
  const sizes = `${Math.round(shown)}px`;
  if (image.sizes !== sizes) { image.sizes = sizes; }
}

function setZoom(to) {
  zoom = to;
  try { sessionStorage.setItem(`zoom ${view}`, zoom); } catch { /* it is as well forgotten */ }
  main.dataset.zoom = zoom;
  main.querySelectorAll("img").forEach(size);
  for (const button of document.querySelectorAll("[data-zoom]:not(main)")) {
    button.setAttribute("aria-pressed", String(button.dataset.zoom === zoom));
  }
}

function turn(button, over) { button.setAttribute("aria-pressed", String(over)); }

function enliven(within) {
  for (const button of within.querySelectorAll(".turn")) {
    button.disabled = false;
    turn(button, turnAll.getAttribute("aria-pressed") === "true");
  }
  within.querySelectorAll("img").forEach(size);
}

// Takes over an element's attributes and words; pictures that stay the same are not touched.
function takeOver(old, fresh) {
  const [images, news] = [old.querySelectorAll("img"), fresh.querySelectorAll("img")];
  let differs = false;
  images.forEach((image, n) => {
    if (image.getAttribute("src") !== news[n].getAttribute("src")) {
      differs = true;
      for (const name of ["width", "height", "srcset", "src", "alt"]) { image.setAttribute(name, news[n].getAttribute(name)); }
      size(image);
    }
  });
  const [caption, words] = [old.querySelector("figcaption"), fresh.querySelector("figcaption")];
  if (caption.innerHTML !== words.innerHTML) { caption.replaceChildren(...words.childNodes); }
  if (differs) { flash(old); }
}

function flash(figure) {
  figure.classList.remove("fresh");
  void figure.offsetWidth; // so that the same figure may glow twice
  figure.classList.add("fresh");
}

const figures = within => [...within.querySelectorAll("figure")];
const shape = within => [...within.querySelectorAll("section, figure")].map(
  element => `${element.id} ${element.querySelectorAll("img").length}`).join();

function renew(page) {
  const at = [window.scrollX, window.scrollY];
  for (const id of ["problems", "said", "facts", "sets", "views"]) {
    const [old, fresh] = [document.getElementById(id), page.getElementById(id)];
    if (old.innerHTML !== fresh.innerHTML) { old.replaceChildren(...fresh.childNodes); }
    old.hidden = fresh.hidden;
  }
  for (const selector of ["h1", "title"]) {
    document.querySelector(selector).textContent = page.querySelector(selector).textContent;
  }
  const fresh = page.querySelector("main");
  if (shape(main) === shape(fresh)) {
    const news = figures(fresh);
    figures(main).forEach((figure, n) => takeOver(figure, news[n]));
    main.querySelectorAll("h2").forEach((heading, n) => {
      heading.replaceChildren(...fresh.querySelectorAll("h2")[n].childNodes);
    });
  } else {
    const known = new Map(figures(main).map(figure => [figure.id, figure]));
    const focused = document.activeElement?.closest("figure")?.id;
    for (const figure of figures(fresh)) {
      const old = known.get(figure.id);
      if (old && old.querySelectorAll("img").length === figure.querySelectorAll("img").length) {
        takeOver(old, figure);
        figure.replaceWith(old);
      } else {
        enliven(figure);
        if (known.size) { flash(figure); }
      }
    }
    main.replaceChildren(...fresh.childNodes);
    if (focused) { document.getElementById(focused)?.querySelector("button")?.focus({ preventScroll: true }); }
  }
  main.lang = fresh.lang;
  body.dataset.number = page.body.dataset.number;
  turnAll.hidden = !main.querySelector(".turn");
  window.scrollTo(...at);
}

let asking = false;
async function follow(number) {
  if (asking || number === body.dataset.number) { return; }
  asking = true;
  body.classList.add("busy");
  try {
    const answer = await fetch(location.pathname, { cache: "no-store" });
    if (!answer.ok) { location.replace("/"); return; } // a language or paper that is no longer shown
    renew(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } finally {
    asking = false;
    body.classList.remove("busy");
  }
  if (latest !== body.dataset.number) { follow(latest); }
}

let latest = body.dataset.number;
const events = new EventSource("/events");
events.addEventListener("look", event => {
  latest = event.data;
  body.classList.remove("lost");
  follow(latest).catch(lost);
});
events.addEventListener("error", lost);
function lost() {
  body.classList.add("lost");
  document.querySelector("#said").textContent = "ppgen preview has ended; these are the last pictures.";
  body.dataset.number = ""; // whatever comes next is news
}

document.querySelector("#tools").hidden = false;
turnAll.hidden = !main.querySelector(".turn");
document.documentElement.classList.add("lively");
enliven(main);
setZoom(zoom);
main.addEventListener("click", event => {
  const button = event.target.closest(".turn");
  if (button) { turn(button, button.getAttribute("aria-pressed") !== "true"); }
});
for (const button of document.querySelectorAll("button[data-zoom]")) {
  button.addEventListener("click", () => {
    const middle = document.elementFromPoint(window.innerWidth / 2, window.innerHeight / 2)?.closest("figure");
    setZoom(button.dataset.zoom);
    middle?.scrollIntoView({ block: "center" }); // what was looked at stays in sight
  });
}
turnAll.addEventListener("click", () => {
  const over = turnAll.getAttribute("aria-pressed") !== "true";
  turn(turnAll, over);
  main.querySelectorAll(".turn").forEach(button => turn(button, over));
});
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) { return; }
  const tool = document.querySelector(`[aria-keyshortcuts="${CSS.escape(event.key)}"]`);
  if (tool) { event.preventDefault(); tool.click(); }
});
window.addEventListener("resize", () => { if (zoom === "fit") { main.querySelectorAll("img").forEach(size); } });
