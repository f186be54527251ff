"""Turns elements of an SVG tree into what they are called, what they say, and what they inherit."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

SVG = "http://www.w3.org/2000/svg"
HREFS = ("href", "{http://www.w3.org/1999/xlink}href")
SPACE = "{http://www.w3.org/XML/1998/namespace}space"


def tag_of(element: etree._Element) -> str:
    return str(element.tag).rpartition("}")[2][:80]


def pieces(element: etree._Element) -> Iterator[tuple[str, etree._Element]]:
    """Each run of characters inside a text element, with the element that styles it."""
    for inner in element.iter():
        if inner.text:
            yield inner.text, inner
        if inner.tail and inner is not element and (parent := inner.getparent()) is not None:
            yield inner.tail, parent


def inherited(element: etree._Element, name: str) -> str:
    """An attribute of the element, or of the nearest around it that has it; empty if none has."""
    holder: etree._Element | None = element
    while holder is not None:
        if value := holder.get(name):
            return str(value)
        holder = holder.getparent()
    return ""
