// The operations of a training job that an operation trace tells apart, by the names that the traces use.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tauprof {

// In the order of their names, which decides between operations that start together.
enum class OperationType : uint8_t {
  kBackwardCompute,
  kBackwardReceive,
  kBackwardSend,
  kEmbeddingReduction,
  kForwardCompute,
  kForwardReceive,
  kForwardSend,
  kGarbageCollection,
  kGradientScatter,
  kLayernormReduction,
  kOptimizer,
  kClipping,
  kParameterGather,
  kSeparateReduction,
};
inline constexpr std::array<std::string_view, 14> kOperationTypeNames = {"backward-compute",
                                                                         "backward-recv",
                                                                         "backward-send",
                                                                         "embedding-grads-all-reduce",
                                                                         "forward-compute",
                                                                         "forward-recv",
                                                                         "forward-send",
                                                                         "gc",
                                                                         "grads-reduce-scatter",
                                                                         "layernorm-grads-all-reduce",
                                                                         "optimizer",
                                                                         "optimizer-clip-main-grad",
                                                                         "params-all-gather",
                                                                         "separate-grads-all-reduce"};
inline constexpr size_t kOperationTypeCount = kOperationTypeNames.size();

inline std::string_view name_of(OperationType type) { return kOperationTypeNames[static_cast<size_t>(type)]; }

inline std::optional<OperationType> operation_type_named(std::string_view name) {
  for (size_t i = 0; i < kOperationTypeCount; ++i)
    if (kOperationTypeNames[i] == name) return static_cast<OperationType>(i);
  return std::nullopt;
}

// Carried out by all data-parallel ranks of a stage together, and only where there are several.
inline bool is_data_parallel(OperationType type) {
  return type == OperationType::kParameterGather || type == OperationType::kGradientScatter ||
         type == OperationType::kSeparateReduction;
}

// Messages between pipeline stages. Reports show those of one direction as one operation.
inline constexpr std::string_view kForwardMessages = "forward-pp-comm";
inline constexpr std::string_view kBackwardMessages = "backward-pp-comm";
inline std::string_view reported_name_of(OperationType type) {
  switch (type) {
    case OperationType::kForwardSend:
    case OperationType::kForwardReceive:
      return kForwardMessages;
    case OperationType::kBackwardSend:
    case OperationType::kBackwardReceive:
      return kBackwardMessages;
    default:
      return name_of(type);
  }
}

}  // namespace tauprof
