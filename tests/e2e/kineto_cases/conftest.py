"""The fixture of these cases: from traces to their report."""

import pytest

from kineto_trace import report_of


@pytest.fixture
def report(tauprof, tmp_path):
    return lambda *traces, **options: report_of(tauprof, tmp_path, *traces, **options)
