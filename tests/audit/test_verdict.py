"""The audit's conclusions from the entries of the ranks, and how it prints them. Needs no PyTorch."""

import pytest

import audited_run  # noqa: F401: sets the path to the audit
from tauprof_audit import report_text, verdict


def entry(name, **facts):
    names = [name] if isinstance(name, str) else name
    return {"model": "Net", "names": names, "shape": [2, 3], "count": 6, "kind": "Linear", "is_trainable": True,
            "is_used": True, "passes": 1, "model_passes": 1, "is_optimized": True, "is_zero": None, "is_held": True,
            "is_flat": False, **facts}


def rank(number, *entries, world=1, finds_unused=None, **seen):
    return {"rank": number, "world": world, "models": [{"name": "Net", "wrappers": [], "finds_unused": finds_unused}],
            "others": [], "optimizers": ["AdamW"], "awaited": [], "asks_zero": False, "parameters": list(entries),
            **seen}


def sections(*documents):
    judged = verdict.judge(list(documents))
    return {section: [p.name for p in found] for section, found in judged.sections.items() if found}, judged.is_safe


@pytest.mark.parametrize("facts,section,is_safe", [
    ({}, verdict.USED, True),
    ({"is_used": False}, verdict.UNUSED, False),
    ({"is_trainable": False, "is_used": False}, verdict.FROZEN, True),
    ({"passes": 1, "model_passes": 2}, verdict.SOME_PASSES, False),
    ({"is_zero": True}, verdict.ZERO, True),
    ({"is_zero": False}, verdict.USED, True),
    ({"is_flat": True, "is_zero": True}, verdict.ZERO, False),
    ({"is_flat": True, "is_zero": False}, verdict.USED, True),
])
def test_the_section_and_the_answer_of_one_parameter(facts, section, is_safe):
    assert sections(rank(0, entry("w", **facts))) == ({section: ["w"]}, is_safe)


def test_a_flat_parameter_says_nothing_about_its_parts():
    assert sections(rank(0, entry("layer._flat_param", is_flat=True, is_zero=False))) == (
        {verdict.USED: ["layer._flat_param"]}, False)


def test_a_parameter_used_on_one_rank_alone_is_not_safe():
    assert sections(rank(0, entry("w"), world=2), rank(1, entry("w", is_used=False), world=2)) == (
        {verdict.SOME_RANKS: ["w"]}, False)


def test_a_rank_that_holds_no_part_does_not_count():
    assert sections(rank(0, entry("w"), world=2), rank(1, entry("w", is_used=False, is_held=False), world=2)) == (
        {verdict.USED: ["w"]}, True)


def test_a_gradient_that_is_zero_on_one_rank_is_not_zero():
    assert sections(rank(0, entry("w", is_zero=True), world=2), rank(1, entry("w", is_zero=False), world=2)) == (
        {verdict.USED: ["w"]}, True)


def test_stages_of_a_pipeline_have_parameters_of_their_own():
    assert sections(rank(0, entry("a"), world=2), rank(1, entry("b", is_used=False), world=2)) == (
        {verdict.USED: ["a"], verdict.UNUSED: ["b"]}, False)


def test_parameters_in_no_optimizer_are_listed():
    judged = verdict.judge([rank(0, entry("a"), entry("b", is_optimized=False), entry("c", is_optimized=False,
                                                                                   is_trainable=False))])
    assert [p.name for p in judged.left_out] == ["b"]


def test_an_optimizer_that_holds_copies_says_nothing_about_the_model():
    copy = entry("0", model="parameters of Adam")
    assert verdict.judge([rank(0, entry("a", is_optimized=False), copy)]).left_out == []


@pytest.mark.parametrize("numbers,text", [([3], "3"), ([0, 1, 2], "0-2"), ([5, 0, 2, 1], "0-2,5"), ([], "")])
def test_numbers_are_printed_as_ranges(numbers, text):
    assert report_text.ranges(numbers) == text


def folded(*names, shapes=None):
    judged = verdict.judge([rank(0, *(entry(name, shape=(shapes or {}).get(name, [2, 3])) for name in names))])
    return [(".".join(group.path), [p.name.split(".")[-1] for p in group.parameters], group.modules)
            for group in report_text.folded_groups(judged.sections["USED"])]


def test_repeated_layers_are_folded():
    assert folded("l.0.w", "l.0.b", "l.1.w", "l.1.b", "head") == [("l.{0-1}", ["w", "b"], 2), ("", ["head"], 1)]


def test_layers_that_differ_are_listed_alone():
    assert folded("l.0.w", "l.1.w", "l.2.w", shapes={"l.1.w": [9, 9]}) == [("l.{0,2}", ["w"], 2), ("l.1", ["w"], 1)]
    assert folded("l.0.w", "l.1.w", "l.1.b") == [("l.0", ["w"], 1), ("l.1", ["w", "b"], 1)]


def test_nested_numbers_fold_if_all_are_there():
    full = [f"l.{i}.e.{j}.w" for i in range(2) for j in range(3)]
    assert folded(*full) == [("l.{0-1}.e.{0-2}", ["w"], 6)]
    assert folded(*full[:-1]) == [("l.{0-1}.e.{0-1}", ["w"], 4), ("l.0.e.2", ["w"], 1)]


def test_the_answer_comes_first_and_ties_are_named():
    text = report_text.text_of(verdict.judge([rank(0, entry(["a.w", "b.w"]), finds_unused=True)]))
    assert text.splitlines()[:2] == [
        "tauprof: parameter audit of Net, after the first step of AdamW",
        "  find_unused_parameters=False is safe: every parameter that requires a gradient got one. It is True now, "
        "which costs a walk through the graph in each step."]
    assert "      w   [2, 3]   = b.w\n" in text


def test_silent_ranks_and_optimizers_without_a_step_are_named():
    text = report_text.text_of(verdict.judge([rank(n, entry("w"), world=8, awaited=["SGD"]) for n in (0, 1, 5)]))
    assert "parameter audit of Net, 3 of 8 ranks, after" in text
    assert "  SGD had not stepped" in text
    assert "  nothing from rank 2-4,6-7:" in text


def test_an_unknown_shape_is_printed_as_unknown():
    text = report_text.text_of(verdict.judge([rank(0, entry("lazy.w", shape=None, count=0, is_used=False))]))
    assert "      w   shape not known yet\n" in text
