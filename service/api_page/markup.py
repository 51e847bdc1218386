"""HTML whose texts are always escaped, and the little Markdown that descriptions use."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

__all__ = ["Html", "element", "heading", "joined", "link", "prose", "prose_line"]

_MARKED = re.compile(r"``(.+?)``|`([^`]+)`|\*\*(.+?)\*\*", re.DOTALL)
_BLANK = re.compile(r"\n\s*\n")
_BULLET = re.compile(r"^- ", re.MULTILINE)


class Html(str):
    """A text that is HTML already; every other text is escaped where it is put into HTML."""

    __slots__ = ()


def element(name: str, *inside: str, **attributes: str) -> Html:
    """Return an element around what is ``inside``; an underscore at the end of an attribute's name is left out.

    >>> element("a", "R&D ", element("b", "<i>"), href='x"y', class_="z")
    '<a href="x&quot;y" class="z">R&amp;D <b>&lt;i&gt;</b></a>'
    """
    named = "".join(f' {key.rstrip("_")}="{escape(value)}"' for key, value in attributes.items())
    return Html(f"<{name}{named}>{joined(inside)}</{name}>")


def joined(parts: Iterable[str], between: str = "") -> Html:
    """Return all ``parts`` as HTML, with ``between`` between them."""
    return Html(_escaped(between).join(map(_escaped, parts)))


def _escaped(text: str) -> str:
    return text if isinstance(text, Html) else escape(text)


def link(anchor: str, *inside: str) -> Html:
    """Return a link to a place of the same page."""
    return element("a", *inside, href=f"#{anchor}")


def heading(anchor: str, text: str, level: int = 3) -> Html:
    """Return a heading that links to itself."""
    return element(f"h{level}", link(anchor, text), id=anchor)


def prose(text: str) -> Html:
    r"""Return the paragraphs and lists of a text as HTML: of Markdown it knows those, ``code`` and bold.

    >>> prose("a `b<c`\n\nd:\n- **e**\n- f")
    '<p>a <code>b&lt;c</code></p><p>d:</p><ul><li><b>e</b></li><li>f</li></ul>'
    """
    return joined(_block(block) for block in _BLANK.split(text.strip()) if block)


def _block(text: str) -> Html:
    before, *items = _BULLET.split(text)
    paragraph = [element("p", prose_line(before.strip()))] if before.strip() else []
    points = [element("li", prose_line(item.strip())) for item in items]
    return joined([*paragraph, *([element("ul", *points)] if points else [])])


def prose_line(text: str) -> Html:
    """Return a text without paragraphs as HTML."""
    parts, end = [], 0
    for found in _MARKED.finditer(text):
        bold = found[3]
        parts += [text[end : found.start()], element("b", bold) if bold else element("code", found[1] or found[2])]
        end = found.end()
    return joined([*parts, text[end:]])
