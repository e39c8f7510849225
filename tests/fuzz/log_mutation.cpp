#include "fuzz/log_mutation.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

#include "log/format.h"

namespace tauprof {
namespace {

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min(), kMost = std::numeric_limits<int64_t>::max();
constexpr int64_t kExtremes[] = {0,
                                 1,
                                 -1,
                                 2,
                                 3,
                                 7,
                                 16,
                                 1000,
                                 65'535,
                                 65'536,
                                 100'000'000,
                                 (1 << 22) - 1,
                                 1 << 22,
                                 INT32_MAX,
                                 INT32_MIN,
                                 1LL << 31,
                                 1LL << 32,
                                 1'000'000'000,
                                 1LL << 40,
                                 1LL << 52,
                                 1LL << 62,
                                 -(1LL << 62),
                                 kMost - 1,
                                 kMost,
                                 kLeast,
                                 kLeast + 1,
                                 1'000'000'000'000'000'000,
                                 0x7FF8000000000000};
constexpr int64_t kSteps[] = {0,         1,        1, 1, -1, 2, 100, 1000, 1'000'000, 1'000'000'000, 60'000'000'000,
                              1LL << 45, 1LL << 55};

// Names that rules of the analysis look for, and texts that a terminal must not see.
constexpr std::string_view kTexts[] = {"",
                                       "cudaLaunchKernel",
                                       "cudaGraphLaunch",
                                       "cudaMemcpyAsync",
                                       "cudaMemcpy",
                                       "cudaStreamSynchronize",
                                       "cudaDeviceSynchronize",
                                       "cudaEventSynchronize",
                                       "cudaStreamWaitEvent",
                                       "cudaStreamBeginCapture",
                                       "cudaStreamEndCapture",
                                       "cudaLaunchHostFunc",
                                       "ncclAllReduce",
                                       "ncclGroupEnd",
                                       "ncclSend",
                                       "ncclRecv",
                                       "cublasGemmEx",
                                       "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
                                       "multi_tensor_apply_kernel_adam",
                                       "step 99999999999",
                                       "ProfilerStep#1",
                                       "ProfilerStep#18446744073709551615",
                                       "pt_autograd_0",
                                       "run_id",
                                       "source",
                                       "step_marker",
                                       "steps",
                                       "start_step",
                                       "command",
                                       "9223372036854775807",
                                       "-1",
                                       "100000000",
                                       "kernel:*",
                                       "kernel:*a*a*a*a*b",
                                       "nvtx:*",
                                       "kineto",
                                       "preload",
                                       "sm_clock_mhz",
                                       "throttle_reasons",
                                       "cpu_wait_ns",
                                       "stack_min_ns",
                                       "nan",
                                       "1e308",
                                       "\x1b[2J\x1b]0;x\x07",
                                       "\xE2\x80\xAEtxt",
                                       "\xFF\xFE",
                                       "a\nb\rc",
                                       "_ZN3fooIiEEvv",
                                       "dataloader",
                                       "forward",
                                       "backward",
                                       "optimizer",
                                       "0,1,2,3",
                                       "/dev/zero",
                                       "/dev/stdin"};

class Mutation : private RandomChoice {
 public:
  Mutation(LogSet& logs, Random& random, size_t most_bytes)
      : RandomChoice(random), logs_(logs), most_bytes_(most_bytes) {}

  void change() {
    RowLog& log = pick(logs_);
    const size_t what = below(20);
    if (what == 0) return change_header(log);
    if (what == 1) return change_logs();
    if (log.blocks.empty()) return;
    RowBlock& block = pick(log.blocks);
    if (what == 2) return change_blocks(log);
    if (what == 3) return change_text(log);
    if (what <= 5) return multiply(block);
    if (what <= 9) return change_column(block);
    if (what <= 11) return change_rows(block);
    change_value(block);
  }

