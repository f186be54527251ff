"""First layouts with little on them: words alone, suits and numbers, hexes and counters."""

from __future__ import annotations

from collections.abc import Sequence

from ppgen.engine.colours import DARK, legible_ink
from ppgen.engine.shapes import ShapeKind
from ppgen.games.own_deck.layout_writer import (
    LETTERS,
    MAX_TOKEN_MM,
    PAPER,
    Area,
    LayoutWriter,
    call,
    floor_size,
)
from ppgen.games.own_deck.sheet_columns import CardColumn


class PlainLayout(LayoutWriter):
    """A card or token with a few large things."""

    # Words alone

    def write_plaque(self) -> None:
        """A single text or name, on a plaque on ornament."""
        u, edge = self.unit, 3 * self.unit
        is_name = not self.columns.texts
        column = self.columns.roles["name"] if is_name else self.columns.texts[0]
        shown, words = self._cut(f"card.{column.name}", self.cells(column))
        style, most = ("title", 7.5 * u) if is_name else ("text", 4.8 * u)
        frame = Area(edge + 1.6 * u, edge + 1.6 * u, self.width - 2 * edge - 3.2 * u, self.height - 2 * edge - 3.2 * u)
        width, room = frame.width - 12 * u, frame.height - 18 * u
        texts = [(words[n], room) for n in self._longest(words)]
        if is_name:  # no word may break
            most = min(most, self.fitter.line([part for word in words for part in word.split()], width, most))
        function = self._function(words)
        fits = self.fitter.size(texts, width, most, style, 1.15, function == "rich")
        self._warn(words, column, fits)
        size = max(fits, min(most, 3.4 * u))
        height = min(max(self.fitter.height(words[n], width, fits, style) for n in self._longest(words)) + 1 * u, room)
        plaque = Area(frame.x + 3 * u, frame.cy - height / 2 - 4 * u, frame.width - 6 * u, height + 8 * u)
        self._begin()
        ground = ["{{ look.card() }}"] if self.look.name else [
            "{{ fill(paper) }}", call("panel", margin=edge, radius=2.6 * u, fill="accent"), *self._ornament(frame, 9)]
        self.lines += [*(self._ground() if self.look.name else ()), *ground,
                       *self._draw("plaque", plaque, [
                           call("panel", x=plaque.x, y=plaque.y, width=plaque.width, height=plaque.height,
                                radius=1.6 * u, fill="paper"),
                           call("panel", x=plaque.x + u, y=plaque.y + u, width=plaque.width - 2 * u,
                                height=plaque.height - 2 * u, radius=u, stroke="mixed(accent, paper, 0.4)",
                                stroke_width=0.25 * u)]),
                       self._box(function, shown, frame.cx - width / 2, width, "center",
                                 y=frame.cy - height / 2, height=height, size=size,
                                 min_size=floor_size(min(fits * 0.99, size * 0.7)), style=style, leading=1.15,
                                 valign="middle", fill=self._ink("words_ink", f'"{LETTERS}"'))]

    # Index cards

    def write_index(self) -> None:
        """Suits and numbers: indices in two corners, and the number on the suit's ornament."""
        u, lines = self.unit, self.lines
        self._begin()
        has_sign = self._set_sign()
        number, value = self.cells("cost"), self.value("cost")
        frame = Area(12.5 * u, 8 * u, self.width - 25 * u, self.height - 16 * u)
        if self.look.name:
            lines += [*self._ground(), *self._draw("field", frame, (), sign="sign" if has_sign else None)]
        else:
            lines += ["{{ fill(paper) }}",
                      call("panel", x=frame.x - 1.4 * u, y=frame.y - 1.4 * u, width=frame.width + 2.8 * u,
                           height=frame.height + 2.8 * u, radius=2.4 * u, stroke="accent", stroke_width=0.35 * u),
                      call("panel", x=frame.x, y=frame.y, width=frame.width, height=frame.height, radius=1.4 * u,
                           fill="accent"), *self._ornament(frame, 8, 0.0, 0.18)]
        big = self.fitter.line(number, frame.width * 0.78, 27 * u)
        y = self.height / 2 + big * 0.34
        lines.append(call("text", value, x=self.width / 2, y=y, width=frame.width * 0.8, size=big,
                           min_size=floor_size(big * 0.6), style="title", anchor="middle",
                           fill=self._ink("field_ink", "ink_on(accent)")))
        words = next(filter(self.has, ("name", "kind")), "")
        if words:
            box = Area(frame.x + 2 * u, frame.bottom - 12 * u, frame.width - 4 * u, 8 * u)
            lines.append(self._line(self.value(words), self.cells(words), box, 3.2 * u,
                                    self._ink("field_ink", "ink_on(accent)")))
        small = self.fitter.line(number, 8.6 * u, 8.4 * u)
        ink = 'mixed(accent, "#000000", 0.3)' if any(
            legible_ink(colour) == DARK for colour in self.columns.kinds.values()) else "accent"
        ink = self._ink("corner_ink", ink)
        corner = [call("text", value, x=6.3 * u, y=12.2 * u, width=8.8 * u, size=small,
                       min_size=floor_size(small * 0.6), style="title", anchor="middle", fill=ink)]
        if has_sign:
            corner.append(call("icon", "sign", x=6.3 * u, y=17.4 * u, size=5.4 * u,
                               fill=self._ink("corner_ink", "accent")))
        lines += ["{% for turn in (0, 180) %}",
                  f'<g transform="rotate({{{{ turn }}}} {self.width / 2:g} {self.height / 2:g})">', *corner, "</g>",
                  "{% endfor %}"]
        fact_lines, facts = self._facts()
        facts = [" ".join(words.split()) for words in facts]
        if any(facts):
            fits = self.fitter.line(facts, frame.width, 2.3 * u, "text")
            lines += [*fact_lines, call(
                "text", 'facts.split() | join(" ")', x=self.width / 2, y=self.height - 3.6 * u, width=frame.width,
                size=2.3 * u, min_size=floor_size(min(fits * 0.98, 1.8 * u)), anchor="middle",
                fill=self._ink("corner_ink", f'"{LETTERS}"'))]

    # Tokens

    def write_token(self) -> None:
        """Hexes, discs and counters: the picture or the colour of the kind to the edges, name and numbers."""
        width, height = self.width, self.height
        side = min(width, height)
        self._begin()
        has_sign = self._set_sign()
        lines = self.lines
        lines.append("{{ fill(accent) }}")
        if self.look.name:
            lines.append("{{ look.token() }}")
        numbers = [role for role in ("cost", "left", "right") if role in self.columns]
        title = next(filter(self.has, ("name", "kind")), "")
        ink = self._ink("token_ink", "ink_on(accent)")
        is_tiny = side <= MAX_TOKEN_MM
        cx, cy = width / 2, height / 2
        reach = 0.72 if self.shape is ShapeKind.RECTANGLE else 0.5
        if self.art.column:
            picture = call("image", self.art.column, fit="bleed")
            if self.art.is_dark:
                picture = call("panel", margin=0.06 * side, radius=0.05 * side, fill=f'"{PAPER}"') + picture
            lines += ([f"{{% if has_picture({self.art.column}) %}}{picture}{{% endif %}}"] if self.art.has_gaps
                      else [picture])
        elif not is_tiny and not self.look.name:
            lines += self._token_ground(side)
        rest = [*self.columns.texts, *self.columns.facts]
        rest += [self.columns.roles[role] for role in ("flavour", "keywords", "rarity") if self.has(role)]
        if title == "name" and self.has("kind") and not self.columns.kinds:
            rest.append(self.columns.roles["kind"])
        if has_sign and not self.art.column:
            place = cy - side * (0.05 if is_tiny else 0.27 if numbers else 0.08)
            size = side * (0.3 if is_tiny else 0.17 if numbers else 0.34)
            lines.append(call("icon", "sign", x=cx, y=place, size=size, fill=ink))
        if numbers and is_tiny:
            words = ["–".join(filter(None, row)) for row in zip(*map(self.cells, numbers), strict=True)]
            joined = ("[" + ", ".join(self.value(role) + ' ~ ""' for role in numbers) + '] | select | join("–")'
                      if len(numbers) > 1 else self.value(numbers[0]))
            most = side * (0.3 if has_sign or self.art.column else 0.42)
            fits = self.fitter.line(words, width * reach, most)
            y = cy + most * 0.3
            if has_sign or self.art.column:
                y = height * 0.9 if reach > 0.6 else cy + side * 0.34
            lines.append(call("text", joined, x=cx, y=y, width=width * reach, size=most,
                               min_size=floor_size(min(fits, most * 0.7)), style="title", anchor="middle", fill=ink,
                               outline=f'"{PAPER} 0.3"' if self.art.column else None))
        elif numbers:
            for n, role in enumerate(numbers):
                x = cx + (n - (len(numbers) - 1) / 2) * side * 0.27
                y = cy + (side * 0.03 if has_sign and not self.art.column else 0)
                radius = side * (0.15 if len(numbers) == 1 else 0.12)
                if self.look.name and rest:
                    y, radius = cy - side * 0.02, side * 0.11  # clear of the words
                lines.append(call("look.number", self.value(role), x=x, y=y, r=radius) if self.look.name
                             else call("badge", self.value(role), x=x, y=y, r=radius, fill="paper"))
        elif title == "name" and not has_sign and not self.art.column and is_tiny:
            initial = f'(card.{self.columns.roles["name"].name} ~ "")[:1]'
            lines.append(call("text", initial, x=cx, y=cy + side * 0.2, width=width * reach, size=side * 0.46,
                               min_size=1, style="title", anchor="middle", fill=ink))
        if title:
            cells = self.cells(title)
            most = side * (0.15 if is_tiny else 0.085)
            room = width * (0.86 if reach > 0.6 and is_tiny else 0.56 if is_tiny else 0.44)
            y = height * (0.2 if reach > 0.6 and is_tiny else 0.25 if is_tiny else 0.83)
            fits = self.fitter.line(cells, room, most, "strong")
            if not is_tiny:
                band = Area(cx - room / 2 - side * 0.02, y - most * 1.05, room + side * 0.04, most * 1.6)
                lines += self._draw("label", band, [call("panel", x=band.x, y=band.y, width=band.width,
                                                         height=band.height, radius=side * 0.02, fill="paper")])
            self._warn(cells, self.columns.roles[title], min(fits, most))
            lines.append(call("text", self.value(title), x=cx, y=y, width=room, size=most,
                               min_size=floor_size(min(fits * 0.98, most * 0.7)), style="strong", anchor="middle",
                               fill=self._ink("label_ink", f'"{LETTERS}"') if not is_tiny else ink))
        if rest and not is_tiny:
            self._write_token_words(rest, side)
        elif rest:
            self.left_out = tuple(column.heading for column in rest)

    def _token_ground(self, side: float) -> list[str]:
        whole = Area(-2, -2, self.width + 4, self.height + 4)
        return self._ornament(whole, side * 0.14 / self.unit, 0.0, 0.16)[1:]

    def _write_token_words(self, rest: Sequence[CardColumn], side: float) -> None:
        """What else the row has, small above the name."""
        cells = [self.cells(column) for column in rest]
        words = ["  ·  ".join(filter(None, row)) for row in zip(*cells, strict=True)]
        joined = ", ".join(f'card.{column.name} ~ ""' for column in rest)
        shown, words = self._cut(f'[{joined}] | select | join("  ·  ")', words)
        width, height = self.width * 0.6, side * 0.12
        texts = [(words[n], height) for n in self._longest(words)]
        is_rich = bool(self.look.name) and self._function(words) == "rich"
        fits = self.fitter.size(texts, width, side * 0.045, markup=is_rich)
        on_picture = self.look.name and self.art.column
        if on_picture:
            self.lines += [f"{{% if {shown} %}}", call(
                "panel", x=self.width / 2 - width / 2 - side * 0.02, y=self.height * 0.61, width=width + side * 0.04,
                height=height, radius=side * 0.02, fill=f'"{PAPER}"', opacity=0.85)]
        self._warn(words, rest[0], fits)
        self.lines.append(call("rich" if is_rich else "paragraph", shown,
                                x=self.width / 2 - (width / 2 if is_rich else 0),
                                y=self.height * 0.61, width=width, height=height, size=side * 0.045,
                                min_size=floor_size(min(fits * 0.97, side * 0.04)),
                                anchor=None if is_rich else "middle", align="center" if is_rich else None,
                                valign="middle",
                                fill=f'"{LETTERS}"' if on_picture else self._ink("token_ink", "ink_on(accent)")))
        if on_picture:
            self.lines.append("{% endif %}")
