// Canned activity buffers: the rows that the log gets, and the numbers of their calls.
#include "capture/device/activity_rows.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "capture/device/cupti_records.h"
#include "format/scratch_file.h"
#include "read/log_reader.h"

namespace tauprof::capture {
namespace {

namespace records = cupti_records;

constexpr uint32_t kThread = 77;
constexpr uint64_t kSecond = 1'000'000'000;

// A buffer of records, each after its size. Only the function that steps through them knows that.
std::vector<uint8_t> g_buffer;

CUptiResult CUPTIAPI next_record(uint8_t* buffer, size_t valid, CUpti_Activity** record) {
  size_t at = 0;
  if (*record != nullptr) {
    at = static_cast<size_t>(reinterpret_cast<uint8_t*>(*record) - buffer) - sizeof(uint64_t);
    uint64_t size;
    memcpy(&size, buffer + at, sizeof size);
    at += sizeof size + size;
  }
  if (at >= valid) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = reinterpret_cast<CUpti_Activity*>(buffer + at + sizeof(uint64_t));
  return CUPTI_SUCCESS;
}

class ActivityRowsTest : public testing::Test {
 protected:
  void SetUp() override {
    cupti_.cuptiActivityGetNextRecord = next_record;
    ASSERT_TRUE(writer_.open(file_.vacate().c_str(), {}));
    init(4 << 20);
  }
  void init(size_t bytes) {
    memory_.assign(bytes / 8, 0);
    rows_.init(memory_.data(), bytes);
  }

  template <class Record>
  void add(const Record& record) {
    const uint64_t size = sizeof record + 16;  // 16 bytes as later versions append, which must be skipped
    const size_t at = g_buffer.size();
    g_buffer.resize(at + sizeof size + size);
    memcpy(g_buffer.data() + at, &size, sizeof size);
    memcpy(g_buffer.data() + at + sizeof size, &record, sizeof record);
  }
  void add_kernel(uint32_t correlation, uint64_t start, uint64_t end) {
    records::Kernel kernel{};
    kernel.kind = records::kConcurrentKernel;
    kernel.correlation = correlation;
    kernel.start = start;
    kernel.end = end;
    kernel.device = 1;
    kernel.context = 3;
    kernel.stream = 13;
    kernel.name = "adam";
    kernel.grid[0] = 40;
    kernel.static_shared_memory = 1000;
    kernel.dynamic_shared_memory = 24;
    add(kernel);
  }
  void add_launch(uint32_t correlation, uint64_t start, uint64_t end) {
    records::ApiCall call{};
    call.kind = records::kRuntime;
    call.correlation = correlation;
    call.start = start;
    call.end = end;
    call.thread = kThread;
    add(call);
  }
  void add_call(uint64_t number, uint64_t start, uint64_t end) { rows_.add_call({number, start, end, kThread, 0, 0}); }
  void take_buffer() {
    for (bool first : {true, false})
      rows_.take_buffer(cupti_, writer_, g_buffer.data(), g_buffer.size(), Forced::kNot, first);
    g_buffer.clear();
  }

  template <class Record>
  std::vector<Record> written() {
    writer_.flush();
    std::unique_ptr<LogReader> reader;
    EXPECT_TRUE(LogReader::open(file_.path(), reader).is_ok());
    std::vector<Record> found;
    RecordBlock block;
    while (reader->next(block)) {
      if (block.kind() != Record::kKind) continue;
      for (uint32_t row = 0; row < block.records(); ++row) {
        Record& record = found.emplace_back();
        for (uint16_t column = 0; column < log::kColumnCount<Record>; ++column)
          reinterpret_cast<int64_t*>(&record)[column] = block.column(column)[row];
      }
    }
    return found;
  }
  std::vector<int64_t> correlations() {
    std::vector<int64_t> all;
    for (const log::DeviceActivity& row : written<log::DeviceActivity>()) all.push_back(row.correlation);
    return all;
  }

