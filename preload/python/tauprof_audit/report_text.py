"""The audit as text: the answer first, then the sections, each grouped by module.

Repeated modules are folded: `layers.0.norm` to `layers.11.norm`, with parameters of the same names and shapes in the
same section, become `layers.{0-11}.norm`. Numbers fold one position at a time from the left, so that only complete sets
fold: experts `{0-1}.e.{0-2}` without `1.e.2` become `{0-1}.e.{0-1}` and `0.e.2`.
"""

from tauprof_audit import verdict

MEANING = {
    verdict.UNUSED: "require a gradient and got none: DDP would refuse them",
    verdict.SOME_RANKS: "got a gradient on some ranks only: DDP would refuse them on the others",
    verdict.SOME_PASSES: "got a gradient in some of the backward passes before the step: DDP would refuse them if it "
                         "synchronises each pass",
    verdict.ZERO: "got a gradient that is zero throughout",
    verdict.FROZEN: "require no gradient",
    verdict.USED: "got a gradient",
}
TITLES = {verdict.UNUSED: "UNUSED", verdict.SOME_RANKS: "ONLY ON SOME RANKS",
          verdict.SOME_PASSES: "ONLY IN SOME PASSES", verdict.ZERO: "ZERO GRADIENT", verdict.FROZEN: "FROZEN",
          verdict.USED: "USED"}


def ranges(numbers):
    """Formats [0, 1, 2, 5] as 0-2,5."""
    texts, numbers = [], sorted(numbers)
    while numbers:
        length = 1
        while length < len(numbers) and numbers[length] == numbers[0] + length:
            length += 1
        texts.append(str(numbers[0]) if length == 1 else "{}-{}".format(numbers[0], numbers[length - 1]))
        numbers = numbers[length:]
    return ",".join(texts)


def count_text(number, noun):
    return "{:,} {}{}".format(number, noun, "" if number == 1 else "s")


class Group:
    """The parameters of one module in one section, or of several modules that differ only in numbers in their paths."""

    def __init__(self, path, parameters):
        self.path, self.parameters, self.modules = path, parameters, 1
        self.likeness = [(p.name.split(".")[-1], p.kind, p.shape, _note(p)) for p in parameters]

    def key_without(self, position):
        return str((self.path[:position], self.path[position + 1:], self.likeness))


def _note(parameter):
    notes = []
    if parameter.ties:
        notes.append("= " + ", ".join(parameter.ties))
    if parameter.section == verdict.SOME_RANKS:
        notes.append("used on rank {}, not on {}".format(ranges(parameter.using), ranges(parameter.missing)))
    if parameter.section == verdict.SOME_PASSES:
        notes.append("in {} of {} passes".format(*parameter.passes))
    return "; ".join(notes)


def _fold_position(groups, position):
    alike = {}
    for group in groups:
        is_number = position < len(group.path) and group.path[position].isdigit()
        alike.setdefault(group.key_without(position) if is_number else id(group), []).append(group)
    for first, *others in alike.values():
        if others:
            numbers = ranges(int(group.path[position]) for group in [first] + others)
            first.path = first.path[:position] + ["{" + numbers + "}"] + first.path[position + 1:]
            first.modules += sum(group.modules for group in others)
        yield first


def folded_groups(parameters):
    """A group for each module of one model that holds some of these parameters. Groups that are alike are folded."""
    by_path = {}
    for parameter in parameters:
        by_path.setdefault(tuple(parameter.name.split(".")[:-1]), []).append(parameter)
    groups = [Group(list(path), of_path) for path, of_path in by_path.items()]
    for position in range(max((len(group.path) for group in groups), default=0)):
        groups = list(_fold_position(groups, position))
    return groups


def _group_lines(model, group):
    kinds = ", ".join(sorted({p.kind for p in group.parameters}))
    yield "    {} ({})   {}, {}".format(".".join([model] + group.path), kinds,
                                        count_text(group.modules * len(group.parameters), "tensor"),
                                        count_text(group.modules * sum(p.count for p in group.parameters), "parameter"))
    width = max(len(name) for name, *_ in group.likeness)
    for name, _, shape, note in group.likeness:
        shape_text = "shape not known yet" if shape is None else str(shape)
        times = "   x {}".format(group.modules) if group.modules > 1 else ""
        yield "      {:{}}   {}{}{}".format(name, width, shape_text, times, "   " + note if note else "")


def _by_module(parameters):
    models = {}
    for parameter in parameters:
        models.setdefault(parameter.model, []).append(parameter)
    for model, of_model in models.items():
        for group in folded_groups(of_model):
            yield from _group_lines(model, group)


def _section(title, meaning, parameters):
    yield "  {}   {}, {}{}".format(title, count_text(len(parameters), "tensor"),
                                   count_text(sum(p.count for p in parameters), "parameter"),
                                   ": " + meaning if parameters else "")
    yield from _by_module(parameters)


def _heading(judged):
    models = ", ".join(" in ".join([model["name"]] + model["wrappers"][::-1]) for model in judged.models)
    where = "" if judged.world == 1 else ", {} of {} ranks".format(len(judged.ranks), judged.world)
    yield "tauprof: parameter audit of {}{}, after the first step of {}".format(
        models or "no module", where, ", ".join(judged.optimizers))
    if judged.awaited:
        yield "  {} had not stepped: nothing is known of what only a later step uses".format(", ".join(judged.awaited))
    silent = sorted(set(range(judged.world)) - set(judged.ranks))
    if silent:
        yield "  nothing from rank {}: on another host, which reports for itself, or without a step".format(
            ranges(silent))


def _answer(judged):
    asked = [model["finds_unused"] for model in judged.models]
    if judged.is_refused:
        return "  find_unused_parameters=False is NOT safe: see UNUSED and ONLY"
    if judged.hidden:
        is_known_singly = all(p.section == verdict.ZERO for p in judged.hidden)
        return "  find_unused_parameters=False may NOT be safe: FullyShardedDataParallel gives unused parameters a " \
               "gradient of zeros, " + ("as those of ZERO GRADIENT have" if is_known_singly else
                                        "and hides all in flat ones: use_orig_params=True tells them apart")
    now = " It is True now, which costs a walk through the graph in each step." if True in asked else ""
    return "  find_unused_parameters=False is safe: every parameter that requires a gradient got one." + now


def text_of(judged):
    lines = [*_heading(judged), _answer(judged)]
    for section in verdict.SECTIONS:
        parameters = judged.sections[section]
        is_always_shown = section in (verdict.UNUSED, verdict.FROZEN, verdict.USED)
        if parameters or is_always_shown or (section == verdict.ZERO and judged.asks_zero):
            lines += _section(TITLES[section], MEANING[section], parameters)
    if judged.left_out:
        lines += _section("IN NO OPTIMIZER", "require a gradient, and no step changes them", judged.left_out)
    for other in judged.others:
        lines.append("  not trained here: {}, {}".format(other["name"], count_text(other["count"], "parameter")))
    return "\n".join(lines) + "\n"
