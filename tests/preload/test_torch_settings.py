"""What is asked of a model about its size, with a stand-in for PyTorch."""

import importlib.util
import pathlib
import types

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "preload" / "python" / "marks" / "torch_settings.py"
LLAMA = {"num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32}


@pytest.fixture(scope="module")
def asked():
    specification = importlib.util.spec_from_file_location("torch_settings", SOURCE)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return lambda asked_of: dict(module.each_value(module.of_transformer(asked_of)))


def model(config, sizes=(4, 6), trained=(True, True)):
    parameters = [types.SimpleNamespace(numel=lambda size=size: size, requires_grad=is_trained)
                  for size, is_trained in zip(sizes, trained)]
    return types.SimpleNamespace(config=types.SimpleNamespace(**config), parameters=lambda: parameters)


def test_a_dense_transformer_says_its_sizes(asked):
    assert asked(model(LLAMA)) == {"module.parameters": "10", "module.layers": "32",
                                   "module.attention_width": "4096"}


def test_a_head_may_have_a_width_of_its_own(asked):
    assert asked(model({**LLAMA, "head_dim": 256}))["module.attention_width"] == str(32 * 256)


def test_a_wrapper_has_the_model_inside(asked):
    inner = model(LLAMA)
    outer = types.SimpleNamespace(module=inner, parameters=inner.parameters)
    assert asked(outer)["module.parameters"] == "10"


@pytest.mark.parametrize("other", [{"num_local_experts": 8}, {"sliding_window": 4096}, {"is_encoder_decoder": True},
                                   {"hidden_size": None}, {"hidden_size": "4096"}])
def test_what_the_formula_does_not_describe_says_nothing(asked, other):
    assert asked(model({**LLAMA, **other})) == {}


def test_frozen_parameters_say_nothing(asked):
    assert asked(model(LLAMA, trained=(True, False))) == {}


def test_other_models_say_nothing(asked):
    assert asked(types.SimpleNamespace(parameters=list)) == {}
