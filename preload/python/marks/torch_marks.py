"""Asks PyTorch when it fetches, computes and updates. Compiled into libtauprof.so and run once in the user's process.

ROWS names functions of PyTorch. `recorder` is the library: enter(row, subject) and leave(row) are called around each
call of these functions. What the recorder makes of a row is its kind:

  range      each call is a range with the row's name
  outermost  the same, but a call inside of another call of this row on the same thread is not
  instant    a mark with the row's name when the call returns
  update     the same; a mark of an outer call stands for those of inner calls
  opens      a range that the subject names starts
  closes     the range that started last ends

The subject is an argument: which optimizer, which range. The recorder calls told() with it when the row is met for the
first, second, fourth, eighth time, and so on; of optimizers that are made, each time.

A function keeps its identity: its code is exchanged, so every reference to it, old or new, is met, and nothing that
pickles, copies or compares it notices. Its new code has the parameters of the old one. Under torch.compile it calls the
old one and nothing else, which Dynamo inlines; and Dynamo is told not to compile the new code itself. So it finds the
same frames, graphs and graph breaks as without.
"""

import inspect
import sys
import types

ROWS = (
    ("torch.autograd.profiler", "record_function.__enter__", "opens", "", "self"),
    ("torch.autograd.profiler", "record_function.__exit__", "closes", "", None),
    ("torch.utils.data.dataloader", "DataLoader.__iter__", "range", "fetch", "self"),
    ("torch.utils.data.dataloader", "_BaseDataLoaderIter.__next__", "range", "fetch", None),
    ("torch.nn.modules.module", "Module._wrapped_call_impl", "outermost", "forward", "self"),
    ("torch.autograd", "backward", "range", "backward", None),
    ("torch.autograd", "grad", "range", "backward", None),
    ("torch.amp.grad_scaler", "GradScaler.unscale_", "range", "unscale", None),
    ("torch.amp.grad_scaler", "GradScaler.step", "update", "update", "optimizer"),
    ("torch.amp.grad_scaler", "GradScaler.update", "range", "scale", None),
    ("torch.nn.utils.clip_grad", "clip_grad_norm_", "range", "clip", None),
    ("torch.nn.utils.clip_grad", "clip_grad_value_", "range", "clip", None),
    ("torch.nn.utils.clip_grad", "clip_grads_with_norm_", "range", "clip", None),
    ("torch.nn.utils.clip_grad", "get_total_norm", "range", "clip", None),
    ("torch.distributed.fsdp.fully_sharded_data_parallel", "FullyShardedDataParallel.clip_grad_norm_", "range", "clip",
     None),
    ("torch.optim.optimizer", "Optimizer._patch_step_function", "instant", "optimizer", "self"),
    ("torch.optim.optimizer", "Optimizer.profile_hook_step.<locals>.wrapper", "update", "update", "args[0]"),
    ("torch.optim.optimizer", "Optimizer.zero_grad", "range", "zero_grad", None),
    ("torch.optim.lr_scheduler", "LRScheduler.step", "range", "schedule", None),
    ("torch.optim.lr_scheduler", "ReduceLROnPlateau.step", "range", "schedule", None),
    ("torch.serialization", "save", "range", "save", None),
)


class Support:
    """What exchanged code uses: one object per process, in the globals of each function's module as `_tauprof`."""


support = Support()
watched = set()
[STEP] = (number for number, row in enumerate(ROWS) if row[1].startswith("Optimizer.profile_hook_step"))


def function_of(module_name, qualified_name):
    """The function that PyTorch defined; None while it is not there, or if somebody else's is in its place."""
    found = sys.modules.get(module_name)
    for part in qualified_name.split("."):
        found = inspect.getattr_static(found, part, None)
    if found is None:
        return None
    found = inspect.unwrap(found)
    if not isinstance(found, types.FunctionType) or found.__module__ != module_name:
        return None
    return found


def call_of(parameters):
    """The arguments that hand a function's own parameters on, and its parameters without defaults and types."""
    names, arguments = [], []
    is_keyword_only = False
    kinds = inspect.Parameter
    for i, parameter in enumerate(parameters):
        name = parameter.name
        if parameter.kind == kinds.VAR_POSITIONAL:
            names.append("*" + name)
            arguments.append("*" + name)
            is_keyword_only = True
        elif parameter.kind == kinds.VAR_KEYWORD:
            names.append("**" + name)
            arguments.append("**" + name)
        elif parameter.kind == kinds.KEYWORD_ONLY:
            if not is_keyword_only:
                names.append("*")
                is_keyword_only = True
            names.append(name)
            arguments.append(f"{name}={name}")
        else:
            names.append(name)
            arguments.append(name)
            is_last = i + 1 == len(parameters) or parameters[i + 1].kind != kinds.POSITIONAL_ONLY
            if parameter.kind == kinds.POSITIONAL_ONLY and is_last:
                names.append("/")
    return ", ".join(names), ", ".join(arguments)


