#include "simgpu/cudnn/backend_descriptor.h"

#include <algorithm>
#include <cstring>

#include "simgpu/cudnn/graph_cost.h"
#include "simgpu/cudnn/handle.h"

namespace simgpu::cudnn {
namespace {

constexpr std::int32_t kSharedBytes = 96 << 10;  // per block of the engine's kernels

std::size_t element_size(int attribute_type) {
  switch (attribute_type) {
    case kTypeBoolean:
    case kTypeChar:
      return 1;
    case kTypeHandle:
    case kTypeInt64:
    case kTypeDouble:
    case kTypeVoidPointer:
    case kTypeBackendDescriptor:
      return 8;
    case kTypeFraction:
      return 16;
    default:
      return 4;  // enumerations, float, int32
  }
}

template <typename Number>
Attribute number(int type, Number value) {
  Attribute attribute{.type = type, .count = 1};
  attribute.bytes.resize(sizeof value);
  std::memcpy(attribute.bytes.data(), &value, sizeof value);
  return attribute;
}

Attribute number(std::int64_t value) { return number(kTypeInt64, value); }

Attribute one_descriptor(DescriptorRef descriptor) {
  return {.type = kTypeBackendDescriptor, .count = 1, .descriptors = {std::move(descriptor)}};
}

// The recommendation of heuristics: the one engine, for the graph in question.
Attribute recommendation(const DescriptorState& heuristics) {
  auto engine = std::make_shared<DescriptorState>(DescriptorState{.type = kEngine, .is_final = true});
  engine->attributes[kEngineOperationGraph] = one_descriptor(named_descriptor(heuristics, kHeuristicsOperationGraph));
  engine->attributes[kEngineIndex] = number(0);
  auto config = std::make_shared<DescriptorState>(DescriptorState{.type = kEngineConfig, .is_final = true});
  config->attributes[kConfigEngine] = one_descriptor(engine);
  return one_descriptor(config);
}

// An attribute of a final descriptor that the program did not set.
Attribute derived_attribute(const DescriptorState& descriptor, int name) {
  if (descriptor.type == kEngineHeuristics && name == kHeuristicsResults) return recommendation(descriptor);
  if (descriptor.type == kOperationGraph && name == kGraphEngineCount) return number(1);
  if (descriptor.type == kEngineConfig && name == kConfigWorkspaceSize) return number(0);
  if (descriptor.type == kEngineConfig && name == kConfigSharedMemory) return number(kTypeInt32, kSharedBytes);
  if (descriptor.type == kExecutionPlan && name == kPlanWorkspaceSize) return number(0);
  return {};  // engines without notes and knobs, configurations without choices
}

Status give(const Attribute& attribute, std::int64_t wanted, std::int64_t* count, void* elements) {
  if (count != nullptr) *count = attribute.count;
  const auto given = static_cast<std::size_t>(std::clamp<std::int64_t>(wanted, 0, attribute.count));
  if (elements == nullptr || given == 0) return kSuccess;
  if (attribute.descriptors.empty()) {
    std::memcpy(elements, attribute.bytes.data(), given * element_size(attribute.type));
    return kSuccess;
  }
  for (std::size_t i = 0; i < given; ++i) {
    Descriptor* const out = static_cast<Descriptor**>(elements)[i];
    if (out == nullptr) return kBadParamNullPointer;
    out->state = std::make_shared<DescriptorState>(*attribute.descriptors[i]);
  }
  return kSuccess;
}

// The graph for which an engine is wanted. A graph on its own is not checked: it may be part of another's operation.
DescriptorRef graph_to_run(const DescriptorState& descriptor) {
  if (descriptor.type == kEngineHeuristics) return named_descriptor(descriptor, kHeuristicsOperationGraph);
  return descriptor.type == kEngine ? named_descriptor(descriptor, kEngineOperationGraph) : nullptr;
}

}  // namespace

Status set_attribute(Descriptor* descriptor, int name, int type, std::int64_t count, const void* elements) {
  if (descriptor == nullptr || (elements == nullptr && count > 0)) return kBadParamNullPointer;
  if (descriptor->state->is_final || count < 0) return fail(kBadParam, "the descriptor is final");
  Attribute attribute{.type = type, .count = count};
  if (type == kTypeBackendDescriptor) {
    for (std::int64_t i = 0; i < count; ++i) {
      const Descriptor* const named = static_cast<Descriptor* const*>(elements)[i];
      if (named == nullptr) return kBadParamNullPointer;
      attribute.descriptors.push_back(named->state);
    }
  } else if (count > 0) {
    const auto* bytes = static_cast<const char*>(elements);
    attribute.bytes.assign(bytes, bytes + static_cast<std::size_t>(count) * element_size(type));
  }
  descriptor->state->attributes[name] = std::move(attribute);
  return kSuccess;
}

Status get_attribute(const Descriptor* descriptor, int name, int type, std::int64_t wanted, std::int64_t* count,
                     void* elements) {
  if (descriptor == nullptr) return kBadParamNullPointer;
  const DescriptorState& state = *descriptor->state;
  if (!state.is_final) return fail(kBadParamNotFinalized, "the descriptor is not final");
  const auto found = state.attributes.find(name);
  const Attribute attribute = found != state.attributes.end() ? found->second : derived_attribute(state, name);
  if (attribute.count > 0 && attribute.type != type) return fail(kBadParam, "the attribute has another type");
  if (attribute.count == 0 && type == kTypeChar) return fail(kNotSupported, "no text is made of a descriptor");
  return give(attribute, wanted, count, elements);
}

Status finalize(Descriptor* descriptor) {
  if (descriptor == nullptr) return kBadParamNullPointer;
  DescriptorState& state = *descriptor->state;
  const DescriptorRef graph = graph_to_run(state);
  if (graph != nullptr && !can_run(*graph)) return fail(kNotSupported, "the graph is not simulated");
  state.is_final = true;
  return kSuccess;
}

}  // namespace simgpu::cudnn
