"""Watches backward passes and optimizer steps until every optimizer has stepped once, then hands over what it saw.

A parameter counts as used if autograd produced a gradient for it, which is also what DistributedDataParallel checks.
`.grad` alone does not say so: under DDP with find_unused_parameters=True, a parameter that this rank never used holds
the average of the other ranks, and an optimizer may have cleared `.grad`. So each parameter gets a hook, and each
outermost backward pass notes which hooks ran. Two backward passes before the first step, with `a` used in both and `b`
in the first:

    passes = [{a, b}, {a}]        b got a gradient, but not in each pass

`.grad` is trusted where no hook can run: FSDP sets it without autograd; after torch.autograd.grad the script sets it.
With several optimizers, the parameters of each are checked after its own first step, before it can call zero_grad.
"""

import atexit
import functools
import os
import sys
import weakref

from tauprof_audit import first_step, module_names

MOST_STEPS = 10  # of one optimizer, while others have not stepped once


def contained(function):
    """Catches all errors of `function`, so that the program's call continues whatever happens."""

    @functools.wraps(function)
    def guarded(self, *arguments):
        if self.is_over:
            return
        try:
            function(self, *arguments)
        except Exception as error:
            self.end()
            sys.stderr.write("tauprof: no parameter audit: {}: {}\n".format(type(error).__name__, error))

    return guarded


class GradientWatch:
    def __init__(self, torch, folder):
        self.torch, self.folder = torch, folder
        self.is_over = False
        self.depth = 0         # of nested backward passes: checkpointing runs one inside another
        self.passes = []       # for each outermost pass, the ids of the parameters that got a gradient
        self.hooked = {}       # id: (weak reference, handle)
        self.seen = {}         # id: facts about the gradient after the optimizer's first step
        self.steps = {}        # id of an optimizer: number of its steps
        self.stepped = []      # class names
        self.found = -1, []    # the number of passes when optimizers were last looked for, and those found
        self.undo = []

    def start(self):
        self._patch_backward()
        self._watch_steps()
        atexit.register(self.at_exit)
        open(os.path.join(self.folder, "torch-{}".format(os.getpid())), "w").close()

    def end(self):
        self.is_over = True
        for undo in self.undo:
            undo()
        if self.depth == 0:  # otherwise the step is inside a backward pass, which iterates over hooks
            for _, handle in self.hooked.values():
                handle.remove()
        self.undo, self.hooked, self.found = [], {}, (-1, [])

    @contained
    def at_exit(self):
        """Reports if some optimizers have stepped and others were still awaited."""
        if self.stepped:
            first_step.report(self)

    def _patch_backward(self):
        autograd, backward = self.torch.autograd, self.torch.autograd.backward

        @functools.wraps(backward)
        def watched(*arguments, **named):
            self.enter_pass()
            try:
                return backward(*arguments, **named)
            finally:
                self.depth -= 1

        def restore():
            if autograd.backward is watched:
                autograd.backward = backward

        autograd.backward = watched
        self.undo.append(restore)

    def _watch_steps(self):
        optimizer = sys.modules["torch.optim.optimizer"]  # torch.optim itself does not expose it
        register = getattr(optimizer, "register_optimizer_step_post_hook", None)
        if register is not None:
            # Stays registered after the audit, and does nothing then: PyTorch may be iterating over these hooks.
            register(lambda stepped, _, __: self.after_step(stepped))
        else:
            self._wrap_steps(optimizer.Optimizer)  # before 2.0

    def _wrap_steps(self, optimizer_class):
        watch, construct = self, optimizer_class.__init__

        @functools.wraps(construct)
        def watched_init(optimizer, *arguments, **named):
            construct(optimizer, *arguments, **named)
            watch.wrap_step(type(optimizer))

        optimizer_class.__init__ = watched_init
        self.undo.append(lambda: setattr(optimizer_class, "__init__", construct))

    def wrap_step(self, kind):
        step = kind.step
        if getattr(step, "is_watched_by_tauprof", False):
            return

        @functools.wraps(step)
        def watched(optimizer, *arguments, **named):
            result = step(optimizer, *arguments, **named)
            self.after_step(optimizer)
            return result

        watched.is_watched_by_tauprof = True
        kind.step = watched

    def enter_pass(self):
        self.depth += 1
        if self.depth == 1:
            self.new_pass()

    @contained
    def new_pass(self):
        self.passes.append(set())
        count = len(self.passes)
        if count & (count - 1) == 0:  # in the 1st, 2nd, 4th, 8th, … pass: the search through all objects is slow
            for parameter in self.parameters_in_sight():
                self.hook(parameter)

    def parameters_in_sight(self):
        for module in module_names.living(self.torch.nn.Module):
            yield from (p for p in (getattr(module, "_parameters", None) or {}).values() if p is not None)
        for optimizer in self.optimizers():
            yield from first_step.parameters_of(optimizer)

    def hook(self, parameter):
        known = self.hooked.get(id(parameter))
        if (known and known[0]() is parameter) or not parameter.requires_grad or not parameter.is_leaf:
            return
        key = id(parameter)
        if hasattr(parameter, "register_post_accumulate_grad_hook"):
            handle = parameter.register_post_accumulate_grad_hook(lambda _: self.got_gradient(key))
        else:  # before 2.1
            handle = parameter.register_hook(lambda gradient: self.got_gradient(key) if gradient is not None else None)
        self.hooked[key] = (weakref.ref(parameter), handle)

    def got_gradient(self, key):
        if self.passes and not self.is_over:
            self.passes[-1].add(key)

    def optimizers(self):
        """The optimizers that hold parameters themselves; wrappers such as accelerate's pass on those of another.
        Searched once per backward pass, because some programs have an optimizer for each parameter."""
        if self.found[0] != len(self.passes):
            living = module_names.living(self.torch.optim.Optimizer)
            self.found = len(self.passes), [optimizer for optimizer in living if "param_groups" in vars(optimizer)]
        return self.found[1]

    @contained
    def after_step(self, optimizer):
        key = id(optimizer)
        self.steps[key] = self.steps.get(key, 0) + 1
        if self.steps[key] == 1:
            self.stepped.append(type(optimizer).__name__)
            for parameter in first_step.parameters_of(optimizer):
                self.look_at(parameter)
        if self.steps[key] >= MOST_STEPS or not self.awaited():
            first_step.report(self)

    def look_at(self, parameter):
        if id(parameter) not in self.seen:
            self.seen[id(parameter)] = first_step.gradient_facts(self.torch, parameter, len(self.passes))
        return self.seen[id(parameter)]

    def awaited(self):
        """The optimizers that have parameters of their own and have not stepped yet."""
        return [o for o in self.optimizers() if id(o) not in self.steps
                and any(id(p) not in self.seen and p.requires_grad for p in first_step.parameters_of(o))]
