// A CUDA runtime that does nothing: no thread, no lock, no system call, no memory. What happens in a process that uses
// it is the program's work or the recorder's. The declarations are those of cuda_runtime_api.h.
// A copy with another IDLE_DEVICE tells which copy a call has reached. With IDLE_SLOW_EVENTS, cudaEventRecord takes some
// milliseconds.
#include <unistd.h>

#include <cstddef>

#ifndef IDLE_DEVICE
#define IDLE_DEVICE 0
#endif

namespace {
constexpr unsigned long kSomething = 0x7000000;
}

#define SHOWN extern "C" __attribute__((visibility("default")))

SHOWN int cudaMalloc(void** memory, size_t) {
  *memory = reinterpret_cast<void*>(kSomething);
  return 0;
}
SHOWN int cudaFree(void*) { return 0; }
SHOWN int cudaMemset(void*, int, size_t) { return 0; }
SHOWN int cudaMemsetAsync(void*, int, size_t, void*) { return 0; }
SHOWN int cudaMemcpyAsync(void*, const void*, size_t, int, void*) { return 0; }
SHOWN int cudaDeviceSynchronize() { return 0; }
SHOWN int cudaGetDeviceCount(int* count) {
  *count = 1;
  return 0;
}
SHOWN int cudaGetDevice(int* device) {
  *device = IDLE_DEVICE;
  return 0;
}
SHOWN int cudaSetDevice(int) { return 0; }
SHOWN int cudaGetLastError() { return 0; }
SHOWN int cudaStreamCreate(void** stream) {
  *stream = reinterpret_cast<void*>(kSomething + 16);
  return 0;
}
SHOWN int cudaStreamCreateWithFlags(void** stream, unsigned) { return cudaStreamCreate(stream); }
SHOWN int cudaStreamIsCapturing(void*, int* status) {
  *status = 0;
  return 0;
}
SHOWN int cudaThreadExchangeStreamCaptureMode(int*) { return 0; }
SHOWN int cudaStreamDestroy(void*) { return 0; }
SHOWN int cudaStreamSynchronize(void*) { return 0; }
SHOWN int cudaEventCreate(void** event) {
  *event = reinterpret_cast<void*>(kSomething + 32);
  return 0;
}
SHOWN int cudaEventCreateWithFlags(void** event, unsigned) { return cudaEventCreate(event); }
SHOWN int cudaEventRecord(void*, void*) {
#ifdef IDLE_SLOW_EVENTS
  usleep(3000);
#endif
  return 0;
}
SHOWN int cudaEventElapsedTime(float* milliseconds, void*, void*) {
  *milliseconds = 0;
  return 0;
}
SHOWN int cudaEventQuery(void*) { return 0; }
SHOWN int cudaEventDestroy(void*) { return 0; }
// Host callbacks run at once, on the caller's thread.
SHOWN int cudaLaunchHostFunc(void*, void (*function)(void*), void* argument) {
  function(argument);
  return 0;
}
SHOWN int cudaStreamAddCallback(void* stream, void (*function)(void*, int, void*), void* argument, unsigned) {
  function(stream, 0, argument);
  return 0;
}
