"""The names that are known, listed where another is asked for."""

import difflib
import typing


class UnknownKey(KeyError):
    """A key that is not there, and those that are."""

    def __str__(self) -> str:
        return str(self.args[0])


def no_such(what: str, name: str, known: typing.Iterable[str]) -> str:
    """'foo' is no key of Ledger; did you mean 'rows'? There are: rows, ..."""
    names = list(known)
    near = difflib.get_close_matches(str(name), names, n=1)
    meant = "; did you mean {!r}?".format(near[0]) if near else "."
    return "{!r} is no {}{} There are: {}".format(name, what, meant, ", ".join(names) or "none")


class Section:
    """An object of a document. Its fields are its keys."""

    def __getattr__(self, name: str) -> typing.Any:
        if name.startswith("_"):
            raise AttributeError(name)
        known = sorted(getattr(self, "__dataclass_fields__", ()))
        raise AttributeError(no_such("key of {}".format(type(self).__name__), name, known))


class Keys(dict):
    """A dict that says which keys it has."""

    def __missing__(self, key: object) -> typing.Any:
        raise UnknownKey(no_such("key here", str(key), map(str, self)))
