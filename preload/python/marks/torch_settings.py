"""Asks PyTorch how a program is set up. Compiled into libtauprof.so and run in the user's process, like torch_marks.py.

`note(tell, what, subject, given)` is called when something that has settings is in use: what it finds is told as
tell("optimizer.class", "AdamW"). `given` are the arguments of the call, by name. It asks only for what is there already:
it imports nothing, makes no CUDA call, and reads no attribute that warns. What cannot be read is left out.
"""

import os
import sys


def each_value(settings):
    """Values as text; functions are asked, and those that fail are left out."""
    for name, value in settings.items():
        try:
            value = value() if callable(value) else value
        except Exception:  # pylint: disable=broad-except  # whatever a version of PyTorch thinks of the question
            continue
        if value is None:
            continue
        if isinstance(value, bool):
            value = str(value).lower()
        yield name, str(value)


def words(values):
    """Each value once, in order: "bfloat16,float32"."""
    return ",".join(sorted({str(value).replace("torch.", "") for value in values}))


def versions(torch):
    return {
        "versions.python": ".".join(map(str, sys.version_info[:3])),
        "versions.pytorch": torch.__version__,
        "versions.cuda": torch.version.cuda,
        "versions.nccl": lambda: ".".join(map(str, sys.modules["torch.cuda.nccl"].version())),
        "versions.triton": lambda: sys.modules["triton"].__version__,
    }


def host(torch):
    return {
        "host.threads": torch.get_num_threads,
        "host.processors": lambda: len(os.sched_getaffinity(0)),
    }


def precision(torch):
    return {
        "precision.autocast": lambda: words([torch.get_autocast_dtype("cuda")])
        if torch.is_autocast_enabled("cuda") else "off",
        "precision.float32_matmul": lambda: torch.backends.cuda.matmul.fp32_precision,
        "precision.float32_cudnn": lambda: torch.backends.cudnn.conv.fp32_precision,
        "precision.cudnn_benchmark": torch._C._get_cudnn_benchmark,
        "precision.deterministic": torch.are_deterministic_algorithms_enabled,
        "precision.attention": lambda: words(
            name for name, is_on in (("flash", torch._C._get_flash_sdp_enabled), ("math", torch._C._get_math_sdp_enabled),
                                     ("efficient", torch._C._get_mem_efficient_sdp_enabled),
                                     ("cudnn", torch._C._get_cudnn_sdp_enabled)) if is_on()),
    }


def compiler(torch):
    utils = sys.modules.get("torch._dynamo.utils")
    if utils is None:
        return {}
    counters = utils.counters
    return {
        "compiler.frames": counters["frames"].get("ok"),
        "compiler.graphs": counters["stats"].get("unique_graphs"),
        "compiler.graph_breaks": sum(counters["graph_break"].values()) if counters["frames"] else None,
    }


def allocator(torch):
    statistics = torch.cuda.memory_stats() if torch.cuda.is_initialized() else {}
    return {
        "allocator.configuration": os.environ.get("PYTORCH_ALLOC_CONF") or os.environ.get("PYTORCH_CUDA_ALLOC_CONF"),
        "allocator.retries": statistics.get("num_alloc_retries"),
        "allocator.peak_allocated_bytes": statistics.get("allocated_bytes.all.peak"),
        "allocator.peak_reserved_bytes": statistics.get("reserved_bytes.all.peak"),
    }


batch_sizes = set()  # of all loaders so far


def of_loader(_, loader, __):
    batch_sizes.add(loader.batch_size or getattr(loader.batch_sampler, "batch_size", None))
    return {
        "loader.workers": loader.num_workers,
        "loader.batch_size": words(batch_sizes - {None}) or None,
        "loader.prefetch_factor": loader.prefetch_factor if loader.num_workers else None,
        "loader.pin_memory": loader.pin_memory,
        "loader.persistent_workers": loader.persistent_workers,
        "loader.drop_last": loader.drop_last,
    }


