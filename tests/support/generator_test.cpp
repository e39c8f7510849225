// The generator follows its own rules: streams run in order, nothing starts before its launch, the
// members of a collective agree, and the same spec gives the same job.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "log_observer.h"
#include "observer_list.h"
#include "simulation.h"
#include "truth_observer.h"

namespace tauprof::generator {
namespace {

class RecordingObserver : public JobObserver {
 public:
  void on_call(int rank, const HostCall& call) override { calls[rank].push_back(call); }
  void on_span(int rank, const DeviceSpan& span) override { spans[rank].push_back(span); }
  void on_range(int rank, const HostRange& range) override { ranges[rank].push_back(range); }
  void on_collective(const CollectiveUnit& unit) override { units.push_back(unit); }
  void on_step_end(int, int, int64_t, int64_t count) override { dropped += count; }
  void on_recording_gap(int, int64_t start, int64_t end) override { gap_ns += end - start; }

  std::map<int, std::vector<HostCall>> calls;
  std::map<int, std::vector<DeviceSpan>> spans;
  std::map<int, std::vector<HostRange>> ranges;
  std::vector<CollectiveUnit> units;
  int64_t dropped = 0;
  int64_t gap_ns = 0;
};

JobSpec everything() {
  JobSpec spec;
  spec.ranks = 8;
  spec.steps = 3;
  spec.tensor_parallel = 2;
  spec.pipeline = 2;
  spec.micro_batches = 2;
  spec.has_broadcast = spec.has_all_to_all = spec.has_orphans = spec.has_outside_work = true;
  spec.slow_ranks = {{2, 1300}};
  spec.layer_syncs = {{1, 1}};
  spec.stalls = {{3, 1, 20'000'000}};
  spec.data_waits = {{4, -1, 5'000'000}};
  return spec;
}

RecordingObserver run(const JobSpec& spec) {
  EXPECT_TRUE(validate(spec).is_ok()) << validate(spec).message();
  RecordingObserver observer;
  simulate(spec, Communicators(spec), observer);
  return observer;
}

std::map<int64_t, HostCall> calls_by_id(const std::vector<HostCall>& calls) {
  std::map<int64_t, HostCall> by_id;
  for (const HostCall& call : calls) by_id[call.correlation] = call;
  return by_id;
}

TEST(Generator, RunsEachStreamInOrderWithoutOverlap) {
  const RecordingObserver job = run(everything());
  for (const auto& [rank, spans] : job.spans) {
    std::map<int, int64_t> free_at;
    for (const DeviceSpan& span : spans) {
      EXPECT_GE(span.start, free_at[span.stream]) << "rank " << rank << ", " << span.name;
      EXPECT_GT(span.end, span.start);
      free_at[span.stream] = span.end;
    }
  }
}

TEST(Generator, StartsNoSpanBeforeItsLaunch) {
  const RecordingObserver job = run(everything());
  for (const auto& [rank, spans] : job.spans) {
    const auto calls = calls_by_id(job.calls.at(rank));
    for (const DeviceSpan& span : spans) {
      if (span.launch == 0) continue;
      EXPECT_GT(span.start, calls.at(span.launch).start) << "rank " << rank;
    }
  }
}

TEST(Generator, MakesOneCallAtATimeOnAThread) {
  const RecordingObserver job = run(everything());
  for (const auto& [rank, calls] : job.calls) {
    std::map<int, int64_t> free_at;
    for (const HostCall& call : calls) {
      EXPECT_GE(call.start, free_at[call.thread]) << "rank " << rank << ", " << call.function;
      free_at[call.thread] = call.end;
    }
  }
}

TEST(Generator, HoldsAStreamUntilTheEventThatItWaitsFor) {
  JobSpec spec;
  spec.ranks = 1;
  spec.steps = 1;
  const RecordingObserver job = run(spec);
  int64_t copied = 0;
  for (const DeviceSpan& span : job.spans.at(0)) {
    if (span.copy_kind == log::CopyKind::kHostToDevice) copied = span.end;
  }
  ASSERT_GT(copied, 0);
  for (const DeviceSpan& span : job.spans.at(0)) {
    if (span.stream != kComputeStream) continue;
    EXPECT_GE(span.start, copied) << span.name;
  }
}

TEST(Generator, EndsAllPairsOperationsAfterTheLastArrival) {
  const RecordingObserver job = run(everything());
  int checked = 0;
  for (const CollectiveUnit& unit : job.units) {
    if (unit.operation == log::Operation::kBroadcast) continue;
    int64_t last = 0;
    for (const CollectivePart& part : unit.parts) last = std::max(last, part.arrival);
    for (const CollectivePart& part : unit.parts) EXPECT_GT(part.end, last) << unit.communicator;
    ++checked;
  }
  EXPECT_GT(checked, 100);
}

TEST(Generator, LetsABufferedSenderContinueAlone) {
  JobSpec spec;
  spec.ranks = 2;
  spec.pipeline = 2;
  spec.has_buffered_sends = true;
  spec.data_waits = {{1, -1, 30'000'000}};
  spec.message_bytes = 1000;
  const RecordingObserver job = run(spec);
  bool has_ended_before_receiver = false;
  for (const CollectiveUnit& unit : job.units) {
    if (unit.operation != log::Operation::kSendReceive) continue;
    has_ended_before_receiver |= unit.parts[0].end < unit.parts[1].arrival;
  }
  EXPECT_TRUE(has_ended_before_receiver);
}

TEST(Generator, GivesTheSpansOfACollectiveItsArrivalsAndEnds) {
  const RecordingObserver job = run(everything());
  std::map<std::pair<int64_t, int>, CollectivePart> parts;
  for (const CollectiveUnit& unit : job.units) {
    for (const CollectivePart& part : unit.parts) parts[{unit.id, part.rank}] = part;
  }
  for (const auto& [rank, spans] : job.spans) {
    for (const DeviceSpan& span : spans) {
      if (span.unit < 0) continue;
      EXPECT_EQ(parts.at({span.unit, rank}).arrival, span.start);
      EXPECT_EQ(parts.at({span.unit, rank}).end, span.end);
    }
  }
}

TEST(Generator, ReadsTheCpuClockOnlyAfterLongPausesAndCalls) {
  const RecordingObserver job = run(everything());
  for (const auto& [rank, calls] : job.calls) {
    std::map<int, int64_t> last_end;
    for (const HostCall& call : calls) {
      const bool is_first = last_end.count(call.thread) == 0;
      const bool is_long = is_first || call.start - last_end[call.thread] > 200'000;
      EXPECT_EQ(call.thread_cpu_ns != 0, is_long) << "rank " << rank << ", " << call.function;
      last_end[call.thread] = call.end;
      EXPECT_EQ(call.end_cpu_ns != 0, call.end - call.start > 200'000) << "rank " << rank << ", " << call.function;
      if (call.end_cpu_ns != 0 && call.thread_cpu_ns != 0) {
        EXPECT_EQ(call.end_cpu_ns - call.thread_cpu_ns, call.end - call.start) << "it waits by spinning";
      }
    }
  }
}

TEST(Generator, StallsTakeTimeButNoCpu) {
  JobSpec spec;
  spec.ranks = 1;
  spec.steps = 1;
  spec.stalls = {{0, 0, 50'000'000}};
  const RecordingObserver job = run(spec);
  int64_t last_reading = 0;
  int64_t longest_off = 0;
  int64_t last_end = 0;
  for (const HostCall& call : job.calls.at(0)) {
    if (call.thread != kMainThread) continue;
    if (call.thread_cpu_ns != 0 && last_reading != 0) {
      longest_off = std::max(longest_off, call.start - last_end - (call.thread_cpu_ns - last_reading));
    }
    if (call.thread_cpu_ns != 0) last_reading = call.thread_cpu_ns;
    last_end = call.end;
  }
  EXPECT_GT(longest_off, 49'000'000);
}

TEST(Generator, LosesExactlyTheSpansThatItReports) {
  JobSpec spec;
  spec.drops = {{1, 2, 7}};
  const RecordingObserver job = run(spec);
  int64_t lost = 0;
  for (const auto& [rank, spans] : job.spans) {
    lost += std::count_if(spans.begin(), spans.end(), [](const DeviceSpan& span) { return !span.is_recorded; });
  }
  EXPECT_EQ(job.dropped, 7);
  EXPECT_EQ(lost, 7);
}

TEST(Generator, MakesTheRequestedNumberOfEvents) {
  JobSpec spec;
  spec.ranks = 2;
  spec.events_per_rank = 10'000;
  const RecordingObserver job = run(spec);
  EXPECT_GE(job.calls.at(0).size() + job.spans.at(0).size(), 10'000u);
  EXPECT_LE(job.calls.at(0).size() + job.spans.at(0).size(), 10'500u);
}

TEST(Generator, ExecutesAGroupAsOneKernel) {
  JobSpec spec;
  spec.has_grouped_buckets = spec.has_all_to_all = spec.is_exchange_by_messages = true;
  const RecordingObserver job = run(spec);
  std::map<int64_t, int64_t> sequences;  // of the first call of each group
  std::map<int64_t, int64_t> counts;
  for (const HostCall& call : job.calls.at(0)) {
    if (call.group == 0 || call.operation != log::Operation::kAllReduce) continue;
    sequences.emplace(call.group, call.sequence);
    counts[call.group] += call.count;
  }
  int checked = 0;
  for (const HostCall& call : job.calls.at(0)) {
    if (call.function != "ncclGroupEnd" || counts.count(call.group) == 0) continue;
    for (const CollectiveUnit& unit : job.units) {
      if (unit.parts[0].launch != call.correlation) continue;
      EXPECT_EQ(unit.sequence, sequences.at(call.group));
      EXPECT_EQ(unit.count, counts.at(call.group));
      ++checked;
    }
  }
  EXPECT_EQ(checked, spec.steps * spec.layers / spec.layers_per_bucket);
}

TEST(Generator, GivesEveryCommunicatorADifferentHash) {
  JobSpec spec = everything();
  const Communicators communicators(spec);
  std::map<int64_t, std::string> known;
  for (int rank = 0; rank < spec.ranks; ++rank) {
    for (int role = 0; role < kCommunicatorRoles; ++role) {
      const Communicator& communicator = communicators.of(rank, role);
      EXPECT_EQ(known.emplace(communicator.hash(), communicator.identity).first->second, communicator.identity);
    }
  }
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

std::map<std::string, std::string> files_of(const JobSpec& spec, const std::filesystem::path& folder) {
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const Communicators communicators(spec);
  LogObserver logs(spec, communicators);
  TruthObserver truth(spec);
  EXPECT_TRUE(logs.open(folder.string()).is_ok());
  EXPECT_TRUE(truth.open((folder / "truth.jsonl").string()).is_ok());
  ObserverList observers;
  observers.add(logs);
  observers.add(truth);
  simulate(spec, communicators, observers);
  EXPECT_TRUE(logs.close().is_ok());
  EXPECT_TRUE(truth.close().is_ok());
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files[entry.path().filename().string()] = bytes_of(entry.path());
  }
  std::filesystem::remove_all(folder);
  return files;
}

TEST(Generator, GivesTheSameBytesForTheSameSeed) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "generator_same_bytes";
  JobSpec spec = everything();
  const auto first = files_of(spec, folder);
  EXPECT_EQ(first.size(), 9u);
  EXPECT_EQ(first, files_of(spec, folder));
  spec.seed = 2;
  EXPECT_NE(first, files_of(spec, folder));
}

TEST(Generator, RejectsImpossibleJobs) {
  JobSpec spec;
  spec.tensor_parallel = 3;
  EXPECT_FALSE(validate(spec).is_ok());
  spec.tensor_parallel = 1;
  spec.stalls = {{4, 0, 1}};
  EXPECT_FALSE(validate(spec).is_ok());
  spec.stalls.clear();
  spec.devices_per_process = 3;
  EXPECT_FALSE(validate(spec).is_ok());
}

}  // namespace
}  // namespace tauprof::generator
