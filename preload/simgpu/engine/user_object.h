// Objects of the program that graphs keep alive (cudaUserObjectCreate): a pointer and its destructor. The destructor
// runs when the last reference is gone, be it the program's or that of a graph, an executable graph or a clone.
#pragma once

#include <driver_types.h>

#include "simgpu/engine/visibility.h"

namespace simgpu {

SIMGPU_API cudaError_t create_user_object(void* pointer, cudaHostFn_t destroy, unsigned references,
                                          cudaUserObject_t* out);
SIMGPU_API cudaError_t retain_user_object(cudaUserObject_t object, unsigned references);
SIMGPU_API cudaError_t release_user_object(cudaUserObject_t object, unsigned references);
// `moved`: the program gives its references to the graph.
SIMGPU_API cudaError_t keep_in_graph(cudaGraph_t graph, cudaUserObject_t object, unsigned references, bool moved);
SIMGPU_API cudaError_t release_from_graph(cudaGraph_t graph, cudaUserObject_t object, unsigned references);

}  // namespace simgpu
