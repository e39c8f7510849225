"""Calls a function once the program has imported torch, without importing it.

A finder at the front of sys.meta_path lets the other finders find torch, and calls the function after the module's code
has run. Afterwards neither the finder nor its loader is visible any more.
"""

import sys

NAME = "torch"


class _Loader:
    """Torch's own loader, with one addition: it calls `finish` after it has executed the module."""

    def __init__(self, loader, finish):
        self._loader, self._finish = loader, finish

    def __getattr__(self, name):
        return getattr(self._loader, name)

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        self._finish(module)


class _Finder:
    def __init__(self, function):
        self._function, self._is_asking = function, False

    def find_spec(self, name, path=None, target=None):
        if name != NAME or self._is_asking:
            return None
        self._is_asking = True
        try:
            from importlib.util import find_spec
            spec = find_spec(name)
        finally:
            self._is_asking = False
        if spec is not None and hasattr(spec.loader, "exec_module"):
            spec.loader = _Loader(spec.loader, self._finish)
        return spec

    def _finish(self, module):
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        _call(self._function, module)


def _call(function, module):
    try:
        function(module)
    except Exception as error:  # no error in the audit may stop the program
        sys.stderr.write("tauprof: no parameter audit: {}: {}\n".format(type(error).__name__, error))


def when_imported(function):
    if NAME in sys.modules:
        _call(function, sys.modules[NAME])
    else:
        sys.meta_path.insert(0, _Finder(function))
