"""No model that is well known gets a wrong MFU: equal to PyTorch's own count, said to be more, or not given."""

import pytest

from known_model_list import MODELS
from known_models import Counted, counts_of_pytorch
from tiers import two_tiers

IN_EVERY_RUN = {"nanogpt --checkpoint", "experts --checkpoint", "gpt --whole-step", "dlrm"}


@pytest.fixture(scope="module")
def counts(tmp_path_factory):
    """counts(model): of all models of its kind, in one process, because each process imports for seconds."""
    made = {}

    def of(model):
        if model.by_hand not in made:
            alike = [other for other in MODELS if other.by_hand == model.by_hand]
            made[model.by_hand] = counts_of_pytorch(tmp_path_factory.mktemp("counts"), alike)
        return made[model.by_hand]

    return of


@pytest.mark.xdist_group("known_models")
@pytest.mark.parametrize("model", two_tiers(MODELS, lambda model: model.arguments in IN_EVERY_RUN),
                         ids=lambda model: model.arguments)
def test_a_known_model_has_no_wrong_mfu(tmp_path, counts, model):
    assert Counted(tmp_path, model, counts(model)).faults() == []
