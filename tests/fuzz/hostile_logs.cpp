#include "fuzz/hostile_logs.h"

#include <cstring>
#include <functional>
#include <map>
#include <utility>

#include "read/record_names.h"

namespace tauprof {
namespace {

using log::RecordKind;

constexpr int64_t kFar = int64_t{1} << 60;

// Builds one log, row by row. A row lists its first columns; the others are 0.
class Job {
 public:
  Job(int64_t rank, int64_t world) {
    log_.header = forge_header();
    log_.header.clock = static_cast<uint32_t>(log::Clock::kMonotonic);
    rows(RecordKind::kProcess, 1, [&](int64_t) { return Row{rank, world, rank, world}; });
    rows(RecordKind::kThread, 1, [&](int64_t) { return Row{1, 1, text("python"), 1}; });
  }

  using Row = std::vector<int64_t>;

  int64_t text(const std::string& text) {
    const auto [known, is_new] = texts_.try_emplace(text, static_cast<int64_t>(texts_.size()) + 1);
    if (is_new) add_text(known->second, text);
    return known->second;
  }

  void add_text(int64_t id, const std::string& text) {
    if (log_.blocks.empty() || log_.blocks.back().kind != static_cast<uint16_t>(RecordKind::kString))
      log_.blocks.push_back({static_cast<uint16_t>(RecordKind::kString), false, 0, {{}}, {}});
    RowBlock& block = log_.blocks.back();
    block.columns[0].push_back(id);
    block.texts.push_back(text);
    ++block.records;
  }

  void rows(RecordKind kind, int64_t count, const std::function<Row(int64_t)>& row) {
    std::vector<Row> made;  // before the block, as a row may add texts
    for (int64_t i = 0; i < count; ++i) made.push_back(row(i));
    RowBlock block{static_cast<uint16_t>(kind), false, static_cast<uint32_t>(count), {}, {}};
    block.columns.resize(column_count(kind));
    for (Row& one : made) {
      one.resize(block.columns.size());
      for (size_t column = 0; column < one.size(); ++column) block.columns[column].push_back(one[column]);
    }
    log_.blocks.push_back(std::move(block));
  }

  // As many rows as the header says, in constant columns.
  void identical_rows(RecordKind kind, uint32_t count, const Row& row) {
    log_.blocks.push_back({static_cast<uint16_t>(kind), false, count, {}, {}});
    for (const int64_t value : row) log_.blocks.back().columns.push_back({value});
  }

  void calls(int64_t count, const char* function, const std::function<Row(int64_t)>& start_duration_correlation) {
    const int64_t name = text(function);
    rows(RecordKind::kCall, count, [&](int64_t i) {
      const Row at = start_duration_correlation(i);
      return Row{1, name, at[0], at[1], at[2]};
    });
  }

  void spans(int64_t count, const char* kernel, const std::function<Row(int64_t)>& start_duration_correlation) {
    const int64_t name = text(kernel);
    rows(RecordKind::kDeviceActivity, count, [&](int64_t i) {
      const Row at = start_duration_correlation(i);
      return Row{1, 0, 1, 7, name, at[0], at[1], at[2]};
    });
  }

  void communicator(int64_t size, int64_t rank) {
    rows(RecordKind::kCommunicator, 1, [&](int64_t) { return Row{1, 4711, size, rank, -1, 0, text("world")}; });
  }

  RowLog take() {
    rows(RecordKind::kEnd, 1, [&](int64_t) { return Row{kFar, text("closed")}; });
    return std::move(log_);
  }