  ScratchFile file_;
  log::Writer writer_;
  CuptiLibrary cupti_;
  std::vector<uint64_t> memory_;
  ActivityRows rows_;
};

using Numbers = std::vector<int64_t>;

TEST_F(ActivityRowsTest, JoinsAKernelToTheCallAroundItsLaunch) {
  add_call(1000, 100, 200);
  add_kernel(5, 5000, 6000);
  add_launch(5, 120, 180);  // comes after the work that it submitted
  take_buffer();
  const auto rows = written<log::DeviceActivity>();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].correlation, 1000);
  EXPECT_EQ(rows[0].activity, static_cast<int64_t>(log::ActivityKind::kKernel));
  EXPECT_EQ(rows[0].start, 5000);
  EXPECT_EQ(rows[0].duration, 1000);
  EXPECT_EQ(rows[0].device, 1);
  EXPECT_EQ(rows[0].stream, 13);
  EXPECT_EQ(rows[0].grid_x, 40);
  EXPECT_EQ(rows[0].shared_memory, 1024);
  EXPECT_EQ(rows_.context_of(1), 3u);
}

TEST_F(ActivityRowsTest, JoinsTwoKernelsToOneLibraryCall) {
  add_call(1000, 100, 900);
  add_kernel(5, 5000, 6000);
  add_launch(5, 120, 180);
  add_kernel(6, 6000, 7000);
  add_launch(6, 300, 400);
  take_buffer();
  EXPECT_EQ(correlations(), (Numbers{1000, 1000}));
}

TEST_F(ActivityRowsTest, WaitsForTheCallToReturn) {
  add_kernel(5, 5000, 6000);
  add_launch(5, 120, 180);
  take_buffer();
  rows_.settle(writer_, false);
  EXPECT_EQ(correlations(), Numbers{});
  add_call(1000, 100, 9000);
  rows_.settle(writer_, false);
  EXPECT_EQ(correlations(), Numbers{1000});
}

TEST_F(ActivityRowsTest, WaitsForALaunchInALaterBuffer) {
  add_call(1000, 100, 200);
  add_kernel(5, 5000, 6000);
  take_buffer();
  EXPECT_EQ(correlations(), Numbers{});
  add_launch(5, 120, 180);
  take_buffer();
  rows_.settle(writer_, false);
  EXPECT_EQ(correlations(), Numbers{1000});
}

TEST_F(ActivityRowsTest, KeepsCuptisIdOfWorkLaunchedOutsideOurCalls) {
  add_call(1000, 100, 200);
  add_call(1001, 300, 400);
  add_kernel(5, 5000, 6000);
  add_launch(5, 220, 280);
  take_buffer();
  EXPECT_EQ(correlations(), Numbers{5});
}

TEST_F(ActivityRowsTest, WritesALinkIfTheCallComesTooLate) {
  rows_.set_clock(kSecond);
  add_kernel(5, 5000, 6000);
  add_launch(5, 120, 180);
  take_buffer();
  rows_.set_clock(3 * kSecond);
  rows_.settle(writer_, false);
  EXPECT_EQ(correlations(), Numbers{5});
  EXPECT_TRUE(written<log::Link>().empty());
  add_call(1000, 100, 4 * kSecond);
  rows_.settle(writer_, false);
  const auto links = written<log::Link>();
  ASSERT_EQ(links.size(), 1u);
  EXPECT_EQ(links[0].correlation, 5);
  EXPECT_EQ(links[0].owner, 1000);
}

TEST_F(ActivityRowsTest, WritesWaitingRowsAtTheEnd) {
  add_kernel(5, 5000, 6000);
  take_buffer();
  rows_.settle(writer_, true);
  EXPECT_EQ(correlations(), Numbers{5});
}

