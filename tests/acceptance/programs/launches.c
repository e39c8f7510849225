// launches RUNTIME N: sets memory and launches a kernel, N times each. The kernel comes as PTX, which every driver
// compiles, so neither nvcc nor PyTorch is needed.
#include "calls.h"

enum { kBytes = 4096, kThreads = 256 };

static const char kKernel[] =
    ".version 6.3\n"
    ".target sm_75\n"
    ".address_size 64\n"
    ".visible .entry count_up(.param .u64 numbers) {\n"
    "  .reg .u64 %place;\n"
    "  .reg .u64 %offset;\n"
    "  .reg .u32 %thread;\n"
    "  .reg .u32 %number;\n"
    "  ld.param.u64 %place, [numbers];\n"
    "  cvta.to.global.u64 %place, %place;\n"
    "  mov.u32 %thread, %tid.x;\n"
    "  mul.wide.u32 %offset, %thread, 4;\n"
    "  add.u64 %place, %place, %offset;\n"
    "  ld.global.u32 %number, [%place];\n"
    "  add.u32 %number, %number, 1;\n"
    "  st.global.u32 [%place], %number;\n"
    "  ret;\n"
    "}\n";

typedef int Launch(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**);

static void* kernel(void) {
  int (*const load)(void**, const void*) = runtime_function("cuModuleLoadData");
  int (*const find)(void**, void*, const char*) = runtime_function("cuModuleGetFunction");
  void *module = NULL, *function = NULL;
  int error = load(&module, kKernel);
  if (error == 0) error = find(&function, module, "count_up");
  if (error != 0) STOP("the kernel cannot be loaded: CUDA error %d\n", error);
  return function;
}

int main(int count, char** words) {
  if (count != 3) STOP("usage: launches RUNTIME N\n");
  load_runtime(words[1]);
  load_runtime("libcuda.so.1");
  int (*const allocate)(void**, size_t) = runtime_function("cudaMalloc");
  int (*const set)(void*, int, size_t, void*) = runtime_function("cudaMemsetAsync");
  int (*const wait)(void) = runtime_function("cudaDeviceSynchronize");
  Launch* const launch = runtime_function("cuLaunchKernel");
  void* memory = NULL;
  if (allocate(&memory, kBytes) != 0) STOP("no memory of the device\n");
  void* const function = kernel();
  void* arguments[] = {&memory};
  for (int i = 0; i < atoi(words[2]); ++i) {
    int error = set(memory, 0, kBytes, NULL);
    if (error == 0) error = launch(function, 1, 1, 1, kThreads, 1, 1, 0, NULL, arguments, NULL);
    if (error != 0) STOP("CUDA error %d\n", error);
  }
  if (wait() != 0) STOP("the device does not work\n");
  printf("%s launches\n", words[2]);
  return 0;
}