def of_optimizer(torch, optimizer, _):
    groups = optimizer.param_groups
    parameters = [parameter for group in groups for parameter in group["params"]]

    def first(name):
        value = groups[0].get(name)
        return "default" if value is None and name in groups[0] else value

    return {
        "optimizer.class": type(optimizer).__name__,
        "optimizer.parameters": sum(parameter.numel() for parameter in parameters),
        "optimizer.tensors": len(parameters),
        "optimizer.dtypes": words(parameter.dtype for parameter in parameters),
        "optimizer.foreach": first("foreach"),
        "optimizer.fused": first("fused"),
        "optimizer.capturable": first("capturable"),
        **compiler(torch),
        **allocator(torch),
    }


def of_tokens(torch, given):
    """How many texts, and tokens in all of them, one call of a model of language gets."""
    tokens = given.get("input_ids")
    if tokens is None:
        tokens = next((value for value in given.values() if isinstance(value, torch.Tensor)), None)
    if not isinstance(tokens, torch.Tensor) or tokens.dim() != 2 or tokens.dtype not in (torch.int64, torch.int32):
        return {}
    return {"module.sequences": tokens.shape[0], "module.tokens": tokens.numel()}


def multiplied(module):
    """The parameters that tokens are multiplied with: all but tables that are only looked up."""
    found = {}
    for part in module.modules():
        is_table = any(base.__name__ in ("Embedding", "EmbeddingBag") for base in type(part).__mro__)
        if not is_table:
            found.update((id(parameter), parameter) for parameter in part.parameters(recurse=False))
    return list(found.values())


def of_transformer(module):
    """Sizes from which the operations of training follow, of a dense decoder or encoder that says so in the way of
    Hugging Face's models. Empty where a formula would be wrong: experts, windows of attention, two stacks, frozen
    parameters."""
    config = getattr(getattr(module, "module", module), "config", None)
    layers, width, heads = (getattr(config, name, None)
                            for name in ("num_hidden_layers", "hidden_size", "num_attention_heads"))
    others = ("num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts", "sliding_window",
              "is_encoder_decoder", "layer_types", "vision_config")
    is_dense = all(isinstance(size, int) and size > 0 for size in (layers, width, heads))
    if not is_dense or any(getattr(config, other, None) for other in others):
        return {}
    parameters = list(module.parameters())
    if not all(parameter.requires_grad for parameter in parameters):
        return {}
    return {
        "module.parameters": lambda: sum(parameter.numel() for parameter in multiplied(module)),
        "module.layers": layers,
        "module.attention_width": heads * (getattr(config, "head_dim", None) or width // heads),
    }


def of_module(torch, module, given):
    if next(module.parameters(), None) is None:
        return {}  # a loss
    settings = {"module.class": type(module).__name__, **precision(torch), **host(torch)}
    kind = type(module).__name__
    if kind != "FullyShardedDataParallel":  # whose parameters are a rank's part
        sizes = of_transformer(module)
        settings.update(sizes, **(of_tokens(torch, given) if sizes else {}))
    if kind == "DistributedDataParallel":
        settings.update({
            "parallel.kind": "ddp",
            "parallel.bucket_bytes": module.bucket_bytes_cap,
            "parallel.find_unused_parameters": module.find_unused_parameters,
            "parallel.static_graph": module.static_graph,
            "parallel.gradient_as_bucket_view": module.gradient_as_bucket_view,
        })
    elif kind == "FullyShardedDataParallel":
        settings.update({
            "parallel.kind": "fsdp",
            "parallel.sharding": lambda: module.sharding_strategy.name,
            "parallel.backward_prefetch": lambda: getattr(module.backward_prefetch, "name", "none"),
            "parallel.forward_prefetch": lambda: module.forward_prefetch,
            "parallel.limit_all_gathers": lambda: module.limit_all_gathers,
        })
    elif any(base.__name__ == "FSDPModule" for base in type(module).__mro__):
        settings["parallel.kind"] = "fsdp2"
    return settings


ASKED = {"fetch": of_loader, "update": of_optimizer, "forward": of_module, "": lambda torch, *_: versions(torch)}


def note(tell, what, subject, given):
    if what in ASKED:
        for name, value in each_value(ASKED[what](sys.modules["torch"], subject, given)):
            tell(name, value)
