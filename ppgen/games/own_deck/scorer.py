"""A deck with a ``score.toml`` on the scorer page: its rules, and its words in each language."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ppgen import play
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Size
from ppgen.games.interface import ScorerGame
from ppgen.play.rule_file import Rules, read_rules
from ppgen.play.rule_game import RuleNames
from ppgen.play.sheet_plan import Json
from ppgen.reading.texts import Texts

SCRIPTS = ("score_lines.js", "checking.js")
BADGE = "shared/scorer-badge.svg.j2"


def scorer_game(folder: Path, name: str, title: str, author: str, common: Path) -> ScorerGame:
    """Make a deck for the scorer page from its data folder, its name and title, and the common locale files."""
    rules = read_rules(folder)

    def words(lang: str) -> Texts:
        own = read_rules(folder, lang)
        say = RuleNames(own, lang, common).say
        return replace(say, words={**say.words, **_labels(own), "scorer.title": title, "page.name": title,
                                   "scorer.unofficial": author})

    scripts = tuple((Path(play.__file__).parent / script).read_text(encoding="utf-8") for script in SCRIPTS)
    return ScorerGame(start="deckPage", scripts=scripts, words=words,
                      data={"name": name, "rules": rules_json(rules), "digest": rules.digest},
                      signs={"badge": FaceRequest(template=BADGE, size=Size(100, 100), key="badge", values={})})


def rules_json(rules: Rules) -> Json:
    """The ``rules`` of ``score_lines.js``, without the words of any language."""
    lines = [{key: value for key, value in line.data().items() if key != "label"} for line in rules.lines]
    return {"least": rules.least, "most": rules.most, "lowest": rules.lowest, "tie_break": rules.tie_break,
            "verdicts": [[least] for least, _ in rules.verdicts], "lines": lines}


def _labels(rules: Rules) -> dict[str, str]:
    return {**{f"label.{n}": line.label for n, line in enumerate(rules.lines)},
            **{f"row.{key}": label for key, label in rules.rows.items()},
            **{f"entry.{key}": label for key, label in rules.columns.items()},
            **{f"verdict.{n}": words for n, (_, words) in enumerate(rules.verdicts)}}
