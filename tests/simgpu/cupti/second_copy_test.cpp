// Seen on an H100, not documented: the copy of CUPTI whose function is called first is the process's. Calls of another
// copy fail.
#include <dlfcn.h>

#include <filesystem>

#include "cupti_client.h"

namespace {

// Loads a copy of the libcupti that this program is linked with.
void* load_copy() {
  Dl_info info{};
  if (dladdr(dlsym(RTLD_DEFAULT, "cuptiSubscribe"), &info) == 0) return nullptr;
  const std::filesystem::path folder = testing::TempDir() + "cupti-copy-" + std::to_string(getpid());
  std::filesystem::create_directory(folder);
  std::filesystem::copy_file(info.dli_fname, folder / "libcupti.so");
  void* const copy = dlopen((folder / "libcupti.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  std::filesystem::remove_all(folder);
  return copy;
}

CUptiResult subscribe_with(decltype(&cuptiSubscribe) subscribe) {
  CUpti_SubscriberHandle subscriber = nullptr;
  return subscribe(
      &subscriber, [](void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {}, nullptr);
}

class SecondCopy : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

// Exits with the result of the later call: of the copy, or, if the copy came first, of the program's own.
[[noreturn]] void call_both(bool copy_first) {
  void* const copy = load_copy();
  if (copy == nullptr) std::_Exit(100);
  const auto of_copy = reinterpret_cast<decltype(&cuptiSubscribe)>(dlsym(copy, "cuptiSubscribe"));
  if (of_copy == nullptr || of_copy == &cuptiSubscribe) std::_Exit(101);
  if (subscribe_with(copy_first ? of_copy : &cuptiSubscribe) != CUPTI_SUCCESS) std::_Exit(102);
  std::_Exit(subscribe_with(copy_first ? &cuptiSubscribe : of_copy));
}

}  // namespace

TEST_F(SecondCopy, IsRefusedAfterTheFirstsFirstCall) {
  EXPECT_EXIT(call_both(false), testing::ExitedWithCode(CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED), "");
}

TEST_F(SecondCopy, IsTheOneInUseIfItIsCalledFirst) {
  EXPECT_EXIT(call_both(true), testing::ExitedWithCode(CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED), "");
}