 private:
  int64_t odd_value(const std::vector<int64_t>& column) {
    switch (below(6)) {
      case 0:
        return static_cast<int64_t>(random_() >> below(64));
      case 1:
        return column.empty() ? 0 : column[below(column.size())];
      case 2:
        return column.empty() ? 0
                              : static_cast<int64_t>(static_cast<uint64_t>(column[below(column.size())]) +
                                                     static_cast<uint64_t>(pick(kSteps)));
      default:
        return pick(kExtremes);
    }
  }

  void change_value(RowBlock& block) {
    if (block.columns.empty() || block.records == 0) return;
    std::vector<int64_t>& column = pick(block.columns);
    for (uint64_t times = 1 + below(3); times > 0; --times) column[below(block.records)] = odd_value(column);
  }

  // A column from `first` on becomes constant, a ramp, noise, or a period.
  void fill(std::vector<int64_t>& column, size_t first) {
    const auto start = static_cast<uint64_t>(odd_value(column));
    const auto step = static_cast<uint64_t>(pick(kSteps));
    const uint64_t period = 1 + below(300), shift = below(64);
    switch (below(5)) {
      case 0:
        std::fill(column.begin() + static_cast<std::ptrdiff_t>(first), column.end(), static_cast<int64_t>(start));
        return;
      case 1:
      case 2:
        for (size_t i = first; i < column.size(); ++i) column[i] = static_cast<int64_t>(start + step * (i - first));
        return;
      case 3:
        for (size_t i = first; i < column.size(); ++i) column[i] = static_cast<int64_t>(start + i % period);
        return;
      default:
        for (size_t i = first; i < column.size(); ++i) column[i] = static_cast<int64_t>(random_() >> shift);
    }
  }

  void change_column(RowBlock& block) {
    if (block.columns.empty()) return;
    std::vector<int64_t>& column = pick(block.columns);
    if (below(6) == 0) return std::shuffle(column.begin(), column.end(), random_);
    if (below(6) == 0) return std::reverse(column.begin(), column.end());
    if (below(4) == 0) return column.swap(pick(block.columns));
    fill(column, 0);
  }

  void change_rows(RowBlock& block) {
    if (block.records < 2) return;
    const uint32_t a = static_cast<uint32_t>(below(block.records)), b = static_cast<uint32_t>(below(block.records));
    if (below(2) == 0) {
      for (std::vector<int64_t>& column : block.columns) std::swap(column[a], column[b]);
      return;
    }
    const uint32_t kept = std::max(1u, a);
    for (std::vector<int64_t>& column : block.columns) column.resize(kept);
    if (!block.texts.empty()) block.texts.resize(kept);
    block.records = kept;
  }

