"""Prints as JSON what this Python has: PyTorch and whether it sees a GPU, Triton and its profiler, where wheels lie."""

import json
import sys


def describe_torch():
    try:
        import torch
    except Exception as error:  # whatever a broken installation raises
        return {"why": f"{type(error).__name__}: {error}"[:300]}
    found = {"version": torch.__version__, "cuda": torch.version.cuda}
    try:
        found["cuda_works"] = torch.cuda.is_available()
        if found["cuda_works"]:
            torch.ones(1, device="cuda").item()
            found["gpus"] = torch.cuda.device_count()
            found["capability"] = list(torch.cuda.get_device_capability())
        found["nccl"] = ".".join(map(str, torch.cuda.nccl.version()))
    except Exception as error:
        found["why"] = f"{type(error).__name__}: {error}"[:300]
        found["cuda_works"] = found.get("cuda_works", False) and "nccl" in str(error)
    return found


def describe_triton():
    try:
        import triton
    except Exception as error:
        return {"why": f"{type(error).__name__}: {error}"[:300]}
    found = {"version": triton.__version__}
    try:
        import triton.profiler  # noqa: F401
        found["proton"] = True
    except Exception as error:
        found["why"] = f"{type(error).__name__}: {error}"[:300]
    return found


if __name__ == "__main__":
    print(json.dumps({"python": sys.version.split()[0], "path": [place for place in sys.path if place],
                      "prefix": sys.prefix, "torch": describe_torch(), "triton": describe_triton()}))
