// What goes out: text, data and pictures, by the device's own sharing where there is one.

function copy(words, told) {
  const done = () => flash(told || say("copied"));
  if (navigator.clipboard && isSecureContext) navigator.clipboard.writeText(words).then(done, () => copyByHand(words,
    done));
  else copyByHand(words, done);
}

// For pages from a file or over plain http, which have no clipboard: the old way, or the text to be taken by hand.
function copyByHand(words, done) {
  const area = document.createElement("textarea");
  area.value = words;
  area.className = "vh";
  document.body.appendChild(area);
  area.select();
  let copied = false;
  try {
    copied = document.execCommand("copy");
  } catch (error) { /* forbidden */ }
  area.remove();
  if (copied) done();
  else box(say("copy"), close => [h("textarea", { value: words, readonly: true, "aria-label": say("copy") }),
    button("close", say("back"), close, "small")]);
}

function share(words) {
  const told = say("copied_text");
  if (navigator.share) navigator.share({ text: words }).catch(error => { if (error.name !== "AbortError") copy(words,
    told); });
  else copy(words, told);
}

function saveFile(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type })), link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.appendChild(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

const fileName = document.documentElement.dataset.file;

// A finished picture to whom the device can send it, or into a file.
function sharePicture(canvas, name) {
  canvas.toBlob(blob => {
    const file = typeof File === "function" ? new File([blob], name, { type: "image/png" }) : null;
    if (file && navigator.canShare && navigator.canShare({ files: [file] })) navigator.share({ files: [file] }).catch(
      () => {});
    else saveFile(name, blob, "image/png");
  }, "image/png");
}

// A sign as a picture that a canvas can draw.
function signImage(id) {
  const symbol = byId(id), image = new Image();
  if (!symbol) return null;
  const drawn = `<svg xmlns="${SVG}" viewBox="${symbol.getAttribute("viewBox")}" width="200" height="200">${byId("shapes").outerHTML}${symbol.innerHTML}</svg>`;
  return new Promise(done => {
    image.onload = () => done(image);
    image.onerror = () => done(null);
    image.src = `data:image/svg+xml,${encodeURIComponent(drawn)}`;
  });
}

const INK = "#3B2A1E", VELLUM = "#F6EDD9", GOLD = "#E6B83E", LINE = "#B79F74";
const ROW = 52, COLUMN = 150, LABEL = 230, HEAD = 190;

// The score sheet as a picture: columns {name, seat, total, first}, rows {sign, label, cells, strong}.
async function sheetPicture(title, subtitle, columns, rows) {
  const canvas = document.createElement("canvas"), width = LABEL + columns.length * COLUMN + 24;
  canvas.width = width;
  canvas.height = HEAD + rows.length * ROW + 40;
  const pen = canvas.getContext("2d"), family = "Palatino, Georgia, 'Hiragino Mincho ProN', 'Noto Serif CJK JP', serif";
  const images = {};
  for (const id of new Set([...columns.map(each => `seat-${each.seat}`),
    ...rows.map(each => each.sign).filter(Boolean)])) images[id] = await signImage(id);
  pen.fillStyle = VELLUM;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.textAlign = "center";
  pen.fillStyle = "#8E2620";
  pen.font = `700 34px KK, ${family}`;
  pen.fillText(title, width / 2, 50, width - 40);
  pen.fillStyle = INK;
  pen.font = `20px ${family}`;
  pen.fillText(subtitle, width / 2, 84, width - 40);
  columns.forEach((each, place) => {
    const x = LABEL + place * COLUMN;
    if (each.first) { pen.fillStyle = "#FFE9A8"; pen.fillRect(x, 100, COLUMN, canvas.height - 116); }
    if (images[`seat-${each.seat}`]) pen.drawImage(images[`seat-${each.seat}`], x + COLUMN / 2 - 21, 106, 42, 42);
    pen.fillStyle = INK;
    pen.font = `700 20px ${family}`;
    pen.fillText(each.name, x + COLUMN / 2, 174, COLUMN - 12);
  });
  rows.forEach((row, number) => {
    const y = HEAD + number * ROW;
    pen.strokeStyle = row.strong ? INK : LINE;
    pen.beginPath();
    pen.moveTo(16, y);
    pen.lineTo(width - 16, y);
    pen.stroke();
    if (row.sign && images[row.sign]) pen.drawImage(images[row.sign], 18, y + 8, 36, 36);
    pen.fillStyle = INK;
    pen.textAlign = "left";
    pen.font = `${row.strong ? 700 : 400} ${row.strong ? 26 : 20}px ${family}`;
    pen.fillText(row.label, 62, y + 34, LABEL - 70);
    pen.textAlign = "center";
    row.cells.forEach((cell, place) => pen.fillText(cell, LABEL + (place + 0.5) * COLUMN, y + 34, COLUMN - 12));
  });
  pen.strokeStyle = GOLD;
  pen.lineWidth = 6;
  pen.strokeRect(3, 3, canvas.width - 6, canvas.height - 6);
  return canvas;
}
