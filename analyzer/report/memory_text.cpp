#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "limits/analysis_limits.h"
#include "report/section_lengths.h"
#include "report/text_lines.h"
#include "report/text_sections.h"
#include "report/text_table.h"
#include "report/text_values.h"
#include "report/wrapped_text.h"

namespace tauprof {
namespace {

// "12.00 MiB", of growth also "-12.00 MiB".
std::string growth_text(const std::optional<double>& bytes) {
  if (!bytes) return "-";
  const auto size = static_cast<int64_t>(*bytes < 0 ? -*bytes : *bytes);
  return (*bytes <= -1 ? "-" : "") + size_text(size);
}

std::vector<std::string> cells_of(const MemoryOfRank& memory) {
  return {std::to_string(memory.rank),
          size_text(memory.peak_bytes) + (memory.is_lower_bound ? "+" : ""),
          size_text(memory.device_bytes),
          percent_text(memory.share_of_device()),
          growth_text(memory.growth_per_step) + (memory.is_growing ? " !" : ""),
          fmt::format("{:.1f}", memory.allocations_per_step),
          fmt::format("{:.1f}", memory.frees_per_step)};
}

// "forward 1.20 GiB, other 300.00 MiB", the largest first; without what is less than `least`.
template <class Bytes>
std::string phases_of(const PerPhase<Bytes>& bytes, Bytes least) {
  std::vector<size_t> phases;
  for (size_t phase = 0; phase < kPhaseCount; ++phase)
    if (bytes[phase] >= least) phases.push_back(phase);
  std::stable_sort(phases.begin(), phases.end(), [&](size_t a, size_t b) { return bytes[a] > bytes[b]; });
  std::string text;
  for (const size_t phase : phases)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", kPhaseNames[phase],
                        size_text(static_cast<int64_t>(bytes[phase])));
  return text;
}

// Memory in use at the end of each step, from none to the most, in at most `room` marks.
std::string timeline_of(const std::vector<MemoryAtStep>& steps, int64_t most, size_t room) {
  constexpr std::array<std::string_view, 8> kLevels = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr size_t kMostMarks = 60, kFewestMarks = 8;
  const size_t marks = std::min(steps.size(), std::clamp(room, kFewestMarks, kMostMarks));
  std::string text;
  for (size_t mark = 0; mark < marks; ++mark) {
    const MemoryAtStep& step = steps[mark * steps.size() / marks];
    const auto level =
        static_cast<size_t>(static_cast<double>(step.bytes) / static_cast<double>(most) * kLevels.size());
    text += kLevels[std::min(level, kLevels.size() - 1)];
  }
  return text;
}

void fullest_lines(TextLines& lines, const MemoryOfRank& fullest, std::string_view unit, size_t width) {
  if (fullest.peak_bytes <= 0) return;
  lines.line("  rank {} at its peak, by the phase that allocated: {}", fullest.rank,
             phases_of<int64_t>(fullest.peak_by_phase, 1));
  if (fullest.steps.size() < 2) return;
  const std::string before = fmt::format("  in use at the end of each {}: ", unit);
  const std::string behind =
      fmt::format(" · {} to {}", size_text(fullest.steps.front().bytes), size_text(fullest.steps.back().bytes));
  const size_t taken = columns_of(before) + columns_of(behind);
  lines.line("{}{}{}", before, timeline_of(fullest.steps, fullest.peak_bytes, width - std::min(width, taken)), behind);
}

void growth_line(TextLines& lines, const MemoryOfRank& memory, std::string_view unit) {
  if (!memory.is_growing) return;
  const std::string phases = phases_of<double>(memory.growth_by_phase, kLeastGrowth / 2);
  if (!phases.empty()) lines.line("  rank {} grows in a {} by: {}", memory.rank, unit, phases);
}

void allocator_line(TextLines& lines, const MemoryOfRank& memory) {
  if (!memory.unused_share()) return;
  lines.line("  rank {}: PyTorch's allocator held {} at its peak, of which tensors used {}: {} unused{}", memory.rank,
             size_text(memory.peak_reserved_bytes), size_text(memory.peak_allocated_bytes),
             percent_text(memory.unused_share()),
             memory.allocator_retries.value_or(0) > 0
                 ? fmt::format("; {} times it ran out and freed its cache", *memory.allocator_retries)
                 : "");
}

}  // namespace

std::string memory_text(const Report& report, size_t width) {
  const std::vector<MemoryOfRank>& table = report.metrics.devices.memory;
  if (table.empty()) return {};
  TextTable ranks({{"rank"},
                   {"peak"},
                   {"device has", false, 1},
                   {"share"},
                   {fmt::format("growth a {}", report.unit())},
                   {"allocations"},
                   {"frees"}});
  for (size_t i = 0; i < std::min(table.size(), kMostRankLines); ++i) ranks.row(cells_of(table[i]));
  TextLines lines;
  lines.left_out(table.size(), kMostRankLines);
  const auto fullest = std::max_element(table.begin(), table.end(), [](const MemoryOfRank& a, const MemoryOfRank& b) {
    return a.peak_bytes < b.peak_bytes;
  });
  fullest_lines(lines, *fullest, report.unit(), width);
  for (size_t i = 0; i < std::min(table.size(), kMostTableLines); ++i) growth_line(lines, table[i], report.unit());
  for (size_t i = 0; i < std::min(table.size(), kMostTableLines); ++i) allocator_line(lines, table[i]);
  if (std::any_of(table.begin(), table.end(), [](const MemoryOfRank& memory) { return memory.is_lower_bound; }))
    lines.line("  +: at least; some allocations are not recorded");
  return "\nMEMORY   (of the devices, by the calls that allocate and free it)\n" + ranks.text(width) + lines.take();
}

}  // namespace tauprof
