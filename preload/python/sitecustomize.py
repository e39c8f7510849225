"""What `tauprof run --audit-params` puts on PYTHONPATH: starts the audit in each Python of the job.

Python imports the first `sitecustomize` that it finds. This one takes its folder off sys.path again and runs the next
one as Python would have, or says, as Python expects it, that there is none. It is parsed by every Python 3 that a job
may start, and it loads nothing that Python has not loaded by itself.
"""

import os
import sys

from _frozen_importlib_external import PathFinder  # importlib.machinery loads more than itself


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
    except Exception as error:  # whatever it is, it is no reason for the program to fail
        sys.stderr.write("tauprof: no parameter audit: {}: {}\n".format(type(error).__name__, error))
_leave_the_path()
_run_the_next()
