// The graph interface: tensors, operations, a graph, an engine for it, a plan, its execution.
#include "cudnn_client.h"

namespace cudnn_test {
namespace {

constexpr int kEngineConfig = 3, kHeuristics = 4, kPlan = 5, kForward = 10, kPointwise = 13, kGraph = 15,
              kVariantPack = 16, kTensor = 17;                               // descriptors
constexpr int kHandleType = 0, kDataType = 1, kInt64 = 3, kDescriptor = 15;  // of attributes
constexpr int kHalf = 2;

class Descriptor {
 public:
  explicit Descriptor(int type) { EXPECT_EQ(cudnnBackendCreateDescriptor(type, &pointer_), kSuccess); }
  ~Descriptor() { EXPECT_EQ(cudnnBackendDestroyDescriptor(pointer_), kSuccess); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  void set(int name, const Descriptor& value) {
    EXPECT_EQ(cudnnBackendSetAttribute(pointer_, name, kDescriptor, 1, &value.pointer_), kSuccess);
  }
  void set(int name, const std::vector<std::int64_t>& values) {
    const auto count = static_cast<std::int64_t>(values.size());
    EXPECT_EQ(cudnnBackendSetAttribute(pointer_, name, kInt64, count, values.data()), kSuccess);
  }
  void set(int name, int type, const void* value) {
    EXPECT_EQ(cudnnBackendSetAttribute(pointer_, name, type, 1, value), kSuccess);
  }
  int finish() { return cudnnBackendFinalize(pointer_); }
  void* pointer() const { return pointer_; }

 private:
  void* pointer_ = nullptr;
};

class GraphTest : public CudnnTest {
 protected:
  static void describe(Descriptor* tensor, const std::vector<std::int64_t>& dimensions) {
    tensor->set(901, kDataType, &kHalf);
    tensor->set(902, dimensions);
    EXPECT_EQ(tensor->finish(), kSuccess);
  }

  // A 3×3 convolution of `images` pictures of 64 channels and 32 × 32 pixels with 64 filters.
  float convolve(std::int64_t images) {
    Descriptor x(kTensor), w(kTensor), y(kTensor), operation(kForward), graph(kGraph);
    describe(&x, {images, 64, 32, 32});
    describe(&w, {64, 64, 3, 3});
    describe(&y, {images, 64, 32, 32});
    operation.set(704, x);
    operation.set(703, w);
    operation.set(705, y);
    EXPECT_EQ(operation.finish(), kSuccess);
    graph.set(801, operation);
    EXPECT_EQ(graph.finish(), kSuccess);
    return run(graph);
  }

  float run(const Descriptor& graph) {
    Descriptor heuristics(kHeuristics), config(kEngineConfig), plan(kPlan), pack(kVariantPack);
    heuristics.set(201, graph);
    EXPECT_EQ(heuristics.finish(), kSuccess);
    std::int64_t count = 0;
    void* results[] = {config.pointer()};
    EXPECT_EQ(cudnnBackendGetAttribute(heuristics.pointer(), 202, kDescriptor, 1, &count, results), kSuccess);
    EXPECT_EQ(count, 1);
    plan.set(400, kHandleType, &handle_);
    plan.set(401, config);
    EXPECT_EQ(plan.finish(), kSuccess);
    std::int64_t workspace = -1;
    EXPECT_EQ(cudnnBackendGetAttribute(plan.pointer(), 402, kInt64, 1, &count, &workspace), kSuccess);
    EXPECT_GE(workspace, 0);
    EXPECT_EQ(pack.finish(), kSuccess);
    return milliseconds([&] { EXPECT_EQ(cudnnBackendExecute(handle_, plan.pointer(), pack.pointer()), kSuccess); });
  }
};

TEST_F(GraphTest, TwiceTheWorkTakesTwiceTheTime) {
  const float once = convolve(512), twice = convolve(1024);
  EXPECT_GT(once, 0);
  EXPECT_NEAR(2, twice / once, 0.3);
}

// "CUDNN_STATUS_NOT_SUPPORTED" where no engine can run a graph.
TEST_F(GraphTest, AGraphThatNoEngineRunsIsRefused) {
  Descriptor operation(kPointwise), graph(kGraph), heuristics(kHeuristics);
  EXPECT_EQ(operation.finish(), kSuccess);
  graph.set(801, operation);
  EXPECT_EQ(graph.finish(), kSuccess);
  heuristics.set(201, graph);
  EXPECT_EQ(heuristics.finish(), kNotSupported);
}

// A descriptor may be destroyed before the descriptors that name it.
TEST_F(GraphTest, AGraphKeepsWhatItIsMadeOf) {
  Descriptor graph(kGraph);
  {
    Descriptor x(kTensor), w(kTensor), y(kTensor), operation(kForward);
    describe(&x, {8, 64, 32, 32});
    describe(&w, {64, 64, 3, 3});
    describe(&y, {8, 64, 32, 32});
    operation.set(704, x);
    operation.set(703, w);
    operation.set(705, y);
    EXPECT_EQ(operation.finish(), kSuccess);
    graph.set(801, operation);
  }
  EXPECT_EQ(graph.finish(), kSuccess);
  EXPECT_GT(run(graph), 0);
}

TEST_F(GraphTest, AnUnfinishedDescriptorTellsNothing) {
  Descriptor tensor(kTensor);
  std::int64_t count = 0;
  int type = 0;
  EXPECT_NE(cudnnBackendGetAttribute(tensor.pointer(), 901, kDataType, 1, &count, &type), kSuccess);
  describe(&tensor, {1, 2});
  EXPECT_EQ(cudnnBackendGetAttribute(tensor.pointer(), 901, kDataType, 1, &count, &type), kSuccess);
  EXPECT_EQ(type, kHalf);
  EXPECT_NE(cudnnBackendSetAttribute(tensor.pointer(), 901, kDataType, 1, &kHalf), kSuccess);
}

}  // namespace
}  // namespace cudnn_test
