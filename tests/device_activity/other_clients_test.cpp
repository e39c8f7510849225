#include "capture/device/other_clients.h"

#include <gtest/gtest.h>

namespace tauprof::capture {
namespace {

constexpr uint64_t kSecond = OtherClients::kQuietNs;

class OtherClientsTest : public testing::Test {
 protected:
  void call(std::initializer_list<const char*> functions, uint64_t at = kSecond) {
    for (const char* function : functions) clients_.calls(function, at);
  }
  bool are_done(uint64_t now) const { return clients_.are_done(now); }
  OtherClients clients_;
};

TEST_F(OtherClientsTest, AreDoneWhenAllIsDisabledAndFlushedAndQuiet) {
  call({"cuptiActivityEnable", "cuptiActivityEnable", "cuptiActivityDisable", "cuptiActivityFlushAll"});
  EXPECT_FALSE(are_done(9 * kSecond));
  call({"cuptiActivityDisable"});
  EXPECT_FALSE(are_done(9 * kSecond));
  call({"cuptiActivityFlushAll"});
  EXPECT_FALSE(are_done(2 * kSecond - 1));
  EXPECT_TRUE(are_done(2 * kSecond));
}

TEST_F(OtherClientsTest, SelectedCallsAreNoKinds) {
  call({"cuptiActivityEnableRuntimeApi", "cuptiActivityFlushAll"});
  EXPECT_TRUE(are_done(2 * kSecond));
}

TEST_F(OtherClientsTest, WhoWasFirstIsNeverDoneUnlessItFinalizes) {
  clients_.was_first();
  call({"cuptiActivityDisable", "cuptiActivityFlushAll"});
  EXPECT_FALSE(are_done(9 * kSecond));
  call({"cuptiFinalize"});
  EXPECT_TRUE(are_done(9 * kSecond));
}

TEST_F(OtherClientsTest, TheLastSubscriberThatLeavesIsDoneAtOnce) {
  call({"cuptiSubscribe_v2", "cuptiSubscribe_v2"});
  clients_.subscribed(true);
  clients_.subscribed(true);
  EXPECT_FALSE(clients_.unsubscribed());
  EXPECT_FALSE(are_done(9 * kSecond));
  EXPECT_TRUE(clients_.unsubscribed());
  EXPECT_TRUE(are_done(kSecond));
}

TEST_F(OtherClientsTest, ARefusedSubscriberIsDoneAtOnce) {
  call({"cuptiSubscribe_v2"});
  clients_.subscribed(false);
  EXPECT_TRUE(are_done(kSecond));
}

// A subscription without functions of its own, to callbacks.
TEST_F(OtherClientsTest, AnotherSubscriptionThatEndsIsNotTheLast) {
  call({"cuptiSubscribe", "cuptiUnsubscribe"});
  EXPECT_FALSE(clients_.unsubscribed());
}

}  // namespace
}  // namespace tauprof::capture
