// The latency and bandwidth of one kind of collective, over a range of sizes (docs/metrics.md, "Latency and
// bandwidth").
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

#include "log/format.h"
#include "metrics/link_model/transfer_line.h"
#include "model/collective_algorithm.h"

namespace tauprof {

// Collectives that one line may describe. Ranks on one host are linked otherwise than ranks on several.
struct LinkKind {
  log::Operation operation = log::Operation::kUnknown;
  int32_t ranks = 0;
  int32_t hosts = 0;  // that the communicator spans; 0: not known
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::kUnknown;

  auto key() const { return std::tuple(operation, ranks, hosts, algorithm); }
  bool operator<(const LinkKind& other) const { return key() < other.key(); }
};

// Why a latency or a bandwidth is not known.
enum class LinkUnknown : uint8_t { kNothing, kOneSize, kFewSizes, kNarrowSizes, kLatency, kBandwidth, kBoth };

struct LinkFit {
  LinkKind kind;
  bool is_inferred = false;  // the algorithm, from the latencies at several communicator sizes
  int32_t steps = 0;         // that the latency is divided by
  double factor = 0;         // bytes on the busiest link per byte of the size
  int64_t from_bytes = 0;    // sizes S
  int64_t to_bytes = 0;
  uint64_t sizes = 0;
  uint64_t count = 0;                // collectives
  std::optional<TransferLine> line;  // over factor × S; none: the sizes do not spread
  // The same, good for times near these sizes; none: less than three sizes. Where they do not spread, a bend of the
  // curve looks the same as a latency, so its terms say nothing by themselves.
  std::optional<TransferLine> nearby;

  std::optional<double> alpha_us() const {
    if (!line || !line->knows_latency()) return std::nullopt;
    return line->latency_ns / steps / 1e3;
  }
  std::optional<double> beta_gb_per_s() const {
    if (!line || !line->knows_ns_per_byte()) return std::nullopt;
    return 1 / line->ns_per_byte;
  }
  LinkUnknown unknown() const;
};

}  // namespace tauprof