 private:
  RowLog log_;
  std::map<std::string, int64_t> texts_;
};

using Row = Job::Row;

// A little of everything: launches, kernels, collectives.
Job small_job(int64_t rank, int64_t world) {
  Job job(rank, world);
  job.calls(20, "cudaLaunchKernel", [](int64_t i) { return Row{1000 * i, 500, i + 1}; });
  job.spans(20, "gemm", [](int64_t i) { return Row{1000 * i + 700, 300, i + 1}; });
  return job;
}

Row collective(int64_t start, int64_t sequence, log::Operation operation, int64_t group = 0, int64_t peer = 0) {
  return {1,    0, start, 100,  sequence + 1'000'000, 1, sequence, static_cast<int64_t>(operation), 8, 64, 0,
          peer, 0, 0,     group};
}

RowLog world_of_millions() { return small_job(0, 100'000'000).take(); }

RowLog calls_far_apart() {
  Job job(0, 1);
  job.calls(2, "cudaLaunchKernel", [](int64_t i) { return Row{i * kFar, 10, i + 1}; });
  job.spans(2, "gemm", [](int64_t i) { return Row{i * kFar + 20, 10, i + 1}; });
  return job.take();
}

// Collectives spread over 36 years: a clock's drift has a segment for each minute.
RowLog collectives_far_apart(int64_t rank) {
  constexpr int64_t kCount = 400, kStep = kFar / kCount;
  Job job(rank, 2);
  job.communicator(2, rank);
  job.rows(RecordKind::kCollective, kCount,
           [&](int64_t i) { return collective(i * kStep, i + 1, log::Operation::kAllReduce); });
  job.spans(kCount, "ncclDevKernel_AllReduce_Sum_f32", [&](int64_t i) {
    return Row{i * kStep + 200 + rank * i, 1000, i + 1'000'001};
  });
  return job.take();
}

RowLog communicator_of_billions() {
  Job job(0, 2);
  job.communicator(INT32_MAX, 0);
  for (const log::Operation operation : {log::Operation::kSend, log::Operation::kReceive})
    job.rows(RecordKind::kCollective, 10, [&](int64_t i) { return collective(100 * i, 1, operation, 5, i + 1); });
  job.calls(1, "ncclGroupEnd", [](int64_t) { return Row{5000, 100, 77}; });
  job.spans(1, "ncclDevKernel_SendRecv", [](int64_t) { return Row{6000, 1000, 77}; });
  return job.take();
}

RowLog sequence_without_end(int64_t rank) {
  Job job(rank, 2);
  job.communicator(2, rank);
  job.rows(RecordKind::kCollective, 2,
           [&](int64_t i) { return collective(1000 * i, i == 0 ? 1 : INT64_MAX - 5, log::Operation::kAllReduce); });
  job.spans(1, "ncclDevKernel_AllReduce_Sum_f32", [](int64_t) { return Row{500, 100, 1'000'001}; });
  RowLog log = job.take();
  log.blocks.pop_back();  // it has not ended
  return log;
}

// Rows without a byte of their own: every column is constant.
RowLog rows_of_nothing() {
  Job job(0, 1);
  const int64_t function = job.text("cudaLaunchKernel");
  for (int i = 0; i < 50; ++i) job.identical_rows(RecordKind::kCall, 1 << 20, {1, function, 5, 1, 1});
  return job.take();
}

RowLog collectives_at_once() {
  Job job(0, 1);
  job.calls(20'000, "cudaLaunchKernel", [](int64_t i) { return Row{100 * i, 50, i + 1}; });
  job.spans(20'000, "ncclDevKernel_AllReduce_Sum_f32", [](int64_t i) { return Row{100 * i + 60, kFar - i, i + 1}; });
  return job.take();
}

RowLog group_of_thousands() {
  Job job(0, 2);
  job.communicator(2, 0);
  job.rows(RecordKind::kStream, 1, [](int64_t) { return Row{0, 1, 7, 99}; });
  job.rows(RecordKind::kCollective, 12'000, [](int64_t i) {
    Row row = collective(10 * i, i, log::Operation::kSend, 5, 2);
    row[5] = i;
    row[13] = 99;
    return row;
  });
  job.calls(12'000, "ncclGroupEnd", [](int64_t i) { return Row{200'000 + 10 * i, 5, i + 1}; });
  job.spans(12'000, "ncclDevKernel_SendRecv", [](int64_t i) { return Row{500'000 + 10 * i, 5, i + 1}; });
  return job.take();
}

