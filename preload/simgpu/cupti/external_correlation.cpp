#include "simgpu/cupti/external_correlation.h"

#include <array>
#include <vector>

namespace simgpu::cupti {
namespace {

thread_local std::array<std::vector<std::uint64_t>, CUPTI_EXTERNAL_CORRELATION_KIND_SIZE> ids;

}  // namespace

bool is_external_kind(CUpti_ExternalCorrelationKind kind) {
  return kind > CUPTI_EXTERNAL_CORRELATION_KIND_INVALID && kind < CUPTI_EXTERNAL_CORRELATION_KIND_SIZE;
}

void push_external_id(CUpti_ExternalCorrelationKind kind, std::uint64_t id) { ids[kind].push_back(id); }

std::optional<std::uint64_t> pop_external_id(CUpti_ExternalCorrelationKind kind) {
  const auto top = top_external_id(kind);
  if (top) ids[kind].pop_back();
  return top;
}

std::optional<std::uint64_t> top_external_id(CUpti_ExternalCorrelationKind kind) {
  if (ids[kind].empty()) return std::nullopt;
  return ids[kind].back();
}

}  // namespace simgpu::cupti
