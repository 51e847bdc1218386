"""JSON schemas in words: what a value may be, the fields of an object, and an example."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

from service.api_page.markup import Html, element, joined, link, prose_line

__all__ = [
    "NULL",
    "Schema",
    "Schemas",
    "anchor_of",
    "as_json",
    "definition",
    "examples_of",
    "fields",
    "kind_of",
    "message",
    "name_of",
]

Schema: TypeAlias = Mapping[str, Any]
Schemas: TypeAlias = Mapping[str, Schema]

NULL: Schema = {"type": "null"}
"""What stands among the kinds of a value that may be missing."""

_WIDTH = 84
"""Columns of a line of JSON; what fits stays on one line."""

_EXACT = 2**53
"""Whole numbers from here on are not exact in JavaScript, so the service takes none."""

_KINDS = {"string": "text", "array": "list"}
_COUNTED = {"string": ("Length", "characters"), "array": ("Items", "items"), "object": ("Properties", "fields")}


def anchor_of(name: str) -> str:
    """Return the anchor of the schema of that name."""
    return f"schema-{name}"


def name_of(reference: str) -> str:
    """Return the name of the schema that is referred to."""
    return reference.rpartition("/")[2]


def kind_of(schema: Schema) -> Html:
    """Return in words what a value may be, with its bounds; schemas that are referred to are links."""
    if "$ref" in schema:
        name = name_of(schema["$ref"])
        return link(anchor_of(name), name)
    choices = _choices(schema)
    if choices:
        some = [kind_of(one) for one in choices if one != NULL]
        return joined([joined(some, " or "), *([", or null"] if NULL in choices else [])])
    values = [schema["const"]] if "const" in schema else schema.get("enum", ())
    if values:
        return joined((_code(value) for value in values), " or ")
    return joined([_named(schema), *_bounds(schema)], ", ")


def _choices(schema: Schema) -> Sequence[Schema]:
    found: Sequence[Schema] = schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf") or ()
    return found


def _named(schema: Schema) -> Html:
    kind = str(schema.get("type", "anything"))
    if "prefixItems" in schema:
        return joined(["[", joined(map(kind_of, schema["prefixItems"]), ", "), "]"])
    if "items" in schema:
        return joined(["list of ", _grouped(schema["items"])])
    if isinstance(schema.get("additionalProperties"), Mapping):
        return joined(["object, each field: ", _grouped(schema["additionalProperties"])])
    if schema.get("format") == "binary":
        return Html("file")
    return joined([_KINDS.get(kind, kind)])


def _grouped(schema: Schema) -> Html:
    """Return what each of many may be, in brackets where the words could be taken for those of the many."""
    words = kind_of(schema)
    plain = "$ref" in schema or not (_choices(schema) or ", " in words)
    return words if plain else joined(["(", words, ")"])


def _bounds(schema: Schema) -> Iterator[str]:
    """Yield the bounds of a number, and of the length of anything else."""
    texts = {"minimum": "at least", "exclusiveMinimum": "above", "maximum": "at most", "exclusiveMaximum": "below"}
    yield from (f"{text} {_number(schema[key])}" for key, text in texts.items() if key in schema)
    noun, counted = _COUNTED.get(str(schema.get("type")), ("", ""))
    least, most = schema.get(f"min{noun}"), schema.get(f"max{noun}")
    if not counted or "prefixItems" in schema:
        return
    if least is not None and least == most:
        yield f"{least} {counted}"
    elif least and most is not None:
        yield f"{least} to {most:,} {counted}"
    elif most is not None:
        yield f"at most {most:,} {counted}"
    elif least:
        yield f"at least {least} {counted}"


def _number(value: float) -> str:
    if abs(value) == _EXACT:
        return f"{'-' if value < 0 else ''}2^53"
    return f"{value:,.12g}"


def fields(schema: Schema) -> Html:
    """Return the fields of an object as a list of definitions, nothing where it has none."""
    required = schema.get("required", ())
    rows = [definition(name, one, name in required) for name, one in schema.get("properties", {}).items()]
    return element("dl", *rows) if rows else Html()


def definition(name: str, schema: Schema, required: bool, where: str = "") -> Html:
    """Return one field or parameter: its name, what it may be, ``where`` it stands, and what it means."""
    about = [kind_of(schema), *([where] if where else [])]
    if required:
        about.append(element("strong", "required"))
    elif schema.get("default") is not None:
        about.append(joined(["default ", _code(schema["default"])]))
    meaning = [prose_line(_description(schema))]
    if "const" not in schema:
        meaning += [joined(["Example: ", _code(shown)]) for shown in examples_of(schema)[:1]]
    term = element("dt", element("code", name), " ", element("span", joined(about, "; ")))
    return joined([term, element("dd", joined(filter(None, meaning), " "))])


def _code(value: Any) -> Html:
    """Return a value, a text without quotes; where it is long, its beginning."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return element("code", text if len(text) <= _WIDTH else f"{' '.join(text.split())[:_WIDTH]}…")


