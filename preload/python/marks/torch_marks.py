"""Asks PyTorch when it fetches, computes and updates. Compiled into libtauprof.so and run once in the user's process.

ROWS names functions of PyTorch. `recorder` is the library, which notes when each call of them starts and ends. What it
makes of a row is its kind:

  range      each call is a range with the row's name
  outermost  the same, but a call inside of another call of a row of this name on the same thread is not
  instant    a mark with the row's name when the call returns
  update     the same; a mark of an outer call stands for those of inner calls
  opens      a range that the subject names starts
  closes     the range that started last ends

The subject is an argument: which optimizer, which range. The recorder calls told() with it when the row is met for the
first, second, fourth, eighth time, and so on; of optimizers that are made, each time.

The recorder sees calls without a frame of its own and without Python code of ours, except told(), so nothing that asks
for frames, lines, depth, signatures or identity sees it. How depends on the interpreter:

  3.12 and later  sys.monitoring: it tells when a function's code starts and ends
  3.11            the function's code says so itself: see reporting_code.py
  3.8 to 3.10     calls go through the function's pointer for vectorcall, which is exchanged; so they do from 3.12 on
                  where sys.monitoring has no tool left

Where none of these can be had, or cannot be verified, there are no marks.
"""

import _thread
import functools
import gc
import inspect
import sys
import types

ROWS = (
    ("torch.autograd.profiler", "record_function.__enter__", "opens", "", "self"),
    ("torch.autograd.profiler", "record_function.__exit__", "closes", "", None),
    ("torch.utils.data.dataloader", "DataLoader.__iter__", "range", "fetch", "self"),
    ("torch.utils.data.dataloader", "_BaseDataLoaderIter.__next__", "range", "fetch", None),
    ("torch.nn.modules.module", "Module._wrapped_call_impl", "outermost", "forward", "self"),
    ("torch.autograd", "backward", "outermost", "backward", None),
    ("torch.autograd", "grad", "outermost", "backward", None),
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
    ("torch.nn.modules.module", "Module.zero_grad", "range", "zero_grad", None),
    ("torch.optim.lr_scheduler", "LRScheduler.step", "range", "schedule", None),
    ("torch.optim.lr_scheduler", "ReduceLROnPlateau.step", "range", "schedule", None),
    ("torch.serialization", "save", "range", "save", None),
    # The work of accelerate, and so of Hugging Face's Trainer, around PyTorch's functions takes 0.1 ms each time.
    ("accelerate.accelerator", "Accelerator.backward", "outermost", "backward", None),
    ("accelerate.accelerator", "Accelerator.clip_grad_norm_", "range", "clip", None),
    ("accelerate.optimizer", "AcceleratedOptimizer.step", "range", "updating", None),
    ("accelerate.scheduler", "AcceleratedScheduler.step", "range", "schedule", None),
    ("transformers.generation.utils", "GenerationMixin.generate", "outermost", "forward", "self"),  # one call a word
)


class Support:
    """The functions that the recorder has brought: attach, tell, note."""


support = Support()
watched = set()
searched = set()
attaching = _thread.allocate_lock()  # of the two above: several threads make optimizers
LONGEST_WAIT_S = 1.0  # for it: a fork may have left it locked
[STEP] = (number for number, row in enumerate(ROWS) if row[1].startswith("Optimizer.profile_hook_step"))


def is_defined_in(module_name, function):
    """Wrappers copy __module__, but not the globals."""
    return isinstance(function, types.FunctionType) and function.__globals__.get("__name__") == module_name


def replaced_function(module_name, qualified_name):
    """Looks once, among all functions that live, for the one that somebody has put another in the place of."""
    if (module_name, qualified_name) in searched:
        return None
    searched.add((module_name, qualified_name))
    for function in gc.get_referrers(vars(sys.modules[module_name])):
        if is_defined_in(module_name, function) and function.__code__.co_name == qualified_name.rpartition(".")[2] \
                and function.__qualname__ == qualified_name:
            return function
    return None


