// The records that events become, as old and new profilers spell the events.
#include <algorithm>

#include "import/imported_log.h"

namespace tauprof::kineto {
namespace {

using RecordsTest = ImportTest;

TEST_F(RecordsTest, KernelsKeepAllThatTheProfilerKnew) {
  const ImportedLog log =
      import(trace_of(R"json({"ph": "X", "cat": "kernel", "name": "k\u0031<int>", "pid": 1, "tid": 7,
    "ts": 100.5, "dur": 2.25, "args": {"External id": 3, "device": 1, "context": 2, "stream": 7, "correlation": 99,
    "registers per thread": 16, "shared memory": 4096, "grid": [512, 2, 3], "block": [128, 1, 4],
    "graph id": 5, "graph node id": 6}})json"));
  const auto spans = log.records<log::DeviceActivity>();
  ASSERT_EQ(spans.size(), 1u);
  const log::DeviceActivity& span = spans[0];
  EXPECT_EQ(span.activity, static_cast<int64_t>(log::ActivityKind::kKernel));
  EXPECT_EQ(log.text(span.name), "k1<int>");
  EXPECT_EQ(span.start, 100500);
  EXPECT_EQ(span.duration, 2250);
  EXPECT_EQ(std::vector<int64_t>({span.device, span.context, span.stream, span.correlation}),
            std::vector<int64_t>({1, 2, 7, 99}));
  EXPECT_EQ(std::vector<int64_t>({span.registers, span.shared_memory, span.graph, span.graph_node}),
            std::vector<int64_t>({16, 4096, 5, 6}));
  EXPECT_EQ(std::vector<int64_t>({span.grid_x, span.grid_y, span.grid_z, span.block_x, span.block_y, span.block_z}),
            std::vector<int64_t>({512, 2, 3, 128, 1, 4}));
  EXPECT_EQ(log.records<log::Device>().size(), 1u);
  EXPECT_EQ(log.records<log::Device>()[0].device, 1);
}

TEST_F(RecordsTest, OldAndNewCategoriesAreTheSame) {
  std::string events;
  for (const char* category :
       {"kernel", "Kernel", "KERNEL", "gpu_memcpy", "Memcpy", "gpu_memset", "Memset", "cuda_sync", "cuda_runtime",
        "Runtime", "cuda_driver", "cpu_op", "Operator", "user_annotation", "python_function", "overhead",
        "gpu_user_annotation", "Trace", "mystery"})
    events += std::string(events.empty() ? "" : ",") + R"json({"ph": "X", "cat": ")json" + category +
              R"json(", "name": "work", "pid": 0, "tid": 1, "ts": 1, "dur": 1, "args": {}})json";
  const ImportedLog log = import(trace_of(events));
  EXPECT_EQ(imported(Imported::kKernel), 3u);
  EXPECT_EQ(imported(Imported::kCopy), 2u);
  EXPECT_EQ(imported(Imported::kMemset), 2u);
  EXPECT_EQ(imported(Imported::kSynchronization), 1u);
  EXPECT_EQ(imported(Imported::kCall), 3u);
  EXPECT_EQ(imported(Imported::kOperator), 2u);
  EXPECT_EQ(imported(Imported::kAnnotation), 1u);
  EXPECT_EQ(imported(Imported::kPython), 1u);
  EXPECT_EQ(imported(Imported::kOtherRange), 2u);
  EXPECT_EQ(skipped(Skipped::kGpuAnnotation), 1u);
  EXPECT_EQ(skipped(Skipped::kTraceSpan), 1u);
  const auto ranges = log.records<log::Range>();
  EXPECT_TRUE(std::any_of(ranges.begin(), ranges.end(),
                          [&](const log::Range& range) { return log.text(range.domain) == "mystery"; }));
}

TEST_F(RecordsTest, FieldsMayComeInAnyOrder) {
  const ImportedLog log = import(trace_of(R"json({"args": {"correlation": 5, "stream": 3, "bytes": 64, "device": 0},
    "dur": "1.5", "ts": "2", "tid": 3, "pid": 0, "name": "Memcpy HtoD (Pinned -> Device)", "cat": "gpu_memcpy",
    "ph": "X"})json"));
  const auto spans = log.records<log::DeviceActivity>();
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_EQ(spans[0].start, 2000);
  EXPECT_EQ(spans[0].duration, 1500);
  EXPECT_EQ(spans[0].bytes, 64);
  EXPECT_EQ(spans[0].copy_kind, static_cast<int64_t>(log::CopyKind::kHostToDevice));
  EXPECT_EQ(spans[0].host_memory, static_cast<int64_t>(log::HostMemory::kPinned));
}

TEST_F(RecordsTest, BeginAndEndMakeARange) {
  const auto half = [](const char* phase, const char* name, int ts) {
    return std::string(R"json({"ph": ")json") + phase + R"json(", "name": ")json" + name +
           R"json(", "cat": "user_annotation", "pid": 1, "tid": "a", "ts": )json" + std::to_string(ts) + "}";
  };
  const ImportedLog log =
      import(trace_of(half("E", "", 1) + "," + half("B", "outer", 2) + "," + half("B", "inner", 3) + "," +
                      half("E", "", 5) + "," + half("E", "", 9) + "," + half("B", "open", 10)));
  const auto ranges = log.records<log::Range>();
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(log.text(ranges[0].name), "inner");
  EXPECT_EQ(ranges[0].duration, 2000);
  EXPECT_EQ(log.text(ranges[1].name), "outer");
  EXPECT_EQ(ranges[1].duration, 7000);
  EXPECT_EQ(dropped(Dropped::kUnmatched), 2u);
}

