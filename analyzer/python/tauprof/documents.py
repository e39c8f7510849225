"""JSON documents of the program as the types that the build makes of their lists of keys (sections.py)."""

import dataclasses
import typing

from tauprof.known import Keys, UnknownKey, no_such


class Document:
    """Its attributes are its keys, typed; `json` is the document as the program wrote it, and its items are those."""

    json: dict

    def __getitem__(self, key: str) -> typing.Any:
        if key not in self.json:
            raise UnknownKey(no_such("key of {}".format(type(self).__name__), key, self.json))
        return self.json[key]


def read(kind: type, document: dict) -> typing.Any:
    """Of a class that is a Document and one of sections.py. Keys that this version does not know stay in `json` alone."""
    value = _typed(kind, document)
    value.json = document
    return value


def key_of(field: dataclasses.Field) -> str:
    """The document's key of a dataclass field."""
    return field.name.rstrip("_")


def with_keys(value: typing.Any) -> typing.Any:
    """A document whose objects say which keys they have."""
    if isinstance(value, dict):
        return Keys({key: with_keys(one) for key, one in value.items()})
    return [with_keys(one) for one in value] if isinstance(value, list) else value


def _typed(kind, value):
    if value is None:
        return None
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Union:
        known = [one for one in arguments if one is not type(None)]
        return _typed(known[0], value) if len(known) == 1 else value
    if origin is list:
        return [_typed(arguments[0], one) for one in value]
    if origin is dict:
        return Keys({key: _typed(arguments[1], one) for key, one in value.items()})
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        given = {}
        for field in dataclasses.fields(kind):
            if key_of(field) in value:
                given[field.name] = _typed(hints[field.name], value[key_of(field)])
            elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
                given[field.name] = None  # a document of another version
        return kind(**given)
    return value