def _description(schema: Schema) -> str:
    """Return the description of a schema, or else of the first of its kinds that has one."""
    own = schema.get("description") or next(filter(None, map(_description, _choices(schema))), "")
    return str(own)


def examples_of(part: Schema, schemas: Schemas = MappingProxyType({})) -> list[Any]:
    """Return the examples of a content or a schema, or else of what it refers to or of the first of its kinds.

    References are followed into ``schemas``; without these they have no examples.
    """
    if "example" in part:
        return [_in_order(part["example"], part)]
    if many := part.get("examples"):
        return [_in_order(one, part) for one in (_values(many) if isinstance(many, Mapping) else many)]
    inner = [part["schema"]] if "schema" in part else list(_choices(part))
    name = name_of(part.get("$ref", ""))
    inner += [schemas[name]] if name in schemas else []
    return next(filter(None, (examples_of(one, schemas) for one in inner)), [])


def _values(examples: Mapping[str, Any]) -> list[Any]:
    return [one["value"] for one in examples.values()]


def _in_order(example: Any, schema: Schema) -> Any:
    """Return an example with its fields in the order of its ``schema``: the description may have them sorted."""
    known = schema.get("properties", {})
    return {name: example[name] for name in known if name in example} | example if known else example


def message(reference: Schema, schemas: Schemas) -> Html:
    """Return an object that says its ``type``: that, which links to its fields, what it is, and its example."""
    name = name_of(reference["$ref"])
    schema = schemas[name]
    term = element("dt", link(anchor_of(name), element("code", schema["properties"]["type"]["const"])))
    shown = [element("pre", as_json(one)) for one in examples_of(schema)]
    return joined([term, element("dd", prose_line(schema.get("description", "")), *shown)])


def as_json(value: Any, indent: str = "", taken: int = 0) -> str:
    """Return a JSON value for people: what fits stays on one line, which has ``taken`` columns before it.

    >>> print(as_json({"a": [1, 2], "b": "x" * 90}))
    {
      "a": [1, 2],
      "b": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    }
    """
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + taken + len(line) <= _WIDTH or not isinstance(value, dict | list) or not value:
        return line
    deeper = f"{indent}  "
    if isinstance(value, list):
        parts = [as_json(one, deeper) for one in value]
        return _lines("[", parts, "]", indent)
    names = [f"{json.dumps(name, ensure_ascii=False)}: " for name in value]
    parts = [f"{name}{as_json(one, deeper, len(name))}" for name, one in zip(names, value.values(), strict=True)]
    return _lines("{", parts, "}", indent)


def _lines(opening: str, parts: Sequence[str], closing: str, indent: str) -> str:
    inside = f",\n{indent}  ".join(parts)
    return f"{opening}\n{indent}  {inside}\n{indent}{closing}"
