#include "simgpu/cudnn/descriptor_state.h"

#include <cstring>

namespace simgpu::cudnn {

DescriptorRef named_descriptor(const DescriptorState& descriptor, int name) {
  const auto found = descriptor.attributes.find(name);
  if (found == descriptor.attributes.end() || found->second.descriptors.size() != 1) return nullptr;
  return found->second.descriptors.front();
}

std::vector<std::int64_t> numbers(const DescriptorState& descriptor, int name) {
  const auto found = descriptor.attributes.find(name);
  if (found == descriptor.attributes.end() || found->second.type != kTypeInt64) return {};
  std::vector<std::int64_t> values(static_cast<std::size_t>(found->second.count));
  if (!values.empty()) std::memcpy(values.data(), found->second.bytes.data(), found->second.bytes.size());
  return values;
}

}  // namespace simgpu::cudnn
