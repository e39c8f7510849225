// Objects that graphs keep alive. Runtime, cudaUserObjectCreate and cudaGraphRetainUserObject.
#include <atomic>
#include <thread>

#include "device_objects.h"

namespace conformance {
namespace {

class UserObject : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_CUDA(cudaUserObjectCreate(&object_, &destroyed_, note_destruction, 1, cudaUserObjectNoDestructorSync));
    ASSERT_CUDA(cudaGraphCreate(&graph_, 0));
  }

  // "Destructor may run … asynchronously": a graph's references may be released some time after its destruction.
  bool is_destroyed_soon() const {
    for (int i = 0; i < 200 && destroyed_ == 0; ++i) std::this_thread::sleep_for(10ms);
    return destroyed_ == 1;
  }

  cudaUserObject_t object_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  std::atomic<int> destroyed_{0};

 private:
  static void CUDART_CB note_destruction(void* counter) { ++*static_cast<std::atomic<int>*>(counter); }
};

TEST_F(UserObject, DiesWithItsLastReference) {
  EXPECT_CUDA(cudaUserObjectRetain(object_, 2));
  EXPECT_CUDA(cudaUserObjectRelease(object_, 2));
  EXPECT_EQ(0, destroyed_);
  EXPECT_CUDA(cudaUserObjectRelease(object_, 1));
  EXPECT_TRUE(is_destroyed_soon());
  EXPECT_CUDA(cudaGraphDestroy(graph_));
}

// cudaGraphUserObjectMove: "Transfer references from the caller rather than creating new references."
TEST_F(UserObject, AGraphKeepsWhatWasMovedToIt) {
  EXPECT_CUDA(cudaGraphRetainUserObject(graph_, object_, 1, cudaGraphUserObjectMove));
  EXPECT_EQ(0, destroyed_);
  EXPECT_CUDA(cudaGraphDestroy(graph_));
  EXPECT_TRUE(is_destroyed_soon());
}

TEST_F(UserObject, AnExecutableGraphKeepsItToo) {
  cudaGraphExec_t executable = nullptr;
  EXPECT_CUDA(cudaGraphRetainUserObject(graph_, object_, 1, cudaGraphUserObjectMove));
  ASSERT_CUDA(cudaGraphInstantiate(&executable, graph_, 0));
  EXPECT_CUDA(cudaGraphDestroy(graph_));
  std::this_thread::sleep_for(kShort);
  EXPECT_EQ(0, destroyed_);
  EXPECT_CUDA(cudaGraphExecDestroy(executable));
  EXPECT_TRUE(is_destroyed_soon());
}

TEST_F(UserObject, AGraphGivesBackWhatItHolds) {
  EXPECT_CUDA(cudaGraphRetainUserObject(graph_, object_, 2, 0));
  EXPECT_CUDA(cudaUserObjectRelease(object_, 1));
  EXPECT_EQ(0, destroyed_);
  EXPECT_CUDA(cudaGraphReleaseUserObject(graph_, object_, 2));
  EXPECT_TRUE(is_destroyed_soon());
  EXPECT_CUDA(cudaGraphDestroy(graph_));
}

}  // namespace
}  // namespace conformance
