// Which of a log's losses are calls.
#include <gtest/gtest.h>

#include <cstring>

#include "format/scratch_file.h"
#include "log/writer.h"
#include "read/load_process.h"

namespace tauprof {
namespace {

bool has_all_calls(log::RecordKind dropped) {
  ScratchFile file;
  log::Writer writer;
  EXPECT_TRUE(writer.open(file.vacate().c_str(), {}));
  constexpr char kReason[] = "a reason";
  writer.append(log::Drop{100, static_cast<int64_t>(dropped), 3, writer.intern(kReason, strlen(kReason))});
  writer.close(200, "exit");
  ProcessTrace trace;
  EXPECT_TRUE(load_process(file.path(), trace).is_ok());
  EXPECT_EQ(trace.quality.dropped, (std::map<std::string, uint64_t>{{kReason, 3}}));
  return trace.quality.has_all_calls();
}

TEST(DroppedCalls, DeviceWorkIsNone) {
  EXPECT_TRUE(has_all_calls(log::RecordKind::kDeviceActivity));
  EXPECT_FALSE(has_all_calls(log::RecordKind::kCall));
  EXPECT_FALSE(has_all_calls(log::RecordKind::kCollective));
  EXPECT_FALSE(has_all_calls(log::RecordKind::kNone)) << "unknown";
}

}  // namespace
}  // namespace tauprof
