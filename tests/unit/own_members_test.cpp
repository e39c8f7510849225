// Processes that hold several ranks.
#include "read/own_members.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

Communicator communicator(uint64_t identity, int32_t size, int32_t rank, int32_t device) {
  Communicator made;
  made.identity = identity;
  made.size = size;
  made.rank = rank;
  made.device = device;
  return made;
}

ProcessTrace process(const std::vector<Communicator>& communicators, int devices) {
  ProcessTrace trace;
  for (const Communicator& one : communicators)
    trace.communicators[static_cast<int64_t>(trace.communicators.size()) + 1] = one;
  trace.devices.resize(devices);
  for (int device = 0; device < devices; ++device) trace.devices[device].device = device;
  return trace;
}

TEST(OwnMembers, MatchTheHeadersExample) {
  std::vector<Communicator> of_b;
  for (int device = 0; device < 4; ++device) of_b.push_back(communicator(7, 8, 4 + device, device));
  ProcessTrace trace = process(of_b, 4);
  assign_member_ranks(trace);
  for (const DeviceTrace& device : trace.devices) EXPECT_EQ(device.rank, 4 + device.device);
}

TEST(OwnMembers, TakeTheirNumbersFromTheLargestCommunicator) {
  ProcessTrace trace = process({communicator(7, 2, 1, 0), communicator(7, 2, 0, 1), communicator(8, 8, 6, 0),
                                communicator(8, 8, 7, 1), communicator(9, 64, 3, 1)},
                               2);
  assign_member_ranks(trace);
  EXPECT_EQ(trace.devices[0].rank, 6);
  EXPECT_EQ(trace.devices[1].rank, 7);
}

TEST(OwnMembers, AreOneRankWithOneMemberPerCommunicatorWhateverTheDevice) {
  ProcessTrace trace = process({communicator(7, 8, 5, 3), communicator(8, 2, 1, 3)}, 1);
  assign_member_ranks(trace);
  EXPECT_EQ(trace.devices[0].rank, -1);
  EXPECT_TRUE(trace.devices[0].has(trace.communicators[1]));
}

}  // namespace
}  // namespace tauprof