def code_around(function, old_name, row, subject):
    """Code with the parameters, free variables, name and place of the function's, that reports its calls."""
    old = function.__code__
    signature = inspect.signature(function, follow_wrapped=False)
    names, arguments = call_of(tuple(signature.parameters.values()))
    free = ", ".join(old.co_freevars)
    source = f"""
def around({free}):
    def function({names}):
        if 0: ({free or None})
        if _tauprof.is_dynamo_compiling(): return _tauprof.{old_name}({arguments})
        _tauprof.enter({row}, {subject})
        try: return _tauprof.{old_name}({arguments})
        finally: _tauprof.leave({row})
    return function
"""
    scope = {}
    exec(compile(source, old.co_filename, "exec"), scope)  # pylint: disable=exec-used
    new = scope["around"](*[None] * len(old.co_freevars)).__code__
    facts = {"co_name": old.co_name, "co_firstlineno": old.co_firstlineno}
    if hasattr(old, "co_qualname"):
        facts["co_qualname"] = old.co_qualname
    return new.replace(**facts)


def exchange(function, row, subject):
    old_name = f"old{len(vars(support))}"
    new = code_around(function, old_name, row, subject)
    old = types.FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__,
                             function.__closure__)
    old.__kwdefaults__ = function.__kwdefaults__
    old.__module__, old.__qualname__ = function.__module__, function.__qualname__
    setattr(support, old_name, old)
    function.__globals__["_tauprof"] = support
    hide_from_dynamo(new)
    function.__code__ = new


def hide_from_dynamo(code):
    """Frames of this code run as they are; those that they call are Dynamo's as ever."""
    dynamo = sys.modules["torch"]._C._dynamo.eval_frame
    if hasattr(dynamo, "skip_code"):
        dynamo.skip_code(code)
    elif hasattr(dynamo, "set_code_exec_strategy"):
        skip = dynamo._FrameExecStrategy(dynamo._FrameAction.SKIP, dynamo._FrameAction.DEFAULT)
        dynamo.set_code_exec_strategy(code, skip)


def watch_functions():
    """Also finds, when called again, what has been imported since."""
    for row, (module, name, _, _, subject) in enumerate(ROWS):
        if row not in watched and row != STEP:
            function = function_of(module, name)
            if function is not None:
                watched.add(row)
                exchange(function, row, subject)


def watch_step_of(optimizer_class):
    """PyTorch puts a function of its own around the step of each class of optimizers when the first one is made."""
    step = inspect.getattr_static(optimizer_class, "step", None)
    if isinstance(step, types.FunctionType) and step.__dict__.get("hooked") and step not in watched:
        watched.add(step)
        exchange(step, STEP, ROWS[STEP][4])


def watch_steps_of_subclasses(optimizer_class):
    for subclass in optimizer_class.__subclasses__():
        watch_step_of(subclass)
        watch_steps_of_subclasses(subclass)


def told(row, subject):
    dynamo = sys.modules["torch"]._C._dynamo.eval_frame
    before = dynamo.set_eval_frame(None)  # what follows is none of Dynamo's business
    try:
        _, _, kind, text, _ = ROWS[row]
        if kind == "instant":
            watch_step_of(type(subject))
            watch_functions()
        else:
            support.note(support.tell, text, subject)
    finally:
        dynamo.set_eval_frame(before)


def start(recorder, note):
    """False: PyTorch is not there yet. `note`: of torch_settings.py."""
    torch = sys.modules.get("torch")
    if torch is None or getattr(torch.__spec__, "_initializing", False) or not hasattr(torch, "compiler"):
        return False
    is_dynamo_compiling = getattr(torch.compiler, "is_dynamo_compiling", None)
    if is_dynamo_compiling is None:
        return True
    support.is_dynamo_compiling, support.enter, support.leave = is_dynamo_compiling, recorder.enter, recorder.leave
    hide_from_dynamo(is_dynamo_compiling.__code__)
    support.tell, support.note = recorder.tell, note
    hide_from_dynamo(told.__code__)
    recorder.ask(torch.is_grad_enabled, told)
    for row, (_, _, kind, text, _) in enumerate(ROWS):
        recorder.describe(row, kind, text)
    watch_functions()
    watch_steps_of_subclasses(torch.optim.Optimizer)
    note(recorder.tell, "", None)
    return True
