// The external ids that the calling thread has pushed: one stack for each kind.
#pragma once

#include <cupti.h>

#include <cstdint>
#include <optional>

namespace simgpu::cupti {

bool is_external_kind(CUpti_ExternalCorrelationKind kind);
void push_external_id(CUpti_ExternalCorrelationKind kind, std::uint64_t id);
std::optional<std::uint64_t> pop_external_id(CUpti_ExternalCorrelationKind kind);
std::optional<std::uint64_t> top_external_id(CUpti_ExternalCorrelationKind kind);

}  // namespace simgpu::cupti
