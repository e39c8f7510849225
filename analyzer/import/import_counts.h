// Counts of a trace's events, by what became of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tauprof::kineto {

enum class Imported : uint8_t {
  kKernel,
  kCopy,
  kMemset,
  kSynchronization,
  kCall,
  kAnnotation,
  kOperator,
  kPython,
  kOtherRange,
  kMark,
  kMemory,
  kGraph,
  kCollective,  // made from the arguments of kernels, in addition to the kernels
};

// Left out on purpose: another event says the same, or no record could hold it.
enum class Skipped : uint8_t {
  kFlow,
  kMetadata,
  kCounter,
  kGpuAnnotation,
  kTraceSpan,
  kHostMemory,
  kOtherDevice,
  kOtherPhase,
};

// Lost: the event says too little, or makes no sense.
enum class Dropped : uint8_t {
  kMalformed,
  kNoPhase,
  kNoName,
  kNoTime,
  kBadTime,
  kNegativeDuration,
  kUnmatched,
  kTooManyThreads,
};

inline constexpr std::array<std::string_view, 13> kImportedNames = {"kernels",
                                                                    "copies",
                                                                    "memsets",
                                                                    "synchronizations",
                                                                    "runtime and driver calls",
                                                                    "annotations",
                                                                    "operators",
                                                                    "Python functions",
                                                                    "other ranges",
                                                                    "marks",
                                                                    "memory events",
                                                                    "launches of graphs",
                                                                    "collectives"};
inline constexpr std::array<std::string_view, 8> kSkippedNames = {"flow arrows",
                                                                  "metadata",
                                                                  "counters",
                                                                  "GPU copies of annotations",
                                                                  "the profiler's own spans",
                                                                  "host memory events",
                                                                  "other device rows",
                                                                  "events of other phases"};
inline constexpr std::array<std::string_view, 8> kDroppedNames = {"damaged JSON",
                                                                  "no phase",
                                                                  "no name",
                                                                  "no start or duration",
                                                                  "unreadable number",
                                                                  "negative duration",
                                                                  "begin or end without its other half",
                                                                  "too many threads"};

struct ImportCounts {
  std::array<uint64_t, kImportedNames.size()> imported{};
  std::array<uint64_t, kSkippedNames.size()> skipped{};
  std::array<uint64_t, kDroppedNames.size()> dropped{};

  void add(Imported kind) { ++imported[static_cast<size_t>(kind)]; }
  void add(Skipped reason) { ++skipped[static_cast<size_t>(reason)]; }
  void add(Dropped reason, uint64_t count = 1) { dropped[static_cast<size_t>(reason)] += count; }

  // Without the collectives, which are no events of their own.
  uint64_t imported_events() const {
    uint64_t sum = 0;
    for (size_t i = 0; i < static_cast<size_t>(Imported::kCollective); ++i) sum += imported[i];
    return sum;
  }
  uint64_t dropped_events() const {
    uint64_t sum = 0;
    for (const uint64_t count : dropped) sum += count;
    return sum;
  }
  void add(const ImportCounts& other) {
    for (size_t i = 0; i < imported.size(); ++i) imported[i] += other.imported[i];
    for (size_t i = 0; i < skipped.size(); ++i) skipped[i] += other.skipped[i];
    for (size_t i = 0; i < dropped.size(); ++i) dropped[i] += other.dropped[i];
  }
};

// The outcome of an import of traces.
struct ImportSummary {
  std::vector<std::string> messages;  // one line each, for stderr
  std::vector<std::string> logs;      // the logs written, in the order of the sources
  std::vector<std::string> sources;   // theirs
  size_t failed_files = 0;
  size_t damaged_files = 0;  // imported in part
  size_t ranks = 0;
  size_t runs = 0;
  ImportCounts counts;
};

}  // namespace tauprof::kineto
