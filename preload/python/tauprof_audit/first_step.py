"""The facts of this process up to the first optimizer step, as plain data: one entry for each parameter of its models.

An entry has these fields: model; names (several if the parameter is tied); shape; count; kind (class of the module that
holds the parameter); is_trainable; is_used (autograd produced a gradient); passes and model_passes (the number of
backward passes through the parameter and through its model); is_optimized; is_zero (None: not checked or not known);
is_held (False: the parameter is sharded and no part of it is here); is_flat (a flat parameter of FSDP's first version,
or part of one: there, unused parameters get a gradient of zeros).
"""

import os

from tauprof_audit import module_names, ranks


def parameters_of(optimizer):
    for group in optimizer.param_groups:
        yield from group["params"]


def gradient_facts(torch, parameter, passes):
    gradient = getattr(parameter, "grad", None)
    facts = {"has_gradient": gradient is not None, "is_zero": None, "passes": passes,
             "is_flat": bool(getattr(parameter, "_fsdp_flattened", False))}
    asks_zero = facts["is_flat"] or os.environ.get("TAUPROF_AUDIT_ZERO_GRADS")
    if gradient is not None and asks_zero and not _is_capturing(torch):
        facts["is_zero"] = _is_all_zero(gradient)
    return facts


def _is_capturing(torch):
    """Whether a CUDA graph is being captured: reading a value would end the capture."""
    return torch.cuda.is_available() and torch.cuda.is_initialized() and torch.cuda.is_current_stream_capturing()


def _is_all_zero(gradient):
    if hasattr(gradient, "to_local"):  # a DTensor: reading all of it would be a collective
        gradient = gradient.to_local()
    if gradient.is_sparse:
        gradient = gradient._values()
    return not bool((gradient.detach() != 0).any())


def _shape_of(parameter):
    try:
        return list(parameter.shape), parameter.numel()
    except (RuntimeError, ValueError):  # not known yet: the parameter of a lazy module
        return None, 0


def _is_here(parameter):
    """Whether this process holds a part of the parameter. FSDP leaves an empty tensor if other ranks hold all of it."""
    local = parameter.to_local() if hasattr(parameter, "to_local") else parameter
    return _shape_of(local)[1] > 0 or _shape_of(parameter)[0] is None


class _Entries:
    def __init__(self, watch):
        self.watch = watch
        self.optimizers = watch.optimizers()
        self.optimized = {id(p) for o in self.optimizers for p in parameters_of(o)}
        fired = set().union(*watch.passes) if watch.passes else set()
        self.tops = module_names.models(watch.torch.nn.Module, self.optimized | fired)
        self.named = module_names.named_parameters([module for module, _ in self.tops])
        trained = {self._model_of(top) for top, is_trained in self.tops if is_trained}
        self.of_models = [n for n in self.named.values() if n.model in trained]
        self.through = {model: self._passes_through(model) for model in trained}

    def _model_of(self, top):
        for parameter in top.parameters():
            return self.named[id(parameter)].model

    def _passes_through(self, model):
        """For each pass, the ids that got a gradient; None if no parameter of this model did."""
        of_model = {id(named.parameter) for named in self.of_models if named.model == model}
        return [None if of_model.isdisjoint(ids) else ids for ids in self.watch.passes]

    def all(self):
        """The parameters of the trained models, then those that only optimizers hold."""
        entries = [self._entry(named) for named in self.of_models]
        for optimizer in self.optimizers:
            kind = type(optimizer).__name__
            for number, parameter in enumerate(parameters_of(optimizer)):
                if id(parameter) not in self.named:
                    loose = module_names.Named(parameter, "parameters of " + kind, str(number), kind, False)
                    self.named[id(parameter)] = loose
                    entries.append(self._entry(loose))
        return entries

    def _entry(self, named):
        parameter, key = named.parameter, id(named.parameter)
        shape, count = _shape_of(parameter)
        facts = self.watch.look_at(parameter)
        through_model = [ids for ids in self.through.get(named.model, self.watch.passes)[:facts["passes"]] if ids]
        fired_in = sum(1 for ids in through_model if key in ids)
        trusts_hooks = named.is_in_ddp and bool(through_model)
        return {"model": named.model, "names": named.names, "shape": shape, "count": count, "kind": named.owner_class,
                "is_trainable": bool(parameter.requires_grad),
                "is_used": fired_in > 0 or (facts["has_gradient"] and not trusts_hooks),
                "passes": fired_in or len(through_model), "model_passes": len(through_model),
                "is_optimized": key in self.optimized, "is_zero": facts["is_zero"], "is_held": _is_here(parameter),
                "is_flat": facts["is_flat"]}

    def models(self):
        """For each trained model: name, wrappers and, under DDP, find_unused_parameters. For the others: name and
        size."""
        trained, others = [], []
        for top, is_trained in self.tops:
            inner, wrappers = module_names.innermost(top)
            name = self._model_of(top)
            if is_trained:
                trained.append({"name": name, "wrappers": wrappers, "finds_unused": _finds_unused(top)})
            else:
                others.append({"name": name, "count": sum(_shape_of(p)[1] for p in inner.parameters())})
        return trained, others


def _finds_unused(module):
    found = [getattr(m, "find_unused_parameters", None) for m in module.modules()
             if any(kind.__name__ == module_names.REDUCES_GRADIENTS for kind in type(m).__mro__)]
    return bool(found[0]) if found else None


def report(watch):
    """Hands what was seen to the exchange between ranks, which prints the report on the first rank of the host."""
    awaited = [type(optimizer).__name__ for optimizer in watch.awaited()]
    watch.found = -1, []
    entries = _Entries(watch)
    trained, others = entries.models()
    seen = {"models": trained, "others": others, "optimizers": watch.stepped, "awaited": awaited,
            "parameters": entries.all(), "asks_zero": bool(os.environ.get("TAUPROF_AUDIT_ZERO_GRADS"))}
    watch.end()
    ranks.Exchange(watch.torch, watch.folder).hand_in(seen)
