// What is typed into cells that count: the twin of counts.py, for forms and pages. Plain ECMAScript 5.
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

  // The sum in a text like 3+2; -1 if nothing is counted there.
  function count(text) {
    var found = plain(text).match(/[0-9]+/g);
    return found ? found.reduce(function (before, digits) { return before + parseInt(digits, 10); }, 0) : -1;
  }

  return { plain: plain, count: count };
}());
