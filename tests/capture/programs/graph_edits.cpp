// Graphs of a kernel and a copy that change after they were made: graph_edits WAY. Each state is launched once, and
// waited for.
//   edited   the graph has only the kernel; then the copy is added, and it is instantiated anew
//   changed  the executable's nodes are told to do the same again; then to copy half as much
//   kernel   the executable's kernel becomes another one
//   updated  the executable is updated from a graph with another kernel
#include <cuda_runtime_api.h>

#include <string>

#include "device_work.h"

// As the compiler registers kernels.
extern "C" {
void** __cudaRegisterFatBinary(void* binary);
void __cudaRegisterFunction(void** binary, const char* function, char* device_function, const char* device_name,
                            int thread_limit, uint3* thread, uint3* block, dim3* block_size, dim3* grid_size,
                            int* warp_size);
}

namespace {

using programs::check;

void first() { std::puts("not called"); }
void second() { std::puts("nor this"); }

struct Binary {
  int magic = 0x466243b1, version = 1;
  const void* data = nullptr;
  void* unused = nullptr;
} binary;

void add_kernel(void** handle, void (*function)(), const char* name) {
  __cudaRegisterFunction(handle, reinterpret_cast<const char*>(function), const_cast<char*>(name), name, -1, nullptr,
                         nullptr, nullptr, nullptr, nullptr);
}

cudaKernelNodeParams kernel_of(void (*function)()) {
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(function);
  kernel.gridDim = kernel.blockDim = dim3(1, 1, 1);
  return kernel;
}

constexpr size_t kBytes = 8192;

class Graph {
 public:
  explicit Graph(void (*function)()) {
    check(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
    const cudaKernelNodeParams parameters = kernel_of(function);
    check(cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &parameters), "cudaGraphAddKernelNode");
  }
  void add_copy(char* memory) {
    check(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, memory, memory + kBytes, kBytes, cudaMemcpyDeviceToDevice),
          "cudaGraphAddMemcpyNode1D");
  }
  cudaGraphExec_t instantiate() const {
    cudaGraphExec_t executable;
    check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
    return executable;
  }

  cudaGraph_t graph;
  cudaGraphNode_t kernel, copy;
};

void launch(cudaGraphExec_t executable) {
  check(cudaGraphLaunch(executable, nullptr), "cudaGraphLaunch");
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

}  // namespace

int main(int count, char** arguments) {
  const std::string way = count > 1 ? arguments[1] : "";
  void** const handle = __cudaRegisterFatBinary(&binary);
  add_kernel(handle, first, "_Z5firstv");
  add_kernel(handle, second, "_Z6secondv");
  char* memory = nullptr;
  check(cudaMalloc(reinterpret_cast<void**>(&memory), 2 * kBytes), "cudaMalloc");
  Graph graph(first);
  if (way != "edited") graph.add_copy(memory);
  cudaGraphExec_t executable = graph.instantiate();
  launch(executable);
  if (way == "edited") {
    graph.add_copy(memory);
    executable = graph.instantiate();
  } else if (way == "changed") {
    const cudaKernelNodeParams parameters = kernel_of(first);
    check(cudaGraphExecKernelNodeSetParams(executable, graph.kernel, &parameters), "cudaGraphExecKernelNodeSetParams");
    const auto set_copy = [&](size_t bytes) {
      check(cudaGraphExecMemcpyNodeSetParams1D(executable, graph.copy, memory + kBytes, memory, bytes,
                                               cudaMemcpyDeviceToDevice),
            "cudaGraphExecMemcpyNodeSetParams1D");
    };
    set_copy(kBytes);
    launch(executable);
    set_copy(kBytes / 2);
  } else if (way == "kernel") {
    const cudaKernelNodeParams parameters = kernel_of(second);
    check(cudaGraphExecKernelNodeSetParams(executable, graph.kernel, &parameters), "cudaGraphExecKernelNodeSetParams");
  } else if (way == "updated") {
    Graph other(second);
    other.add_copy(memory);
    cudaGraphExecUpdateResultInfo info;
    check(cudaGraphExecUpdate(executable, other.graph, &info), "cudaGraphExecUpdate");
  }
  launch(executable);
  return 0;
}
