// Six steps on two devices: graph_steps WAY. Each multiplies twice, and on device 1 once more, which makes it late.
//   eager     then clears, copies and reduces
//   whole     the same as graphs, one for each device
//   compute   graphs that only multiply
//   nested    as whole; the multiplications are a graph in the graph, and so is one more reduction, twice
//   captured  as whole; the multiplications are a graph whose launch is captured
//   condition as whole; one more reduction is in the body of a conditional node
#include <cublas_v2.h>
#include <nccl.h>

#include <string>
#include <vector>

#include "device_work.h"

namespace {

using programs::check;

constexpr int kDevices = 2, kSteps = 6, kSize = 1024, kCount = 1 << 20;

template <class Result, class Text>
void check_library(Result result, Text&& text, const char* what) {
  if (static_cast<int>(result) == 0) return;
  std::fprintf(stderr, "%s: %s\n", what, text(result));
  std::_Exit(1);
}
void check(cublasStatus_t result) { check_library(result, cublasGetStatusString, "cuBLAS"); }
void check(ncclResult_t result) { check_library(result, ncclGetErrorString, "NCCL"); }

cudaGraphNode_t last_node(cudaGraph_t graph) {
  size_t count = 0;
  check(cudaGraphGetNodes(graph, nullptr, &count), "cudaGraphGetNodes");
  std::vector<cudaGraphNode_t> nodes(count);
  check(cudaGraphGetNodes(graph, nodes.data(), &count), "cudaGraphGetNodes");
  return nodes.back();
}

class Job {
 public:
  Job() {
    const int numbers[kDevices] = {0, 1};
    check(ncclCommInitAll(comms_, kDevices, numbers));
    for (int device = 0; device < kDevices; ++device) {
      check(cudaSetDevice(device), "cudaSetDevice");
      check(cudaStreamCreateWithFlags(&streams_[device], cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
      check(cudaMalloc(reinterpret_cast<void**>(&memory_[device]), 3 * kCount * sizeof(float)), "cudaMalloc");
      check(cublasCreate(&handles_[device]));
      check(cublasSetStream(handles_[device], streams_[device]));
    }
  }

  void multiply(int device) {
    const float one = 1, zero = 0;
    float* const memory = memory_[device];
    check(cudaSetDevice(device), "cudaSetDevice");
    for (int i = 0; i < 2 + device; ++i)
      check(cublasSgemm(handles_[device], CUBLAS_OP_N, CUBLAS_OP_N, kSize, kSize, kSize, &one, memory, kSize,
                        memory + kCount, kSize, &zero, memory + 2 * kCount, kSize));
  }
  void clear_and_copy(int device) {
    check(cudaMemsetAsync(memory_[device], 0, 4096, streams_[device]), "cudaMemsetAsync");
    check(cudaMemcpyAsync(memory_[device], memory_[device] + kCount, 8192, cudaMemcpyDeviceToDevice, streams_[device]),
          "cudaMemcpyAsync");
  }
  void reduce() {
    check(ncclGroupStart());
    for (int device = 0; device < kDevices; ++device)
      check(ncclAllReduce(memory_[device], memory_[device], kCount, ncclFloat, ncclSum, comms_[device],
                          streams_[device]));
    check(ncclGroupEnd());
  }
  void work() {
    for (int device = 0; device < kDevices; ++device) multiply(device), clear_and_copy(device);
    reduce();
  }

  void start_capture() {
    for (cudaStream_t stream : streams_)
      check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  }
  void end_capture(cudaGraph_t (&graphs)[kDevices]) {
    for (int device = 0; device < kDevices; ++device)
      check(cudaStreamEndCapture(streams_[device], &graphs[device]), "cudaStreamEndCapture");
  }
  void instantiate(cudaGraphExec_t (&executables)[kDevices], cudaGraph_t (&graphs)[kDevices]) {
    for (int device = 0; device < kDevices; ++device)
      check(cudaGraphInstantiate(&executables[device], graphs[device], 0), "cudaGraphInstantiate");
  }
  void launch(cudaGraphExec_t (&executables)[kDevices], int device) {
    check(cudaGraphLaunch(executables[device], streams_[device]), "cudaGraphLaunch");
  }
  template <class Work>
  void capture(cudaGraph_t (&graphs)[kDevices], Work&& work) {
    start_capture();
    work();
    end_capture(graphs);
  }
  void multiply_all() {
    for (int device = 0; device < kDevices; ++device) multiply(device);
  }
  cudaGraphNode_t add_child(cudaGraph_t graph, cudaGraph_t child, const cudaGraphNode_t* after = nullptr) {
    cudaGraphNode_t node;
    check(cudaGraphAddChildGraphNode(&node, graph, after, after != nullptr, child), "cudaGraphAddChildGraphNode");
    return node;
  }
  // Puts the multiplications and two reductions, as graphs of their own, beside what `graphs` hold.
  void nest(cudaGraph_t (&graphs)[kDevices]) {
    cudaGraph_t products[kDevices], reduction[kDevices];
    capture(products, [&] { multiply_all(); });
    capture(reduction, [&] { reduce(); });
    for (int device = 0; device < kDevices; ++device) {
      const cudaGraphNode_t last = last_node(graphs[device]);
      add_child(graphs[device], products[device]);
      const cudaGraphNode_t first = add_child(graphs[device], reduction[device], &last);
      add_child(graphs[device], reduction[device], &first);
    }
  }
  // Puts a conditional node, in whose body is a reduction, behind what `graphs` hold.
  void add_condition(cudaGraph_t (&graphs)[kDevices]) {
    cudaGraph_t reduction[kDevices];
    capture(reduction, [&] { reduce(); });
    for (int device = 0; device < kDevices; ++device) {
      cudaGraphNodeParams node = {};
      node.type = cudaGraphNodeTypeConditional;
      node.conditional.type = cudaGraphCondTypeIf;
      node.conditional.size = 1;
      check(cudaGraphConditionalHandleCreate(&node.conditional.handle, graphs[device], 1, cudaGraphCondAssignDefault),
            "cudaGraphConditionalHandleCreate");
      cudaGraphNode_t added;
      const cudaGraphNode_t last = last_node(graphs[device]);
      check(cudaGraphAddNode(&added, graphs[device], &last, nullptr, 1, &node), "cudaGraphAddNode");
      add_child(node.conditional.phGraph_out[0], reduction[device]);
    }
  }
  void run(const std::string& way) {
    cudaGraphExec_t executables[kDevices] = {};
    if (way != "eager") {
      cudaGraph_t graphs[kDevices], products[kDevices];
      cudaGraphExec_t inner[kDevices] = {};
      if (way == "captured") {
        capture(products, [&] { multiply_all(); });
        instantiate(inner, products);
      }
      capture(graphs, [&] {
        for (int device = 0; device < kDevices; ++device) {
          if (way == "captured")
            launch(inner, device);
          else if (way != "nested")
            multiply(device);
          if (way != "compute") clear_and_copy(device);
        }
        if (way != "compute") reduce();
      });
      if (way == "nested") nest(graphs);
      if (way == "condition") add_condition(graphs);
      instantiate(executables, graphs);
    }
    for (int step = 0; step < kSteps; ++step) {
      if (way == "eager") work();
      for (int device = 0; device < kDevices && way != "eager"; ++device) launch(executables, device);
      for (cudaStream_t stream : streams_) check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
      check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");  // the marker of the steps
    }
  }

 private:
  ncclComm_t comms_[kDevices];
  cudaStream_t streams_[kDevices];
  float* memory_[kDevices];
  cublasHandle_t handles_[kDevices];
};

}  // namespace

int main(int count, char** arguments) {
  Job job;
  job.run(count > 1 ? arguments[1] : "eager");
  return 0;
}
