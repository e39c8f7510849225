"""Makes blocking copies from all kinds of Python code. Before each copy it prints the interpreter's own stack: a line
of JSON with the frames, innermost first, as [file, line, function]."""

import asyncio
import contextlib
import ctypes
import functools
import json
import sys
import threading

BYTES = 32 << 20
TO_HOST = 2

cuda = ctypes.CDLL(None)
host = ctypes.create_string_buffer(BYTES)
device = ctypes.c_void_p()
cuda.cudaMalloc(ctypes.byref(device), ctypes.c_size_t(BYTES))


def here():
    """Prints the caller's stack and returns the arguments of a copy."""
    frames, frame = [], sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        frames.append([code.co_filename, frame.f_lineno, getattr(code, "co_qualname", code.co_name)])
        frame = frame.f_back
    print(json.dumps(frames))
    return host, device, ctypes.c_size_t(BYTES), TO_HOST


def in_a_function():
    cuda.cudaMemcpy(*here())


def recursively(depth):
    if depth > 0:
        return recursively(depth - 1)
    return cuda.cudaMemcpy(*here())


def generated():
    for _ in range(2):
        yield cuda.cudaMemcpy(*here())


@contextlib.contextmanager
def in_a_context():
    cuda.cudaMemcpy(*here())
    yield
    cuda.cudaMemcpy(*here())


async def awaited():
    await asyncio.sleep(0)
    cuda.cudaMemcpy(*here())


class Model:
    @property
    def loss(self):
        return cuda.cudaMemcpy(*here())

    @functools.lru_cache(maxsize=None)
    def cached(self):
        return [cuda.cudaMemcpy(*here()) for _ in range(2)]


def höhe_mit_ümlaut():
    cuda.cudaMemcpy(*here())


def by_exec():
    """Code objects that live for one call each, one after another at the same address."""
    for i in range(40):
        exec(compile("\n" * i + "cuda.cudaMemcpy(*here())", f"generated_{i}.py", "exec"), globals())


def with_an_exception():
    try:
        raise ValueError
    except ValueError:
        cuda.cudaMemcpy(*here())
    finally:
        cuda.cudaMemcpy(*here())


def main():
    in_a_function()
    recursively(20)
    recursively(300)
    for _ in generated():
        pass
    with in_a_context():
        pass
    loop = asyncio.new_event_loop()
    loop.run_until_complete(awaited())
    loop.close()
    assert Model().loss == 0
    Model().cached()
    höhe_mit_ümlaut()
    by_exec()
    with_an_exception()
    (lambda: cuda.cudaMemcpy(*here()))()
    thread = threading.Thread(target=in_a_function)
    thread.start()
    thread.join()
    sorted([2, 1], key=lambda value: cuda.cudaMemcpy(*here()))


main()