// Launches that follow fast take the place of the one whose row waits for a call that never comes.
TEST_F(ActivityRowsTest, LeavesOutWhatWasLaunchedOutsideHoweverManyLaunchesFollow) {
  rows_.leave_out([](uint64_t time) { return time > 1000; }, false);
  add_launch(5, 1100, 1200);
  add_kernel(5, 1300, 1400);
  take_buffer();
  for (uint32_t other = 6; other < 200'000; ++other) add_launch(other, 2000 + other, 2010 + other);
  take_buffer();
  rows_.settle(writer_, true);
  EXPECT_EQ(correlations(), std::vector<int64_t>{});
  EXPECT_EQ(rows_.left_out(), 1u);
}

// CUPTI tells of a launch when its call returns, and may be off by then.
TEST_F(ActivityRowsTest, LeavesOutWhatStartsOutsideAndHasNoKnownLaunch) {
  rows_.leave_out([](uint64_t time) { return time > 1000; }, false);
  add_kernel(5, 1300, 1400);
  add_kernel(6, 900, 950);
  take_buffer();
  rows_.settle(writer_, true);
  EXPECT_EQ(correlations(), Numbers{6});
  EXPECT_EQ(rows_.left_out(), 1u);
}

// CUPTI is on for longer than device times are wanted: of what it tells, each launch has its record or none.
TEST_F(ActivityRowsTest, KeepsWorkThatWasLaunchedWhileTimesWereTaken) {
  rows_.keep_timed([](uint64_t time) { return time < 1000; });
  for (const uint64_t start : {100u, 900u, 1100u}) add_call(start, start, start + 20);
  add_launch(5, 905, 910);
  add_kernel(5, 5000, 6000);
  add_launch(6, 1105, 1110);
  add_kernel(6, 6000, 7000);
  add_kernel(7, 500, 600);  // of an unknown launch
  add_kernel(8, 7000, 8000);
  take_buffer();
  rows_.settle(writer_, true);
  EXPECT_EQ(correlations(), (Numbers{900, 7}));
  EXPECT_EQ(rows_.left_out(), 2u);
}

TEST_F(ActivityRowsTest, CountsUnfinishedWork) {
  add_kernel(5, 0, 0);
  take_buffer();
  rows_.settle(writer_, true);
  EXPECT_EQ(correlations(), Numbers{});
  EXPECT_EQ(rows_.take_without_times(Forced::kNot), 1u);
  EXPECT_EQ(rows_.take_without_times(Forced::kNot), 0u);
  add_kernel(6, UINT64_MAX, 0);
  take_buffer();
  rows_.settle(writer_, true);
  EXPECT_EQ(correlations(), Numbers{});
  EXPECT_EQ(rows_.take_without_times(Forced::kNot), 1u);
}

TEST_F(ActivityRowsTest, LosesCallsButNoRowsWhenMemoryIsShort) {
  init(64 << 10);
  for (uint32_t i = 1; i <= 2000; ++i) add_kernel(i, i * 1000, i * 1000 + 500);
  take_buffer();
  rows_.settle(writer_, true);
  EXPECT_EQ(correlations().size(), 2000u);
}

TEST_F(ActivityRowsTest, WritesCopiesGraphsAndSynchronizations) {
  add_call(1000, 100, 200);
  records::Memcpy copy{};
  copy.kind = records::kMemcpy;
  copy.copy_kind = 2;
  copy.bytes = 4096;
  copy.start = 10;
  copy.end = 20;
  copy.correlation = 5;
  copy.device = 1;
  copy.context = 3;
  add(copy);
  records::PeerMemcpy peer{};
  peer.kind = records::kPeerMemcpy;
  peer.bytes = 8192;
  peer.start = 20;
  peer.end = 30;
  peer.correlation = 5;
  peer.destination_device = 2;
  add(peer);
  records::GraphTrace graph{};
  graph.kind = records::kGraphTrace;
  graph.graph = 9;
  graph.start = 30;
  graph.end = 40;
  graph.correlation = 5;
  add(graph);
  records::Synchronization wait{};
  wait.kind = records::kSynchronization;
  wait.type = 2;
  wait.context = 3;
  wait.stream = 14;
  wait.start = 40;
  wait.end = 41;
  wait.correlation = 5;
  add(wait);
  add_launch(5, 120, 180);
  take_buffer();
  const auto rows = written<log::DeviceActivity>();
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].copy_kind, static_cast<int64_t>(log::CopyKind::kDeviceToHost));
  EXPECT_EQ(rows[0].bytes, 4096);
  EXPECT_EQ(rows[1].copy_kind, static_cast<int64_t>(log::CopyKind::kPeerToPeer));
  EXPECT_EQ(rows[1].peer_device, 2);
  EXPECT_EQ(rows[2].activity, static_cast<int64_t>(log::ActivityKind::kGraph));
  EXPECT_EQ(rows[2].graph, 9);
  EXPECT_EQ(rows[3].activity, static_cast<int64_t>(log::ActivityKind::kSynchronization));
  EXPECT_EQ(rows[3].device, 1);  // the context's
  EXPECT_EQ(rows[3].stream, 14);
  EXPECT_EQ(correlations(), (Numbers{1000, 1000, 1000, 1000}));
}

}  // namespace
}  // namespace tauprof::capture
