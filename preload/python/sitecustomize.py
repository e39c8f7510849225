"""Starts the parameter audit in each Python process of the job: `tauprof run --audit-params` puts this on PYTHONPATH.

Python imports the first `sitecustomize` that it finds. This one removes its folder from sys.path and then runs the next
one, as Python would have, or raises the error that Python expects if there is none. Any Python 3 that a job may start
must be able to parse this file, and it imports nothing that Python has not already imported.
"""

import os
import sys

from _frozen_importlib_external import PathFinder  # importlib.machinery would import other modules


def _leave_the_path():
    here = os.path.dirname(os.path.realpath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.realpath(entry) != here]


def _run_the_next():
    spec = PathFinder.find_spec(__name__, sys.path)
    if spec is None or spec.loader is None:
        raise ImportError("No module named 'sitecustomize'", name=__name__)
    module = type(sys)(__name__)
    module.__spec__, module.__loader__, module.__file__ = spec, spec.loader, spec.origin
    sys.modules[__name__] = module
    spec.loader.exec_module(module)


if sys.version_info >= (3, 7):
    try:
        import tauprof_audit
        tauprof_audit.start()
    except Exception as error:  # no error in the audit may stop the program
        sys.stderr.write("tauprof: no parameter audit: {}: {}\n".format(type(error).__name__, error))
_leave_the_path()
_run_the_next()
