// What is typed into cells that count: the twin of sheet_plan.py, for forms and pages. Plain ECMAScript 5.
var tallyCounts = (function () {
  "use strict";

  // Full-width characters, as Japanese keyboards type them, made plain; spaces left out.
  function plain(text) {
    var made = "";
    for (var i = 0; i < text.length; i++) {
      var code = text.charCodeAt(i);
      if (code >= 0xFF01 && code <= 0xFF5E) { code -= 0xFEE0; }
      if (code !== 0x20 && code !== 0x3000) { made += String.fromCharCode(code); }
    }
    return made;
  }

  function sum(found) {
    return found.reduce(function (before, digits) { return before + parseInt(digits, 10); }, 0);
  }

  // The sum in a text like 3+2; -1 if nothing is counted there.
  function count(text) {
    var found = plain(text).match(/[0-9]+/g);
    return found ? sum(found) : -1;
  }

  // The same with the minus sign of a keyboard for those of a typesetter.
  function plainSigned(text) { return plain(text).split("\u2212").join("-").split("\u2013").join("-"); }

  // The sum in a text like 3-5, which may be below 0; null if nothing is written there.
  function points(text) {
    var found = plainSigned(text).match(/-?[0-9]+/g);
    return found ? sum(found) : null;
  }

  return { plain: plain, plainSigned: plainSigned, count: count, points: points };
}());
