// The tab Table: cells that can be changed, rows that come and go, and what a column holds.
"use strict";

const sorting = {}; // by file: the column, and 1 or -1
const shownColumn = { place: "", column: -1 };
const LONG_WORDS = 3;
const MAX_BARS = 12;

const isNumber = value => value.trim() !== "" && Number.isFinite(Number(value.replace(",", ".")));
const toNumber = value => Number(value.replace(",", "."));
const countWords = value => value.split(/\s+/).filter(Boolean).length;
const rounded = value => String(Math.round(value * 100) / 100);

function sortedRows(table) {
  const { column, direction } = sorting[table.place] ?? {};
  if (column === undefined) { return table.rows; }
  const collator = new Intl.Collator(state.look.lang, { numeric: true });
  return [...table.rows].sort((one, other) => direction * collator.compare(one.cells[column] ?? "", other.cells[column] ?? ""));
}

// A column's values with the number of cards that each row prints.
function valuesOf(table, column) {
  const copies = new Map();
  for (const piece of pieces().filter(each => each.place === table.place)) { copies.set(piece.line, (copies.get(piece.line) ?? 0) + piece.copies); }
  return table.rows.map(row => ({ value: row.cells[column] ?? "", copies: copies.get(row.line) ?? 1, line: row.line }));
}

function bars(entries) {
  const most = Math.max(...entries.map(([, number]) => number));
  return el("ul", { className: "bars" }, ...entries.slice(0, MAX_BARS).map(([label, number]) => {
    const bar = el("i", { ariaHidden: "true" });
    bar.style.width = `${100 * number / most}%`;
    return el("li", {}, el("span", {}, label || phrase("empty")), bar, el("b", {}, String(number)));
  }), entries.length > MAX_BARS ? el("li", { className: "note" }, phrase("and_more", { count: entries.length - MAX_BARS })) : "");
}

// What a column holds: how often each value is printed, mean and curve of numbers, length of texts.
function summary(table, column) {
  const values = valuesOf(table, column);
  const given = values.filter(each => each.value.trim());
  const cards = given.reduce((sum, each) => sum + each.copies, 0);
  const mean = measure => given.reduce((sum, each) => sum + each.copies * measure(each.value), 0) / cards;
  const counts = new Map();
  for (const { value, copies } of values) { counts.set(value, (counts.get(value) ?? 0) + copies); }
  const areNumbers = given.length > 0 && given.every(each => isNumber(each.value));
  const entries = [...counts].sort((one, other) => areNumbers ? toNumber(one[0]) - toNumber(other[0]) : other[1] - one[1]);
  const order = direction => el("button", { type: "button", ariaPressed: String(sorting[table.place]?.column === column && sorting[table.place].direction === direction),
    on: { click: () => { sorting[table.place] = { column, direction }; tables(); } } }, direction > 0 ? phrase("sort_up") : phrase("sort_down"));
  const lines = [el("p", {}, phrase("column_count", { cards, values: counts.size }))];
  if (areNumbers) {
    const numbers = given.map(each => toNumber(each.value));
    lines.push(el("p", {}, phrase("column_mean", { mean: rounded(mean(toNumber)), least: rounded(Math.min(...numbers)), most: rounded(Math.max(...numbers)) })));
  } else if (given.length && mean(countWords) > LONG_WORDS) {
    const longest = given.reduce((one, other) => other.value.length > one.value.length ? other : one);
    const piece = pieces().find(each => each.place === table.place && each.line === longest.line);
    lines.push(el("p", {}, `${phrase("column_words", { mean: rounded(mean(countWords)) })} `, piece
      ? el("button", { type: "button", className: "link", on: { click: () => { show("faces"); open(piece.id); } } }, piece.id) : phrase("line_number", { line: longest.line })));
  }
  return el("div", { className: "summary", role: "region", ariaLabel: phrase("column_holds", { column: table.columns[column] }) }, el("h3", {}, table.columns[column]),
    el("p", { className: "act" }, order(1), order(-1), el("button", { type: "button", on: { click: () => { delete sorting[table.place]; tables(); } } }, phrase("unsorted")),
      el("button", { type: "button", on: { click: () => { shownColumn.column = -1; tables(); } } }, phrase("close"))),
    ...lines, areNumbers || mean(countWords) <= LONG_WORDS || entries.length < values.length ? bars(entries) : "");
}

function heading(table, column) {
  const isShown = shownColumn.place === table.place && shownColumn.column === column;
  return el("button", { type: "button", className: "column", ariaExpanded: String(isShown), title: phrase("column_title"),
    on: { click: () => { Object.assign(shownColumn, { place: table.place, column: isShown ? -1 : column }); tables(); $(".summary button")?.focus(); } } }, table.columns[column]);
}

