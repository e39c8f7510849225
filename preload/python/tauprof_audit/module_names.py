"""Finds the models in the process, and the name of each parameter in its model.

A model is a module that no other module holds. Wrappers (DistributedDataParallel, torch.compile, FSDP, activation
checkpointing) do not appear in names: in DDP(compile(Net)) the name is `encoder.weight`, not
`module._orig_mod.encoder.weight`. A parameter with several names is tied: it goes by the first and keeps the others.
"""

import gc

WRAPPED_MODULE = {"DistributedDataParallel": "module", "DataParallel": "module", "OptimizedModule": "_orig_mod",
                  "FullyShardedDataParallel": "_fsdp_wrapped_module",
                  "CheckpointWrapper": "_checkpoint_wrapped_module", "OffloadWrapper": "_checkpoint_wrapped_module"}
REDUCES_GRADIENTS = "DistributedDataParallel"
SHARDED = "FSDPModule"  # fully_shard changes the class of a module from Net to FSDPNet, a subclass of FSDPModule


class Named:
    """One parameter of a model."""

    def __init__(self, parameter, model, name, owner_class, is_in_ddp):
        self.parameter, self.model, self.names, self.owner_class = parameter, model, [name], owner_class
        self.is_in_ddp = is_in_ddp


def living(kind):
    """All objects of a class. Asks their types, not the objects: a proxy would compute what it stands for."""
    return [thing for thing in gc.get_objects() if issubclass(type(thing), kind)]


def _wrapped(module):
    for kind in type(module).__mro__:
        attribute = WRAPPED_MODULE.get(kind.__name__)
        inner = (getattr(module, "_modules", None) or {}).get(attribute) if attribute else None
        if inner is not None:
            return attribute, inner
    return None, None


def _children(module):
    held = getattr(module, "_modules", None)
    return [(name, child) for name, child in held.items() if child is not None] if held else []


def models(module_class, trained):
    """The modules that no other module holds, as (module, is trained) pairs: first those with a parameter whose id is
    in `trained`, larger ones first. Leaves out modules without parameters."""
    modules = [module for module in living(module_class) if _is_whole(module)]
    held = {id(child) for module in modules for _, child in _children(module)}
    tops = []
    for module in modules:
        parameters = [] if id(module) in held else [id(parameter) for parameter in module.parameters()]
        if parameters:
            tops.append((module, not trained.isdisjoint(parameters), len(parameters)))
    tops.sort(key=lambda top: (not top[1], -top[2]))
    return [(module, is_trained) for module, is_trained, _ in tops]


def _is_whole(module):
    return getattr(module, "_modules", None) is not None and getattr(module, "_parameters", None) is not None


def _is_sharded(module):
    return any(kind.__name__ == SHARDED for kind in type(module).__mro__)


def class_name(module):
    name = type(module).__name__
    return name[len("FSDP"):] if _is_sharded(module) and name.startswith("FSDP") else name


def innermost(module):
    """The module inside all wrappers, and the names of the wrappers, outermost first."""
    wrappers = []
    while True:
        attribute, inner = _wrapped(module)
        if inner is None:
            return module, wrappers + ["FSDP"] * _is_sharded(module)
        wrappers.append(type(module).__name__)
        module = inner


def _walk(module, prefix, is_in_ddp, seen):
    if id(module) in seen or not _is_whole(module):
        return
    seen.add(id(module))
    attribute, _ = _wrapped(module)
    is_in_ddp = is_in_ddp or any(kind.__name__ == REDUCES_GRADIENTS for kind in type(module).__mro__)
    for name, parameter in module._parameters.items():
        if parameter is not None:
            yield prefix + name, parameter, class_name(module), is_in_ddp
    for name, child in _children(module):
        yield from _walk(child, prefix if name == attribute else prefix + name + ".", is_in_ddp, seen)


def named_parameters(tops):
    """Every parameter of these models once, by id. Two models of one class are called Net and Net#2."""
    found, used_names = {}, {}
    for top in tops:
        inner, _ = innermost(top)
        kind = class_name(inner)
        used_names[kind] = used_names.get(kind, 0) + 1
        model = kind if used_names[kind] == 1 else "{}#{}".format(kind, used_names[kind])
        for name, parameter, owner_class, is_in_ddp in _walk(top, "", False, set()):
            if id(parameter) not in found:
                found[id(parameter)] = Named(parameter, model, name, owner_class, is_in_ddp)
            elif found[id(parameter)].model == model:
                found[id(parameter)].names.append(name)
    return found
