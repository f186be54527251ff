"use strict";
// The language that was chosen last, else the first that the browser wants and this site has.
let kept = null;
try { kept = localStorage.getItem("pnp lang"); } catch { /* nothing is kept */ }
const here = [...document.querySelectorAll("[hreflang]")].map(a => a.hreflang);
const want = [kept, ...navigator.languages].map(l => here.find(h => l && (h === l || h === l.split("-")[0]))).find(Boolean);
location.replace(`${want ?? here[0]}/index.html`);