// Every gap between kernels is explained by what the host did up to the last call.
RowLog launched_by_the_last_call() {
  Job job(0, 1);
  job.calls(35'000, "cudaStreamSynchronize", [](int64_t i) { return Row{100 * i, 50, 0}; });
  job.calls(1, "cudaLaunchKernel", [](int64_t) { return Row{100 * 35'000, 50, 1}; });
  job.spans(35'000, "gemm", [](int64_t i) { return Row{100 * i + 60, 10, 1}; });
  return job.take();
}

RowLog calls_inside_one() {
  Job job(0, 1);
  job.calls(1, "cudaLaunchKernel", [](int64_t) { return Row{0, 100 * 40'000, 1}; });
  job.calls(30'000, "cudaStreamSynchronize", [](int64_t i) { return Row{100 * i + 10, 50, 0}; });
  job.spans(30'000, "gemm", [](int64_t i) { return Row{100 * i + 60, 10, 1}; });
  return job.take();
}

RowLog calls_without_end() {
  Job job(0, 1);
  job.calls(5'000, "cudaLaunchKernel", [](int64_t i) { return Row{100 * i, kFar + i, i + 1}; });
  job.rows(RecordKind::kStepMark, 5'000, [](int64_t i) { return Row{100 * i, 1, i}; });
  job.spans(5'000, "gemm", [](int64_t i) { return Row{100 * i + 60, 10, i + 1}; });
  return job.take();
}

// What any job might record: the measure of what the others cost.
RowLog as_usual() {
  Job job(0, 1);
  job.calls(5'000, "cudaLaunchKernel", [](int64_t i) { return Row{100 * i, 50, i + 1}; });
  job.rows(RecordKind::kStepMark, 5'000, [](int64_t i) { return Row{100 * i, 1, i}; });
  job.spans(5'000, "gemm", [](int64_t i) { return Row{100 * i + 60, 10, i + 1}; });
  return job.take();
}

RowLog devices_by_thousands() {
  Job job = small_job(0, 1);
  const int64_t name = job.text("gemm");
  job.rows(RecordKind::kDeviceActivity, 20'000,
           [&](int64_t i) { return Row{1, i, 1, 7, name, 100 * i, 50, i % 20 + 1}; });
  job.calls(20'000, "cudaLaunchKernel", [](int64_t i) { return Row{1'000'000 + 100 * i, 50, 0}; });
  return job.take();
}

RowLog long_reason_of_gaps() {
  Job job = small_job(0, 1);
  const int64_t reason = job.text(std::string(200'000, 'r'));
  job.rows(RecordKind::kGap, 60'000, [&](int64_t i) { return Row{100 * i, 50, 1, reason}; });
  return job.take();
}

RowLog long_name_of_calls() {
  Job job = small_job(0, 1);
  const std::string name(300'000, 'n');
  job.calls(60'000, name.c_str(), [](int64_t i) { return Row{100 * i, 50, 0}; });
  return job.take();
}

// Bytes that are no UTF-8: alone, cut short, overlong, a surrogate.
RowLog names_that_are_no_text() {
  Job job(0, 1);
  job.calls(100, "call \xff\xfe\x80", [](int64_t i) { return Row{100'000 * i, 50, i + 1}; });
  job.spans(100, "kernel \xc3\x28 \xe2\x82 \xc0\xaf \xed\xa0\x80", [](int64_t i) {
    return Row{100'000 * i + 60, 10, i + 1};
  });
  return job.take();
}

RowLog stacks_upon_stacks() {
  Job job(0, 1);
  const int64_t file = job.text("/usr/lib/python3.11/site-packages/torch/" + std::string(20'000, 'f'));
  job.rows(RecordKind::kFrame, 100, [&](int64_t i) { return Row{i + 1, 2, job.text("function"), file, i}; });
  job.rows(RecordKind::kStack, 60'000, [](int64_t i) { return Row{i + 1, 0, i % 100 + 1, i}; });
  const int64_t function = job.text("cudaLaunchKernel");
  job.rows(RecordKind::kCall, 20'000,
           [&](int64_t i) { return Row{1, function, 100'000 * i, 90'000, i + 1, 0, 0, 0, 0, 0, 0, 0, 3 * i + 1}; });
  job.spans(20'000, "gemm", [](int64_t i) { return Row{100'000 * i + 60, 10, i + 1}; });
  return job.take();
}

RowLog name_that_grows() {
  Job job(0, 1);
  // Each part of a mangled name may refer to all parts before it, so that its length doubles 40 times.
  std::string name = "_Z1fISt4pairI";
  for (int i = 0; i < 40; ++i) name += "St4pairI";
  name += "ii";
  for (int i = 0; i < 40; ++i)
    name += std::string("ES") + (i == 0 ? "1" : std::string(1, static_cast<char>('1' + i % 9))) + "_";
  name += "EEvv";
  job.calls(100, name.c_str(), [](int64_t i) { return Row{100 * i, 50, 0}; });
  return job.take();
}

RowLog threads_by_thousands() {
  Job job(0, 1);
  const int64_t function = job.text("cudaLaunchKernel");
  job.rows(RecordKind::kCall, 60'000, [&](int64_t i) {
    return Row{i + 1, function, 100 * (i * 7919 % 60'000), 50, i + 1};
  });
  return job.take();
}

// Each is silent for longer than a launch takes, while all others work.
RowLog threads_that_take_turns() {
  constexpr int64_t kThreads = 20'000;
  Job job(0, 1);
  const int64_t function = job.text("cudaLaunchKernel");
  job.rows(RecordKind::kCall, 2 * kThreads, [&](int64_t i) {
    return Row{i % kThreads + 1, function, 20'000 * i, 50, i + 1};
  });
  job.rows(RecordKind::kDeviceActivity, 2 * kThreads,
           [&](int64_t i) { return Row{1, 0, 1, 7, job.text("kernel"), 20'000 * i + 60, 10, i + 1}; });
  return job.take();
}

RowLog kernels_all_different() {
  Job job(0, 1);
  const int64_t function = job.text("cudaLaunchKernel");
  job.rows(RecordKind::kCall, 12'000, [&](int64_t i) { return Row{1, function, 100 * i, 50, i + 1}; });
  job.rows(RecordKind::kDeviceActivity, 12'000, [&](int64_t i) {
    return Row{1, 0, 1, 7, job.text("kernel_number_" + std::to_string(i)), 100 * i + 60, 10, i + 1};
  });
  return job.take();
}

RowLog gaps_and_steps() {
  Job job = small_job(0, 1);
  job.rows(RecordKind::kGap, 40'000, [&](int64_t i) { return Row{1'000'000 * i, 30'000, 1, job.text("window")}; });
  job.rows(RecordKind::kRecorderStep, 40'000, [](int64_t i) { return Row{1'000'000 * i + 500'000, i, 0}; });
  return job.take();
}

RowLog calls_in_calls() {
  Job job(0, 1);
  job.calls(40'000, "cudaLaunchKernel", [](int64_t i) { return Row{i, 200'000 - 2 * i, i + 1}; });
  job.spans(40'000, "gemm", [](int64_t i) { return Row{300'000 + 100 * i, 10, 40'000 - i}; });
  return job.take();
}

RowLog drops_without_end() {
  Job job = small_job(0, 1);
  job.rows(RecordKind::kDrop, 3, [](int64_t i) { return Row{i, 0, INT64_MAX, 0}; });
  return job.take();
}

LogSet many_ranks_many_steps() {
  LogSet logs;
  Job long_one(0, 1000);
  long_one.calls(10'000, "cudaLaunchKernel", [](int64_t i) { return Row{100 * i, 50, i + 1}; });
  long_one.rows(RecordKind::kStepMark, 10'000, [](int64_t i) { return Row{100 * i, 1, i}; });
  long_one.spans(10'000, "gemm", [](int64_t i) { return Row{100 * i + 60, 10, i + 1}; });
  logs.push_back(long_one.take());
  for (int64_t rank = 1; rank < 450; ++rank) {
    Job job(rank, 1000);
    job.calls(1, "cudaLaunchKernel", [](int64_t i) { return Row{100 * i, 50, i + 1}; });
    job.spans(1, "gemm", [](int64_t i) { return Row{100 * i + 60, 10, i + 1}; });
    logs.push_back(job.take());
  }
  return logs;
}

LogSet ids_far_apart() {
  LogSet logs;
  for (int64_t rank = 0; rank < 500; ++rank) {
    Job job(rank, 500);
    job.add_text((1 << 22) - 1, "cudaLaunchKernel");
    job.rows(RecordKind::kCall, 3, [](int64_t i) { return Row{1, (1 << 22) - 1, 100 * i, 50, i + 1}; });
    logs.push_back(job.take());
  }
  return logs;
}

}  // namespace

std::vector<HostileJob> hostile_jobs() {
  return {{"as_usual", {as_usual()}},
          {"world_of_millions", {world_of_millions()}},
          {"calls_far_apart", {calls_far_apart()}},
          {"collectives_far_apart", {collectives_far_apart(0), collectives_far_apart(1)}},
          {"communicator_of_billions", {communicator_of_billions()}},
          {"sequence_without_end", {sequence_without_end(0), sequence_without_end(1)}},
          {"rows_of_nothing", {rows_of_nothing()}},
          {"collectives_at_once", {collectives_at_once()}},
          {"group_of_thousands", {group_of_thousands()}},
          {"launched_by_the_last_call", {launched_by_the_last_call()}},
          {"calls_inside_one", {calls_inside_one()}},
          {"calls_without_end", {calls_without_end()}},
          {"devices_by_thousands", {devices_by_thousands()}},
          {"long_reason_of_gaps", {long_reason_of_gaps()}},
          {"long_name_of_calls", {long_name_of_calls()}},
          {"stacks_upon_stacks", {stacks_upon_stacks()}},
          {"name_that_grows", {name_that_grows()}},
          {"names_that_are_no_text", {names_that_are_no_text()}},
          {"threads_by_thousands", {threads_by_thousands()}},
          {"threads_that_take_turns", {threads_that_take_turns()}},
          {"kernels_all_different", {kernels_all_different()}},
          {"drops_without_end", {drops_without_end()}},
          {"gaps_and_steps", {gaps_and_steps()}},
          {"calls_in_calls", {calls_in_calls()}},
          {"many_ranks_many_steps", many_ranks_many_steps()},
          {"ids_far_apart", ids_far_apart()}};
}

}  // namespace tauprof