  // Repeats the rows, up to what the input may hold; some columns go on in another way.
  void multiply(RowBlock& block) {
    if (block.records == 0 || block.columns.empty()) return;
    constexpr uint32_t kCounts[] = {100, 1000, 5000, 20'000, 60'000, 200'000, 500'000};
    const uint32_t first = block.records, count = static_cast<uint32_t>(std::min<size_t>(pick(kCounts), most_bytes_));
    if (count <= first || count > log::kMaxBlockRecords) return;
    if (!block.texts.empty() && count > 20'000) return;
    for (std::vector<int64_t>& column : block.columns) {
      column.resize(count);
      if (below(3) == 0)
        fill(column, first);
      else if (below(2) == 0)
        std::fill(column.begin() + first, column.end(), column[below(first)]);
      else
        for (uint32_t i = first; i < count; ++i) column[i] = column[i - first];
    }
    if (!block.texts.empty()) {
      block.texts.resize(count);
      for (uint32_t i = first; i < count; ++i) block.texts[i] = block.texts[i - first];
    }
    block.records = count;
  }

  void change_blocks(RowLog& log) {
    const size_t a = below(log.blocks.size()), b = below(log.blocks.size());
    switch (below(4)) {
      case 0:
        log.blocks.erase(log.blocks.begin() + static_cast<std::ptrdiff_t>(a));
        return;
      case 1:
        log.blocks.insert(log.blocks.begin() + static_cast<std::ptrdiff_t>(b), RowBlock(log.blocks[a]));
        return;
      case 2:
        std::swap(log.blocks[a], log.blocks[b]);
        return;
      default:
        log.blocks[a].is_recap = !log.blocks[a].is_recap;
    }
  }

  void change_text(RowLog& log) {
    std::vector<std::string*> texts;
    for (RowBlock& block : log.blocks)
      for (std::string& text : block.texts) texts.push_back(&text);
    if (texts.empty()) return;
    std::string& text = *pick(texts);
    switch (below(5)) {
      case 0:
        text = *pick(texts);
        return;
      case 1:
        text.resize(below(2000), static_cast<char>('a' + below(3)));
        return;
      case 2:
        if (!text.empty()) text[below(text.size())] = static_cast<char>(random_());
        return;
      default:
        text = pick(kTexts);
    }
  }

  void change_header(RowLog& log) {
    log::FileHeader& header = log.header;
    switch (below(5)) {
      case 0:
        header.start_realtime_ns = pick(kExtremes);
        return;
      case 1:
        header.start_time_ns = pick(kExtremes);
        return;
      case 2:
        header.clock = static_cast<uint32_t>(below(8));
        return;
      case 3:
        header.boot_id[0] = static_cast<uint8_t>(random_());
        return;
      default:
        (below(2) == 0 ? header.host : header.run_id)[below(8)] = static_cast<char>(random_());
    }
  }

  void change_logs() {
    if (below(3) == 0 && logs_.size() > 1) {
      logs_.erase(logs_.begin() + static_cast<std::ptrdiff_t>(below(logs_.size())));
      return;
    }
    constexpr size_t kCopies[] = {1, 1, 2, 8, 64};
    const RowLog copy = pick(logs_);
    for (size_t i = 0; i < pick(kCopies) && logs_.size() < 300; ++i) {
      RowLog& added = logs_.emplace_back(copy);
      for (RowBlock& block : added.blocks)
        if (block.kind == static_cast<uint16_t>(log::RecordKind::kProcess) && below(4) > 0)
          block.columns[0].assign(block.records, static_cast<int64_t>(logs_.size() - 1));
    }
  }

  LogSet& logs_;
  const size_t most_bytes_;
};

// Halves the largest block until the logs are small enough.
ByteVector sealed_within(LogSet& logs, size_t most_bytes) {
  for (;;) {
    ByteVector bytes = sealed_logs(logs);
    if (bytes.size() <= most_bytes) return bytes;
    RowBlock* largest = nullptr;
    for (RowLog& log : logs)
      for (RowBlock& block : log.blocks)
        if (largest == nullptr || block.records > largest->records) largest = &block;
    if (largest == nullptr || largest->records < 64) {
      logs.pop_back();
      continue;
    }
    largest->records /= 2;
    for (std::vector<int64_t>& column : largest->columns) column.resize(largest->records);
    if (!largest->texts.empty()) largest->texts.resize(largest->records);
  }
}

}  // namespace

void mutate_logs(LogSet& logs, Random& random, size_t most_bytes) {
  if (logs.empty()) logs.push_back({forge_header(), {}});
  for (uint64_t changes = 1 + random() % 6; changes > 0; --changes) Mutation(logs, random, most_bytes).change();
}

ByteVector mutated_logs(const ByteVector& bytes, Random& random, size_t most_bytes) {
  LogSet logs = rows_of_logs(bytes);
  mutate_logs(logs, random, most_bytes);
  ByteVector changed = sealed_within(logs, most_bytes);
  if (random() % 8 != 0 || changed.empty()) return changed;
  for (uint64_t damages = 1 + random() % 8; damages > 0; --damages)
    changed[random() % changed.size()] = static_cast<uint8_t>(random());
  std::vector<ByteVector> parts = split_logs(changed);
  changed.clear();
  for (ByteVector& part : parts) {
    reseal(part);
    append_bytes(changed, part.data(), part.size());
  }
  return changed;
}

}  // namespace tauprof
