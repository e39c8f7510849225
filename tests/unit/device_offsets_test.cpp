// Clock offsets between the devices of one host.
#include "align/device_offsets.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

// All-pairs collectives among ranks that share a clock.
class Devices {
 public:
  explicit Devices(uint32_t ranks) : clocks_(ranks, 0) {}

  void all_reduce(const std::vector<Interval>& spans) {
    evidence_.events.push_back({0, static_cast<uint32_t>(evidence_.witnesses.size()), Ends::kCommon});
    for (uint32_t rank = 0; rank < spans.size(); ++rank)
      evidence_.witnesses.push_back({rank, spans[rank].start, spans[rank].end, true, true});
  }
  void message(uint32_t source, Interval sent, uint32_t destination, Interval received) {
    evidence_.events.push_back({0, static_cast<uint32_t>(evidence_.witnesses.size()), Ends::kApart});
    evidence_.witnesses.push_back({source, sent.start, sent.end, true, false});
    evidence_.witnesses.push_back({destination, received.start, received.end, false, true});
  }
  std::vector<DeviceOffset> offsets() const { return find_device_offsets(clocks_, evidence_); }
  std::vector<uint32_t>& clocks() { return clocks_; }

 private:
  std::vector<uint32_t> clocks_;
  ClockEvidence evidence_;
};

TEST(DeviceOffsets, MatchTheHeadersExample) {
  Devices devices(2);
  devices.all_reduce({{100, 160}, {180, 240}});
  devices.all_reduce({{300, 390}, {310, 400}});
  const DeviceOffset second = devices.offsets()[1];
  ASSERT_TRUE(second.limits);
  EXPECT_EQ(second.limits->middle, -60);
  EXPECT_EQ(second.limits->bound, 40);
  EXPECT_EQ(second.used, -20);
}

TEST(DeviceOffsets, LeaveConsistentTimesAlone) {
  Devices devices(3);
  devices.all_reduce({{100, 160}, {120, 161}, {110, 159}});
  for (const DeviceOffset& device : devices.offsets()) EXPECT_EQ(device.used, 0);
  EXPECT_FALSE(devices.offsets()[0].limits) << "the first device is the reference";
}

TEST(DeviceOffsets, MoveTheDeviceThatContradictsTheOthers) {
  Devices devices(4);
  devices.all_reduce({{100, 160}, {100, 160}, {200, 260}, {100, 160}});
  const std::vector<DeviceOffset> offsets = devices.offsets();
  EXPECT_EQ(offsets[2].used, -40);
  EXPECT_EQ(offsets[1].used, 0);
  EXPECT_EQ(offsets[3].used, 0);
}

TEST(DeviceOffsets, DropTheRecordThatContradictsMany) {
  Devices devices(2);
  for (Nanoseconds at : {0, 1000, 2000}) devices.all_reduce({{at, at + 50}, {at, at + 50}});
  devices.all_reduce({{3000, 3050}, {3500, 3550}});
  EXPECT_EQ(devices.offsets()[1].used, 0);
  EXPECT_EQ(devices.offsets()[1].limits->bound, 50);
}

TEST(DeviceOffsets, AreBoundedOnOneSideByOneWayMessages) {
  Devices devices(2);
  devices.message(0, {100, 120}, 1, {90, 95});  // received before it was sent
  EXPECT_EQ(devices.offsets()[1].used, 5);
  EXPECT_FALSE(devices.offsets()[1].limits);
}

TEST(DeviceOffsets, CompareOnlyRanksThatShareAClock) {
  Devices devices(2);
  devices.clocks()[1] = 1;
  devices.all_reduce({{100, 160}, {200, 260}});
  EXPECT_EQ(devices.offsets()[1].used, 0);
  EXPECT_FALSE(devices.offsets()[1].limits);
}

}  // namespace
}  // namespace tauprof
