// Pieces of sentences in a language, for pages: the twin of sentences.py. say(key, values) has the texts, as Texts has
// them in Python.
const playSentences = (() => {
  "use strict";
  const signed = points => String(points).replace("-", "−");

  // The parts, each put behind those before it as the text says.
  const chained = (key, parts, say) => parts.length ? parts.reduce((first, last) => say(key, { first, last })) : "";
  const enumerated = (parts, say) => chained("results.list", parts, say);

  // "Andreas, Beate und Claus"
  function joined(names, say) {
    const last = names[names.length - 1], first = enumerated(names.slice(0, -1), say);
    return first ? say("results.and", { first, last }) : last;
  }

  // "1 point", "61 points"
  function counted(what, count, say) {
    const one = say("counted.singular").split(/\s+/).includes(String(Math.abs(count)));
    return say(`counted.${what}${one ? "_one" : ""}`, { count: signed(count) });
  }

  // What points are for, and why each player has them; in a line.
  const explained = (what, parts, say) => say("explain.line", { what, parts: chained("explain.also", parts, say) });

  return { signed, chained, enumerated, joined, counted, explained };
})();
