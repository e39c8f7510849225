"""Writes the types of the Python package from the JSON schemas of documents: write_sections.py SCHEMA … > sections.py."""

import json
import keyword
import sys
import textwrap

HEAD = '''"""The objects of tauprof's JSON documents as types; the build makes them of the documents' lists of keys.

Names are their own keys, with an underscore where Python has the word (`class_`). Times are integer nanoseconds (_ns)
on the run's clock, shares are fractions; None is what the document gives as null, "not defined here", or leaves out in
this kind of document.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Union

from tauprof.known import Section

Nanoseconds = int  # on the run's clock
'''
SIMPLE = {"number": "float", "string": "str", "boolean": "bool", "null": "None"}


def type_of(schema, key):
    """The Python type of a value, whose unit is in the name of its key."""
    if "$ref" in schema:
        return schema["$ref"].split("/")[-1]
    if "anyOf" in schema:
        kinds = [type_of(one, key) for one in schema["anyOf"] if one != {"type": "null"}]
        kind = kinds[0] if len(kinds) == 1 else f"Union[{', '.join(kinds)}]"
        return f"Optional[{kind}]" if len(kinds) < len(schema["anyOf"]) else kind
    if schema.get("type") == "array":
        return f"List[{type_of(schema['items'], key)}]"
    if schema.get("type") == "object":
        return f"Dict[str, {type_of(schema['additionalProperties'], key)}]"
    if schema.get("type") == "integer":
        return "Nanoseconds" if "_ns" in key else "int"
    return SIMPLE[schema["type"]] if schema else "Any"


def field_of(key, schema, is_required):
    name, kind = key + "_" * keyword.iskeyword(key), type_of({k: v for k, v in schema.items() if k != "description"}, key)
    if is_required:
        line = f"{name}: {kind}"
    elif kind.startswith("List["):
        line = f"{name}: {kind} = field(default_factory=list)"
    else:
        line = f"{name}: {kind if kind.startswith('Optional[') else f'Optional[{kind}]'} = None"
    return f"{line}\n{docstring(schema['description'] + names_of(schema))}\n"


def names_of(schema):
    of = schema["anyOf"][0] if "anyOf" in schema else schema
    return f" ({', '.join(of['examples'])})" if "examples" in of else ""


def docstring(text):
    return "\n".join(textwrap.wrap(f'"""{text[0].upper()}{text[1:]}."""', 116))


def class_of(name, schema):
    required = schema["required"]
    fields = sorted(schema["properties"].items(), key=lambda field: field[0] not in required)  # defaults come last
    body = "\n".join([docstring(schema["description"]) + "\n",
                      *(field_of(key, of, key in required) for key, of in fields)])
    return f"\n\n@dataclass\nclass {name}(Section):\n{textwrap.indent(body, '    ')}"


def main(paths):
    objects = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for name, of in json.load(file)["$defs"].items():
                if objects.setdefault(name, of) != of:
                    sys.exit(f"{path}: another document has a different {name}")
    print(HEAD, end="")
    for name, of in objects.items():
        print(class_of(name, of), end="")


if __name__ == "__main__":
    main(sys.argv[1:])
