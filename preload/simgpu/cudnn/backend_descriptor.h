// The descriptors of cuDNN's backend (graph) interface.
//
// A program describes tensors and operations, puts operations into a graph, asks heuristics for configurations of
// engines that can run the graph, makes a plan from one, and executes the plan with a pack of pointers. Here one engine
// runs every graph whose cost graph_cost.h knows.
#pragma once

#include <cstdint>
#include <memory>

#include "simgpu/cudnn/cudnn_types.h"
#include "simgpu/cudnn/descriptor_state.h"

namespace simgpu::cudnn {

// The program's handle. Descriptors that name it share its state, so it may be destroyed before them.
struct Descriptor {
  std::shared_ptr<DescriptorState> state;
};

Status set_attribute(Descriptor* descriptor, int name, int type, std::int64_t count, const void* elements);
Status get_attribute(const Descriptor* descriptor, int name, int type, std::int64_t wanted, std::int64_t* count,
                     void* elements);
Status finalize(Descriptor* descriptor);

}  // namespace simgpu::cudnn
