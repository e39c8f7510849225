#include "report/memory_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/section_lengths.h"
#include "report/text_lines.h"
#include "report/text_values.h"

namespace tauprof {
namespace {

// "12.00 MiB", of growth also "-12.00 MiB".
std::string growth_text(const std::optional<double>& bytes) {
  if (!bytes) return "-";
  const auto size = static_cast<int64_t>(*bytes < 0 ? -*bytes : *bytes);
  return (*bytes <= -1 ? "-" : "") + size_text(size);
}

void memory_line(TextLines& lines, const MemoryOfRank& memory) {
  lines.line("  {:>5} {:>12}{:<2} {:>12} {:>9} {:>14}{:<2} {:>13.1f} {:>9.1f}", memory.rank,
             size_text(memory.peak_bytes), memory.is_lower_bound ? "+" : "", size_text(memory.device_bytes),
             percent_text(memory.share_of_device()), growth_text(memory.growth_per_step), memory.is_growing ? " !" : "",
             memory.allocations_per_step, memory.frees_per_step);
}

// "forward 1.20 GiB, other 300.00 MiB", the largest first.
std::string phases_of(const BytesByPhase& bytes) {
  std::vector<size_t> phases;
  for (size_t phase = 0; phase < kPhaseCount; ++phase)
    if (bytes[phase] != 0) phases.push_back(phase);
  std::stable_sort(phases.begin(), phases.end(), [&](size_t a, size_t b) { return bytes[a] > bytes[b]; });
  std::string text;
  for (const size_t phase : phases)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", kPhaseNames[phase], size_text(bytes[phase]));
  return text;
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

std::string memory_text(const Report& report) {
  const std::vector<MemoryOfRank>& table = report.metrics.memory;
  if (table.empty()) return {};
  TextLines lines;
  lines.line("\nMEMORY   (of the devices, by the calls that allocate and free it)");
  lines.line("  {:>5} {:>12}   {:>12} {:>9} {:>14}   {:>13} {:>9}", "rank", "peak", "device has", "share",
             fmt::format("growth a {}", report.unit()), "allocations", "frees");
  for (size_t i = 0; i < std::min(table.size(), kMostRankLines); ++i) memory_line(lines, table[i]);
  lines.left_out(table.size(), kMostRankLines);
  const auto fullest = std::max_element(table.begin(), table.end(), [](const MemoryOfRank& a, const MemoryOfRank& b) {
    return a.peak_bytes < b.peak_bytes;
  });
  if (fullest->peak_bytes > 0)
    lines.line("  rank {} at its peak, by the phase that allocated: {}", fullest->rank,
               phases_of(fullest->peak_by_phase));
  for (size_t i = 0; i < std::min(table.size(), kMostTableLines); ++i) allocator_line(lines, table[i]);
  if (std::any_of(table.begin(), table.end(), [](const MemoryOfRank& memory) { return memory.is_lower_bound; }))
    lines.line("  +: at least; some allocations are not recorded");
  return lines.take();
}

}  // namespace tauprof
