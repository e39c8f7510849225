"""The questions asked of a model about its size, with a stand-in for PyTorch."""

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


class Module:
    def __init__(self, own=(), config=None, parts=()):
        self.own, self.config, self.parts = own, config, parts

    def modules(self):
        return [self, *(inner for part in self.parts for inner in part.modules())]

    def parameters(self, recurse=True):
        return [parameter for part in (self.modules() if recurse else [self]) for parameter in part.own]


class Embedding(Module):
    pass


def model(config, sizes=(4, 6), trained=(True, True)):
    parameters = [types.SimpleNamespace(numel=lambda size=size: size, requires_grad=is_trained)
                  for size, is_trained in zip(sizes, trained)]
    return Module(parameters, types.SimpleNamespace(**config))


def test_a_dense_transformer_says_its_sizes(asked):
    assert asked(model(LLAMA)) == {"module.parameters": "10", "module.layers": "32",
                                   "module.attention_width": "4096"}


def test_a_head_may_have_a_width_of_its_own(asked):
    assert asked(model({**LLAMA, "head_dim": 256}))["module.attention_width"] == str(32 * 256)


def test_a_wrapper_has_the_model_inside(asked):
    inner = model(LLAMA)
    outer = Module(parts=[inner])
    outer.module = inner
    assert asked(outer)["module.parameters"] == "10"


@pytest.mark.parametrize("other", [{"num_local_experts": 8}, {"sliding_window": 4096}, {"is_encoder_decoder": True},
                                   {"hidden_size": None}, {"hidden_size": "4096"}])
def test_what_the_formula_does_not_describe_says_nothing(asked, other):
    assert asked(model({**LLAMA, **other})) == {}


def test_frozen_parameters_say_nothing(asked):
    assert asked(model(LLAMA, trained=(True, False))) == {}


def test_other_models_say_nothing(asked):
    assert asked(Module()) == {}


def parameter(size):
    return types.SimpleNamespace(numel=lambda: size, requires_grad=True)


def test_a_table_counts_if_it_is_multiplied_with(asked):
    words, positions, head = parameter(1000), parameter(200), parameter(1000)
    tables = [Embedding([words]), Embedding([positions])]
    untied = Module(config=types.SimpleNamespace(**LLAMA), parts=[*tables, Module([head])])
    tied = Module(config=types.SimpleNamespace(**LLAMA), parts=[*tables, Module([words])])
    assert asked(untied)["module.parameters"] == asked(tied)["module.parameters"] == "1000"
