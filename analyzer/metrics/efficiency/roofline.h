// The limit that bounds device work: the device's rate of multiplication, its memory bandwidth, or the duration of its
// shortest kernel.
//
// Each of these says how long the work takes at least, and the greatest of them bounds it. Example: on an H200
// (989.5 TFLOP/s in BF16, 4.8 TB/s), where the shortest kernel takes 2 µs, a product of 4096³ takes at least 139 µs to
// compute and 21 µs to move 101 MB: computing bounds it. One of 4096² with 8 columns takes 0.3 µs and 7 µs: memory
// does. One of 256³: 0.03 µs and 0.08 µs: neither does, it takes what any kernel takes (latency).
//
// Where bytes are only known between two bounds, memory bounds the work if that follows from the least, and does not if
// that follows from the most; else it is not known. How near to that bound the work is, is then not known either. Work
// that is faster than that says that the bound is none: the data came from a cache, or the peak is another one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "model/known_work.h"
#include "model/time.h"

namespace tauprof {

enum class Bound : uint8_t { kCompute, kMemory, kLatency };
inline constexpr std::array<std::string_view, 3> kBoundNames = {"compute", "memory", "latency"};

// Of work on one or several devices, in sum.
struct LeastTimes {
  double computing_ns = 0;
  double moving_ns = 0;
  double moving_at_most_ns = 0;
  bool is_known = true;  // of all of it

  // `flops` of that precision and these bytes on the device with that name, of which `peaks` are the peaks.
  void add(double flops, Precision precision, const MovedBytes& bytes, const PerPrecision<double>& peaks,
           std::string_view device_name);
};

struct Roofline {
  std::optional<Bound> bound;            // empty: not known
  std::optional<double> share_of_bound;  // of its time that the bound alone would take
};

// Of work that ran `count` times. `shortest_ns`: of the kernels of the run.
Roofline roofline_of(const LeastTimes& least, uint64_t count, Nanoseconds total, double shortest_ns);

}  // namespace tauprof
