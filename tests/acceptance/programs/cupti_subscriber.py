"""A profiler with a subscriber of its own that allows others: cupti_subscriber.py RUNTIME N.

N sets before, while it watches, and after. Prints what CUPTI answers to the subscription, and how many sets it has seen.
The calls go through the global scope, so a preloaded recorder sees them.
"""

import ctypes
import sys
import time

from cuda_calls import Calls, Device
from probe_runtime import libraries_of_cupti

MEMSET, BUFFER_BYTES = 2, 1 << 20
REQUESTED = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_size_t),
                             ctypes.POINTER(ctypes.c_size_t), ctypes.c_void_p)
COMPLETED = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p)
CALLED_BACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32, ctypes.c_void_p)


class Parameters(ctypes.Structure):
    """CUpti_SubscriberParams as it is from CUDA 13.2 on."""
    _fields_ = [("size", ctypes.c_size_t), ("name", ctypes.c_char_p), ("old_name", ctypes.c_char_p),
                ("old_name_size", ctypes.c_size_t), ("allows_others", ctypes.c_uint8), ("padding", ctypes.c_uint8 * 7)]


class Subscriber:
    def __init__(self, cupti):
        self.cupti, self.handle, self.seen, self.buffers = cupti, ctypes.c_void_p(), 0, []
        self.callbacks = REQUESTED(self.request), COMPLETED(self.complete), CALLED_BACK(lambda *_: None)

    def subscribe(self):
        parameters = Parameters(ctypes.sizeof(Parameters), b"acceptance", None, 0, 1)
        return self.cupti.cuptiSubscribe_v2(ctypes.byref(self.handle), self.callbacks[2], None,
                                            ctypes.byref(parameters))

    def watch(self, work):
        self.cupti.cuptiActivityRegisterCallbacks_v2(self.handle, *self.callbacks[:2])
        self.cupti.cuptiActivityEnable_v2(self.handle, MEMSET, None)
        work()
        self.cupti.cuptiActivityDisable_v2(self.handle, MEMSET, None)
        self.cupti.cuptiActivityFlushAll(0)
        self.cupti.cuptiUnsubscribe(self.handle)

    def request(self, buffer, size, most, _):
        self.buffers.append(ctypes.create_string_buffer(BUFFER_BYTES))
        buffer[0], size[0], most[0] = ctypes.addressof(self.buffers[-1]), BUFFER_BYTES, 0

    def complete(self, buffer, _, valid, __):
        record = ctypes.c_void_p()
        while self.cupti.cuptiActivityGetNextRecord_v2(self.handle, ctypes.c_void_p(buffer), ctypes.c_size_t(valid),
                                                       ctypes.byref(record)) == 0:
            self.seen += ctypes.cast(record, ctypes.POINTER(ctypes.c_uint32))[0] == MEMSET


def main():
    runtime, count = sys.argv[1], int(sys.argv[2])
    ctypes.CDLL(runtime, mode=ctypes.RTLD_GLOBAL)
    for library in libraries_of_cupti(runtime):
        try:
            ctypes.CDLL(library, mode=ctypes.RTLD_GLOBAL)
            break
        except OSError:
            continue
    scope = ctypes.CDLL(None)
    device, subscriber = Device(Calls(scope)), Subscriber(scope)
    device.sets(count)
    answer = subscriber.subscribe()
    if answer == 0:
        subscriber.watch(lambda: device.sets(count))
        time.sleep(0.5)  # for the recorder to take CUPTI again
    device.sets(count)
    print(f"subscription {answer}, {subscriber.seen} sets")


if __name__ == "__main__":
    main()