const changeRow = (table, row, action) => postAndSay("/api/row", { place: table.place, line: row.line, cells: row.cells, do: action }, () => (
  { add: phrase("row_added", { file: table.place }), copy: phrase("row_copied", { file: table.place }), delete: phrase("row_deleted", { file: table.place }) }[action]));

const makeCsv = place => postAndSay("/api/csv", { place }, ({ files }) => phrase("csv_made", { files: files.join(", ") }));

// Takes the table anew from where it was shared: first what changes is shown.
let fetched = null;
async function fetchAgain(given = {}) {
  fetched = null;
  say(phrase("fetching"));
  try {
    const found = await post("/api/fetch", given);
    say(found.changes?.length === 0 ? phrase("not_changed", { place: found.place }) : "");
    fetched = found.changes?.length ? found : null;
  } catch (error) { say(error.message); }
  tables();
}

function source() {
  const drop = () => { fetched = null; tables(); };
  const button = (words, act, className = "") => el("button", { type: "button", className, on: { click: act } }, words);
  return el("div", { id: "shared" }, el("p", { className: "act" }, button(phrase("fetch_again"), () => fetchAgain()), el("span", { className: "note" }, state.look.source)),
    ...(fetched ? [el("p", {}, phrase("fetched", { place: fetched.place })), el("ul", {}, ...fetched.changes.map(each => el("li", {}, each))),
      el("p", { className: "act" }, button(phrase("take_it"), () => fetchAgain({ digest: fetched.digest }), "main"), button(phrase("no"), drop))] : []));
}

const rowButtons = (table, row) => el("td", { className: "rows" }, ...[["add", "+", phrase("row_add", { line: row.line })], ["copy", "", phrase("row_copy", { line: row.line })], ["delete", "−", phrase("row_delete", { line: row.line })]]
  .map(([action, sign, words]) => el("button", { type: "button", className: action, ariaLabel: words, title: words, on: { click: () => changeRow(table, row, action) } }, sign)));

function tableOf(caption, note, columns, rows, ...before) {
  return [el("div", { className: "bar" }, el("h2", {}, caption), typeof note === "string" ? el("p", {}, note) : note), ...before,
    el("div", { className: "scroll", tabIndex: 0, role: "region", ariaLabel: caption },
      el("table", {}, el("thead", {}, el("tr", {}, ...columns.map(name => el("th", { scope: "col" }, name)))), el("tbody", {}, ...rows)))];
}

function tables() {
  const files = state.look.tables;
  const undo = el("button", { type: "button", id: "undo", hidden: !canAct(), disabled: !state.look.undo, on: { click: takeBack } }, phrase("undo"));
  const redo = el("button", { type: "button", id: "redo", hidden: !canAct(), disabled: !state.look.redo, on: { click: makeAgain } }, phrase("redo"));
  const editable = files.flatMap(table => tableOf(table.place,
    `${count("count_rows", table.rows.length)}. ${canAct() ? phrase("change_cell_table") : onlyLook()}`,
    [phrase("line"), ...table.columns.map((_, n) => heading(table, n)), ...(canAct() ? [phrase("rows")] : [])],
    sortedRows(table).map(row => el("tr", {}, el("td", { className: "n" }, String(row.line)),
      ...table.columns.map((name, n) => el("td", { className: (row.cells[n] ?? "").length > 22 ? "long" : "" }, cell(table, row, n, `${phrase("line_number", { line: row.line })}: ${name}`))),
      canAct() ? rowButtons(table, row) : "")),
    ...(shownColumn.place === table.place && shownColumn.column >= 0 ? [summary(table, shownColumn.column)] : [])));
  const others = state.look.sections.map(section => [section, section.pieces.filter(piece => !files.some(table => table.place === piece.place))])
    .flatMap(([section, some]) => {
      const columns = [...new Set(some.flatMap(piece => Object.keys(piece.cells)))];
      if (!columns.length) { return []; }
      const book = some.map(piece => piece.place).find(place => state.look.workbooks.includes(place));
      const make = book && canAct() ? el("p", { className: "act" }, el("span", { className: "note" }, phrase("workbook_fixed", { file: book })),
        el("button", { type: "button", className: "make-csv", on: { click: () => makeCsv(book) } }, phrase("make_csv"))) : "";
      return tableOf(section.title, make, ["id", ...columns], some.map(piece => el("tr", {}, el("td", { className: "n" }, piece.id),
        ...columns.map(name => el("td", {}, el("span", { className: "fixed" }, piece.cells[name] ?? ""))))));
    });
  $("#table").replaceChildren(...(state.look.source && canAct() ? [source()] : []), ...(files.length ? [el("p", { className: "act" }, undo, redo)] : []), ...editable, ...others);
  all("#table textarea").forEach(fit);
}