TEST_F(RecordsTest, ThreadsHaveSmallNumbersAndNames) {
  const ImportedLog log = import(trace_of(
      R"json({"ph": "M", "name": "thread_name", "pid": 10, "tid": 11, "ts": 0, "args": {"name": "thread 11 (pt_autograd_0)"}},)json" +
      std::string(R"json({"ph": "X", "cat": "cpu_op", "name": "a", "pid": 10, "tid": 11, "ts": 1, "dur": 1},)json") +
      R"json({"ph": "X", "cat": "cuda_runtime", "name": "cudaFree", "pid": 10, "tid": 10, "ts": 1, "dur": 1, "args": {"correlation": 4}},)json" +
      R"json({"ph": "i", "name": "mark", "pid": "Traces", "tid": "Trace X", "ts": 3, "s": "g"})json"));
  const auto threads = log.records<log::Thread>();
  ASSERT_EQ(threads.size(), 3u);
  EXPECT_EQ(log.text(threads[0].name), "pt_autograd_0");
  EXPECT_EQ(threads[0].os_id, 11);
  EXPECT_FALSE(threads[0].is_main);
  EXPECT_TRUE(threads[1].is_main);
  EXPECT_EQ(log.text(threads[2].name), "Trace X");
  EXPECT_EQ(log.header().pid, 10u);
  ASSERT_EQ(log.records<log::Mark>().size(), 1u);
  EXPECT_EQ(log.records<log::Mark>()[0].time, 3000);
  EXPECT_EQ(log.records<log::Call>()[0].correlation, 4);
}

TEST_F(RecordsTest, AllocationsAreMemoryEvents) {
  const ImportedLog log = import(trace_of(
      R"json({"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 5,
          "args": {"Total Allocated": 300, "Total Reserved": 400, "Bytes": -200, "Addr": 4096, "Device Id": 2,
          "Device Type": 1}},
         {"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 5,
          "args": {"Bytes": 8, "Addr": 1, "Device Id": -1, "Device Type": 0}})json"));
  const auto memory = log.records<log::Memory>();
  ASSERT_EQ(memory.size(), 1u);
  EXPECT_EQ(memory[0].action, static_cast<int64_t>(log::MemoryAction::kFree));
  EXPECT_EQ(std::vector<int64_t>({memory[0].bytes, memory[0].total_bytes, memory[0].device, memory[0].address}),
            std::vector<int64_t>({200, 300, 2, 4096}));
  EXPECT_EQ(skipped(Skipped::kHostMemory), 1u);
}

TEST_F(RecordsTest, MetadataMayComeBeforeOrAfterTheEvents) {
  const std::string facts =
      R"json("baseTimeNanoseconds": 1711964646000000000, "traceName": "t.json", "distributedInfo": {"backend": "nccl",
      "rank": 3, "world_size": 4, "nccl_version": "2.17.1"}, "deviceProperties": [{"id": 0, "name": "A100",
      "totalGlobalMem": 42297524224, "computeMajor": 8, "computeMinor": 0, "numSms": 108}])json";
  const std::string events = R"json("traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7,
      "ts": 1000.5, "dur": 1, "args": {"device": 0, "stream": 7}}])json";
  for (const std::string& trace : {"{" + facts + "," + events + "}", "{" + events + "," + facts + "}"}) {
    const ImportedLog log = import(trace, "anything.json");
    ASSERT_EQ(log.records<log::Process>().size(), 1u);
    EXPECT_EQ(log.records<log::Process>()[0].rank, 3);
    EXPECT_EQ(log.records<log::Process>()[0].world_size, 4);
    const log::Device device = log.records<log::Device>().at(0);
    EXPECT_EQ(log.text(device.name), "A100");
    EXPECT_EQ(device.sm_count, 108);
    EXPECT_EQ(device.memory_bytes, 42297524224);
    EXPECT_EQ(log.attributes().at("version.nccl"), "2.17.1");
    EXPECT_EQ(log.attributes().at("trace_name"), "t.json");
    EXPECT_EQ(log.attributes().at("source"), "kineto");
    EXPECT_EQ(log.attributes().count("rank_source"), 0u);
    EXPECT_EQ(log.records<log::ClockAnchor>().at(0).value, 1711964646000000000);
    EXPECT_EQ(log.header().start_time_ns, 1000500);
    EXPECT_EQ(log.header().start_realtime_ns, 1711964646001000500);
    EXPECT_TRUE(said("rank 3 of world 4: ranks 0-2 are missing"));
  }
}

TEST_F(RecordsTest, OldTimesCountFrom1970) {
  const ImportedLog log = import(trace_of(event("a", "1698958941038582")));
  EXPECT_EQ(log.header().start_realtime_ns, 1698958941038582000);
  EXPECT_EQ(log.records<log::ClockAnchor>().at(0).value, 0);
}

TEST_F(RecordsTest, TimesFromAnywhereHaveNoAnchor) {
  const ImportedLog log = import(trace_of(event("a", "5")));
  EXPECT_EQ(log.header().start_realtime_ns, 0);
  EXPECT_TRUE(log.records<log::ClockAnchor>().empty());
}

}  // namespace
}  // namespace tauprof::kineto