def function_of(module_name, qualified_name):
    """The function that PyTorch defined; None while it is not there."""
    found = sys.modules.get(module_name)
    for part in qualified_name.split("."):
        found = inspect.getattr_static(found, part, None)
    if found is None:
        return None
    found = inspect.unwrap(found)
    return found if is_defined_in(module_name, found) else replaced_function(module_name, qualified_name)


def hide_from_dynamo(code):
    """Frames of this code run as they are; those that they call are Dynamo's as ever."""
    dynamo = sys.modules["torch"]._C._dynamo.eval_frame
    if hasattr(dynamo, "skip_code"):
        dynamo.skip_code(code)
    elif hasattr(dynamo, "set_code_exec_strategy"):
        skip = dynamo._FrameExecStrategy(dynamo._FrameAction.SKIP, dynamo._FrameAction.DEFAULT)
        dynamo.set_code_exec_strategy(code, skip)


def has_compiled():
    """Whether Dynamo has compiled something: what it compiled is valid for the code that functions had then."""
    utils = sys.modules.get("torch._dynamo.utils")
    return utils is not None and bool(utils.counters.get("frames"))


def take_tool():
    """The number of a tool of sys.monitoring that has no meaning and no user; None: both are in use."""
    for tool in (4, 3):
        if sys.monitoring.get_tool(tool) is None:
            sys.monitoring.use_tool_id(tool, "tauprof")
            return tool
    return None


def monitoring_by(recorder):
    """By sys.monitoring; None: that is not to be had.

    An exception that leaves a function is no local event; its global one calls no Python code, and costs only where a
    frame is left by an exception. No event is ever disabled, so restart_events() changes nothing.
    """
    if not hasattr(recorder, "watch"):
        return None
    tool = take_tool()
    if tool is None:
        return None
    monitoring, events = sys.monitoring, sys.monitoring.events
    monitoring.register_callback(tool, events.PY_START, recorder.call_started)
    monitoring.register_callback(tool, events.PY_RETURN, recorder.call_returned)
    monitoring.register_callback(tool, events.PY_UNWIND, recorder.call_unwound)
    monitoring.set_events(tool, events.PY_UNWIND)

    def monitor(code, row, subject):
        if monitoring.get_tool(tool) == "tauprof":  # a program may have freed it
            recorder.watch(code, row, subject or "")
            monitoring.set_local_events(tool, code, events.PY_START | events.PY_RETURN)
        return True

    code = code_of_steps()
    if code is not None:
        monitor(code, STEP, ROWS[STEP][4])
        watched.add(STEP)
    return lambda function, row, subject: monitor(function.__code__, row, subject)


def passing_by(recorder):
    """By the functions' own pointers."""
    def attach(function, row, subject):
        code, name = function.__code__, subject or ""
        named = code.co_varnames[:code.co_argcount]
        place = named.index(name) if name in named else code.co_argcount if name.endswith("[0]") else -1
        return recorder.pass_calls(function, row, place, name)

    return attach


def reporting_by(recorder, text):
    """By code that reports its calls. `text`: of reporting_code.py."""
    names = {"__name__": "tauprof"}
    exec(text, names)  # pylint: disable=exec-used
    codes = {}  # by what they were made from: functions that share a code go on to share one

    def new_code(code, row, subject):
        name, _, is_first_item = (subject or "").partition("[")
        entry = functools.partial(len)  # what whoever pickles or copies the code finds
        made = names["reporting_code"](code, entry, name)
        if made is None or not recorder.make_entry(entry, row, bool(is_first_item)):
            return None
        code, at, run = made
        read = code.co_code  # Python keeps it, and answers with it from now on
        size = type(code).__basicsize__  # the instructions follow
        if code.co_code is not read or code.__sizeof__() < size + len(read):
            return None
        return code if recorder.run_instead(code, size, read, at, run) and code.co_code is read else None

    def attach(function, row, subject):
        code = function.__code__
        if (code, row) not in codes:
            codes[code, row] = new_code(code, row, subject)
        if codes[code, row] is None:
            return False
        function.__code__ = codes[code, row]
        return True

    return attach


