// The descriptors of cuDNN's backend (graph) interface: a kind and attributes, which may name other descriptors.
//
// A program describes tensors and operations, puts operations into a graph, asks heuristics for configurations of
// engines that can run it, makes a plan of one, and executes the plan with a pack of pointers. Here one engine can run
// every graph of which graph_cost.h knows the cost.
#pragma once

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

// What the program holds. Others that name it share its state, so that it can be destroyed before them.
struct Descriptor {
  std::shared_ptr<DescriptorState> state;
};

// Null: not set, or not one descriptor.
DescriptorRef named_descriptor(const DescriptorState& descriptor, int name);
// Empty: not set.
std::vector<std::int64_t> numbers(const DescriptorState& descriptor, int name);

Status set_attribute(Descriptor* descriptor, int name, int type, std::int64_t count, const void* elements);
Status get_attribute(const Descriptor* descriptor, int name, int type, std::int64_t wanted, std::int64_t* count,
                     void* elements);
Status finalize(Descriptor* descriptor);

}  // namespace simgpu::cudnn
