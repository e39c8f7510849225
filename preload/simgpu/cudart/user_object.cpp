// Objects of the program that graphs keep alive.
#include "simgpu/engine/user_object.h"

#include "simgpu/cudart/runtime_call.h"

namespace simgpu {

// "The only flag … is cudaUserObjectNoDestructorSync, which is required".
RUNTIME_CALL(cudaUserObjectCreate, v11030,
             (cudaUserObject_t * object_out, void* ptr, cudaHostFn_t destroy, unsigned initialRefcount, unsigned flags),
             (object_out, ptr, destroy, initialRefcount, flags)) {
  if (flags != cudaUserObjectNoDestructorSync) return cudaErrorInvalidValue;
  return create_user_object(ptr, destroy, initialRefcount, object_out);
}

RUNTIME_CALL(cudaUserObjectRetain, v11030, (cudaUserObject_t object, unsigned count), (object, count)) {
  return retain_user_object(object, count);
}

RUNTIME_CALL(cudaUserObjectRelease, v11030, (cudaUserObject_t object, unsigned count), (object, count)) {
  return release_user_object(object, count);
}

RUNTIME_CALL(cudaGraphRetainUserObject, v11030,
             (cudaGraph_t graph, cudaUserObject_t object, unsigned count, unsigned flags),
             (graph, object, count, flags)) {
  if (flags > cudaGraphUserObjectMove) return cudaErrorInvalidValue;
  return keep_in_graph(graph, object, count, flags == cudaGraphUserObjectMove);
}

RUNTIME_CALL(cudaGraphReleaseUserObject, v11030, (cudaGraph_t graph, cudaUserObject_t object, unsigned count),
             (graph, object, count)) {
  return release_from_graph(graph, object, count);
}

}  // namespace simgpu
