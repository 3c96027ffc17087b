"""What is wrong with a field of a request: what it takes, and one value that it would take."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from ninja import NinjaAPI
from ninja.errors import ValidationError, ValidationErrorContext

# Tried for a text without an example of its own, in this order.
_TEXTS = ("text", "druid", "-size=5", "--unrated", "a1", "1", "2026-01-31", "druid-1", "-")
_HEXADECIMAL = "0123456789abcdef0123"  # as the keys of links are
_BODY = "payload"  # the name under which an operation gets the object of its body

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class FieldProblem:
    """The reason for a refused request, and what would be accepted."""

    detail: str
    hint: str


class DescribingAPI(NinjaAPI):
    """Adds to the first error of a request what its field takes."""

    def validation_error_from_error_contexts(
        self, error_contexts: list[ValidationErrorContext[Any]]
    ) -> ValidationError:
        """Return the error that Ninja raises; its first has a `FieldProblem` beside it."""
        found = super().validation_error_from_error_contexts(error_contexts)
        context = error_contexts[0]
        first = context.pydantic_validation_error.errors(include_url=False)[0]
        schema = context.model.model_json_schema()
        source = context.model.__ninja_param_source__
        found.errors[0]["problem"] = describe(schema, source, first)
        return found


def describe(schema: Schema, source: str, error: Mapping[str, Any]) -> FieldProblem:
    """Return what an error of pydantic says about a field.

    Args:
        schema: Of all parameters of one source, as JSON Schema.
        source: `body`, `query` or `path`.
    """
    place = [part for part in error["loc"] if part != _BODY]
    fields = _resolved(schema, schema)
    if source == "body":
        fields = _resolved(fields.get("properties", {}).get(_BODY, fields), schema)
    if not place:
        return FieldProblem("The request needs a body.", json.dumps(_example(fields, schema)))
    name, said = str(place[0]), ".".join(map(str, place))
    if error["type"] == "extra_forbidden":
        known = ", ".join(fields.get("properties", {})) or "none"
        # What is asked for, for nobody can tell which field was meant.
        return FieldProblem(
            f"There is no field `{said}`; there are: {known}.", _sent(source, fields, schema)
        )
    own = _resolved(fields.get("properties", {}).get(name, {}), schema)
    hint = _written(source, name, _example(own, schema))
    if error["type"] == "missing":
        return FieldProblem(f"`{said}` is missing: it takes {_wanted(own, schema)}.", hint)
    if error["type"] == "value_error":  # of a rule of ours, in our words
        return FieldProblem(f"`{said}`: {error['ctx']['error']}.", hint)
    inner = _inner(own, place[1:], schema)
    return FieldProblem(f"`{said}` takes {_wanted(inner, schema)}.", hint)


def _sent(source: str, fields: Schema, schema: Schema) -> str:
    """Return the smallest request of a source that is accepted."""
    values = _example({**fields, "type": "object"}, schema)
    return json.dumps(values, ensure_ascii=False) if source == "body" else urlencode(values)


def _written(source: str, name: str, value: Any) -> str:
    if source == "body":
        return json.dumps({name: value}, ensure_ascii=False)
    return urlencode({name: _plain(value)}) if source == "query" else f"{name}: {_plain(value)}"


def _plain(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _resolved(field: Schema, schema: Schema) -> Schema:
    """Return the schema of a field, of its first form where it has several, or none at all."""
    while True:
        if "$ref" in field:
            target: Schema = schema["$defs"][field["$ref"].rpartition("/")[2]]
            field = {**target, **{key: field[key] for key in field if key != "$ref"}}
        elif forms := [form for form in field.get("anyOf", ()) if form.get("type") != "null"]:
            field = {**forms[0], **{key: field[key] for key in field if key != "anyOf"}}
        elif field.get("allOf"):
            field = {**field["allOf"][0], **{key: field[key] for key in field if key != "allOf"}}
        else:
            return field


def _inner(field: Schema, place: Sequence[Any], schema: Schema) -> Schema:
    """Return the schema of a place in a field: of an item of a list, or a field of an object."""
    for part in place:
        if isinstance(part, int):
            items = field.get("prefixItems", ())
            field = items[part] if part < len(items) else field.get("items", {})
        elif part in field.get("properties", {}):
            field = field["properties"][part]
        field = _resolved(field, schema)
    return field


def _wanted(field: Schema, schema: Schema) -> str:
    """Return in words what a field takes."""
    if "enum" in field:
        return f"one of {', '.join(map(json.dumps, field['enum']))}"
    if "const" in field:
        return json.dumps(field["const"])
    match field.get("type"):
        case "integer" | "number":
            what = "a whole number" if field["type"] == "integer" else "a number"
            return what + _between(field, "minimum", "maximum")
        case "boolean":
            return "true or false"
        case "array":
            if parts := field.get("prefixItems"):
                listed = ", ".join(_wanted(_resolved(part, schema), schema) for part in parts)
                return f"a list of {listed}"
            items = _wanted(_resolved(field.get("items", {}), schema), schema)
            return f"a list{_between(field, 'minItems', 'maxItems', 'items')}, each {items}"
        case "object":
            return "an object"
        case "string":
            form = f" of the form `{field['pattern']}`" if field.get("pattern") else ""
            return f"a text{_between(field, 'minLength', 'maxLength', 'characters')}{form}"
    return "another value"


def _between(field: Schema, least: str, most: str, unit: str = "") -> str:
    """Return ` from 0 to 9`, ` of 1 to 60 characters`, or what there is of it."""
    low, high = field.get(least), field.get(most)
    if unit:
        if low and high:
            return f" of {low} to {high} {unit}"
        return f" of at most {high} {unit}" if high else ""
    if low is not None and high is not None:
        return f" from {low} to {high}"
    return f" of at least {low}" if low is not None else ""


def _example(field: Schema, schema: Schema) -> Any:
    """Return a value that a field takes."""
    field = _resolved(field, schema)
    for example in field.get("examples", ()):
        if example not in ("", None):
            return example
    if "enum" in field:
        return next(filter(None, field["enum"]), field["enum"][0])
    if "const" in field:
        return field["const"]
    match field.get("type"):
        case "integer" | "number":
            return max(field.get("minimum", 1), min(1, field.get("maximum", 1)))
        case "boolean":
            return True
        case "array":
            if parts := field.get("prefixItems"):
                return [_example(part, schema) for part in parts]
            return [_example(field.get("items", {}), schema)] * max(1, field.get("minItems", 1))
        case "object":
            properties = field.get("properties", {})
            return {name: _example(properties[name], schema) for name in field.get("required", ())}
    return _text(field)


def _text(field: Schema) -> str:
    if default := field.get("default"):
        return str(default)
    least, most = field.get("minLength", 0), field.get("maxLength", 1000)
    for text in (*_TEXTS, _HEXADECIMAL):
        fits = least <= len(text) <= most
        if fits and re.search(field.get("pattern", ""), text):
            return text
    return "x" * int(max(1, least))
