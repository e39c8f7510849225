// The driver's answers about the nodes of a graph.
#include <cstring>
#include <vector>

#include "driver_objects.h"

namespace driver_test {
namespace {

class GraphNodesTest : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    ASSERT_EQ(cudaSuccess, cudaGraphCreate(&graph_, 0));
    ASSERT_EQ(cudaSuccess, cudaMalloc(&memory_, 4096));
  }
  void TearDown() override {
    EXPECT_EQ(cudaSuccess, cudaFree(memory_));
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph_));
    DriverTest::TearDown();
  }
  cudaGraphNode_t add_fill() {
    cudaMemsetParams fill = {};
    fill.dst = memory_;
    fill.elementSize = 4;
    fill.width = 256;
    fill.height = 1;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemsetNode(&node, graph_, nullptr, 0, &fill));
    return node;
  }
  cudaGraphNode_t add_copy() {
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemcpyNode1D(&node, graph_, nullptr, 0, memory_, host_, sizeof host_,
                                                    cudaMemcpyHostToDevice));
    return node;
  }

  cudaGraph_t graph_ = nullptr;
  void* memory_ = nullptr;
  char host_[512] = {};
};

// cuGraphGetNodes: "nodes may be NULL, in which case this function will return the number of nodes in numNodes. …
// If numNodes is higher than the actual number of nodes, the remaining entries in nodes will be set to NULL".
TEST_F(GraphNodesTest, AreListed) {
  add_fill();
  add_copy();
  size_t count = 0;
  ASSERT_CU(cuGraphGetNodes(graph_, nullptr, &count));
  EXPECT_EQ(count, 2u);
  std::vector<CUgraphNode> nodes(3, reinterpret_cast<CUgraphNode>(this));
  count = nodes.size();
  ASSERT_CU(cuGraphGetNodes(graph_, nodes.data(), &count));
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(nodes[2], nullptr);
}

// cuGraphNodeGetType: "Returns the node type of hNode in type."
TEST_F(GraphNodesTest, HaveTypesAndSizes) {
  const cudaGraphNode_t fill = add_fill(), copy = add_copy();
  CUgraphNodeType type;
  ASSERT_CU(cuGraphNodeGetType(fill, &type));
  EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_MEMSET);
  ASSERT_CU(cuGraphNodeGetType(copy, &type));
  EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_MEMCPY);
  CUDA_MEMSET_NODE_PARAMS filled;
  ASSERT_CU(cuGraphMemsetNodeGetParams(fill, &filled));
  EXPECT_EQ(filled.elementSize * filled.width * filled.height, 1024u);
  CUDA_MEMCPY3D copied;
  ASSERT_CU(cuGraphMemcpyNodeGetParams(copy, &copied));
  EXPECT_EQ(copied.WidthInBytes * copied.Height * copied.Depth, sizeof host_);
  EXPECT_EQ(cuGraphMemsetNodeGetParams(copy, &filled), CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace driver_test