def way_of(recorder, text):
    """How calls are seen: attach(function, row, subject), which returns whether those of this function are."""
    version = sys.version_info[:2]
    if version == (3, 11):
        if has_compiled():
            raise NotImplementedError("new code would have to be compiled again")
        return reporting_by(recorder, text)
    attach = monitoring_by(recorder) if version > (3, 11) else None
    return passing_by(recorder) if attach is None else attach


def watch_functions():
    """Also finds, when called again, what has been imported since. Returns for how many rows it found something."""
    found = 0
    for row, (module, name, _, _, subject) in enumerate(ROWS):
        if row not in watched and row != STEP:
            function = function_of(module, name)
            if function is not None:
                watched.add(row)
                found += bool(support.attach(function, row, subject))
    return found


def code_of_steps():
    """The functions that PyTorch puts around the steps of all optimizers have one code, as long as nobody exchanges it.
    """
    function = function_of(ROWS[STEP][0], "Optimizer.profile_hook_step")
    constants = () if function is None else function.__code__.co_consts
    return next((code for code in constants if isinstance(code, types.CodeType) and code.co_name == "wrapper"), None)


def watch_step_of(optimizer_class):
    """PyTorch puts a function of its own around the step of each class of optimizers when the first one is made."""
    if STEP in watched:
        return
    step = inspect.getattr_static(optimizer_class, "step", None)
    if step in watched or not getattr(step, "hooked", False):
        return
    is_torchs = is_defined_in(ROWS[STEP][0], step)
    if not is_torchs:
        watched.add(step)
    # A program may have put a function of its own around that.
    for function in [step] if is_torchs else gc.get_referrers(code_of_steps()):
        if is_defined_in(ROWS[STEP][0], function) and function not in watched:
            watched.add(function)
            support.attach(function, STEP, ROWS[STEP][4])


def watch_steps_of_subclasses(optimizer_class):
    for subclass in optimizer_class.__subclasses__():
        watch_step_of(subclass)
        watch_steps_of_subclasses(subclass)


def watch_what_is_new(optimizer_class):
    """Returns when it is watched, by whichever thread: the optimizer may step at once."""
    if attaching.acquire(timeout=LONGEST_WAIT_S):
        try:
            watch_step_of(optimizer_class)
            watch_functions()
        finally:
            attaching.release()


def arguments_of(frame):
    """By name, and those without one by their place."""
    variables = frame.f_locals
    return {**dict(enumerate(variables.get("args", ()))), **variables.get("kwargs", {})}


def told(row, subject, given):
    """`given`: the arguments of the call; None: the caller's frame has them."""
    dynamo = sys.modules["torch"]._C._dynamo.eval_frame
    before = dynamo.set_eval_frame(None)  # what follows is none of Dynamo's business
    try:
        _, _, kind, text, _ = ROWS[row]
        if kind == "instant":
            watch_what_is_new(type(subject))
        else:
            support.note(support.tell, text, subject, arguments_of(sys._getframe(1)) if given is None else given)
    finally:
        dynamo.set_eval_frame(before)


def start(recorder, note, code_text):
    """False: PyTorch is not there yet. `note`: of torch_settings.py; `code_text`: the text of reporting_code.py."""
    if "t" in getattr(sys, "abiflags", ""):
        return True  # the recorder's functions rely on the GIL, which these builds do not have
    torch = sys.modules.get("torch")
    if torch is None or getattr(torch.__spec__, "_initializing", False) or not hasattr(torch, "compiler"):
        return False
    support.attach = way_of(recorder, code_text)
    support.tell, support.note = recorder.tell, note
    hide_from_dynamo(told.__code__)
    recorder.ask(torch.is_grad_enabled, told)
    for row, (_, _, kind, text, _) in enumerate(ROWS):
        recorder.describe(row, kind, text)
    with attaching:
        if not watch_functions():
            raise NotImplementedError("calls of functions cannot be seen in this Python")
        watch_steps_of_subclasses(torch.optim.Optimizer)
    note(recorder.tell, "", None, {})
    return True
