"""The JSON schema of the report, from its types: `python -m tauprof.schema` prints it."""

import dataclasses
import json
import typing

from tauprof import sections
from tauprof.report import key_of

_SIMPLE = {int: {"type": "integer"}, float: {"type": "number"}, str: {"type": "string"}, bool: {"type": "boolean"},
           typing.Any: {}}


def schema():
    """A JSON schema, draft 2020-12. Objects may have more keys, as later reports of the same schema number do."""
    definitions = {}
    root = _of(sections.Sections, definitions)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "tauprof report", **root,
            "$defs": dict(sorted(definitions.items()))}


def _of(kind, definitions):
    if kind in _SIMPLE:
        return dict(_SIMPLE[kind])
    if kind is type(None):
        return {"type": "null"}
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Union:
        return {"anyOf": [_of(one, definitions) for one in arguments]}
    if origin is list:
        return {"type": "array", "items": _of(arguments[0], definitions)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _of(arguments[1], definitions)}
    if kind.__name__ not in definitions:
        definitions[kind.__name__] = {}  # known while its own fields are described
        definitions[kind.__name__] = _object(kind, definitions)
    return {"$ref": "#/$defs/" + kind.__name__}


def _object(kind, definitions):
    hints = typing.get_type_hints(kind)
    fields = dataclasses.fields(kind)
    required = [key_of(field) for field in fields
                if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING]
    return {"type": "object", "required": required,
            "properties": {key_of(field): _of(hints[field.name], definitions) for field in fields}}


if __name__ == "__main__":
    print(json.dumps(schema(), indent=1))
