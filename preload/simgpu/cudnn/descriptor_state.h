// The state of a backend descriptor: a kind and attributes, which may name other descriptors.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "simgpu/cudnn/cudnn_types.h"

namespace simgpu::cudnn {

struct DescriptorState;
using DescriptorRef = std::shared_ptr<const DescriptorState>;

struct Attribute {
  int type = 0;
  std::int64_t count = 0;
  std::vector<char> bytes;                 // all but descriptors
  std::vector<DescriptorRef> descriptors;  // as they were when the attribute was set
};

struct DescriptorState {
  int type = 0;
  bool is_final = false;
  std::map<int, Attribute> attributes;  // by name
};

// Null if it is not set or is not exactly one descriptor.
DescriptorRef named_descriptor(const DescriptorState& descriptor, int name);
// Empty if it is not set.
std::vector<std::int64_t> numbers(const DescriptorState& descriptor, int name);

}  // namespace simgpu::cudnn
