"""torch.compile finds the same frames, graphs and graph breaks with marks as without."""

import pytest

from recorded_marks import marks_of, run_both
from tiers import two_tiers

pytestmark = pytest.mark.every_python

STEPS = 6
WAYS = [(way, backend) for backend in ("eager", "inductor")
        for way in ("model", "model-in-place", "step", "optimizer-step", "update", "breaks", "making")]


def is_in_every_run(how):
    return how == ("breaks", "eager")


@pytest.fixture(autouse=True)
def no_caches(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCHINDUCTOR_FX_GRAPH_CACHE", "0")
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path / "inductor"))


@pytest.mark.parametrize("way, backend", two_tiers(WAYS, is_in_every_run))
def test_dynamo_counts_the_same(tmp_path, way, backend):
    bare, recorded, run = run_both(tmp_path, way, "--backend", backend, "--steps", str(STEPS), script="compiled.py")
    assert recorded == bare
    assert bare["frames"]["ok"] > 0
    marks = marks_of(run)
    assert len(marks["fetch"]) == STEPS + 2
    assert marks["backward"]


@pytest.mark.full
@pytest.mark.parametrize("way", ["step", "optimizer-step"])
def test_what_was_compiled_before_stays_compiled(tmp_path, way):
    bare, recorded, _ = run_both(tmp_path, way, "--first", "--steps", str(STEPS), script="compiled.py")
    assert recorded == bare
