// Stream capture.
#include <vector>

#include "simgpu/cudart/capture_reply.h"
#include "simgpu/cudart/runtime_call.h"
#include "simgpu/engine/graph.h"

namespace simgpu {

cudaError_t reply_capture_info(cudaStream_t handle, DefaultStream meaning, const CaptureReply& reply) {
  const StreamRef stream = find_stream(handle, meaning);
  if (reply.status == nullptr) return cudaErrorInvalidValue;
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  CaptureInfo info;
  const cudaError_t error = capture_info(stream, &info);
  if (error != cudaSuccess) return error;
  *reply.status = info.status;
  if (info.status != cudaStreamCaptureStatusActive) return cudaSuccess;
  // The documentation says "valid until the next call on the stream"; here, until the next call on this thread.
  thread_local std::vector<cudaGraphNode_t> dependencies;
  dependencies = std::move(info.dependencies);
  if (reply.id != nullptr) *reply.id = info.id;
  if (reply.graph != nullptr) *reply.graph = info.graph;
  if (reply.dependencies != nullptr) *reply.dependencies = dependencies.data();
  if (reply.edges != nullptr) *reply.edges = nullptr;  // all edges are of the default kind
  if (reply.dependency_count != nullptr) *reply.dependency_count = dependencies.size();
  return cudaSuccess;
}

cudaError_t update_dependencies(cudaStream_t handle, DefaultStream meaning, const cudaGraphNode_t* nodes,
                                std::size_t count, unsigned flags) {
  const StreamRef stream = find_stream(handle, meaning);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (flags > cudaStreamSetCaptureDependencies || (nodes == nullptr && count > 0)) return cudaErrorInvalidValue;
  return update_capture_dependencies(stream, {nodes, nodes + count}, flags == cudaStreamSetCaptureDependencies);
}

RUNTIME_TWINS(cudaStreamBeginCapture, _ptsz, v10000, v10000, (cudaStream_t stream, cudaStreamCaptureMode mode),
              (stream, mode)) {
  const StreamRef found = find_stream(stream, default_stream);
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
  return found == nullptr ? cudaErrorInvalidResourceHandle : begin_capture(found, mode);
}

RUNTIME_TWINS(cudaStreamEndCapture, _ptsz, v10000, v10000, (cudaStream_t stream, cudaGraph_t* pGraph),
              (stream, pGraph)) {
  const StreamRef found = find_stream(stream, default_stream);
  if (pGraph == nullptr) return cudaErrorInvalidValue;
  return found == nullptr ? cudaErrorInvalidResourceHandle : end_capture(found, pGraph);
}

RUNTIME_TWINS(cudaStreamIsCapturing, _ptsz, v10000, v10000,
              (cudaStream_t stream, cudaStreamCaptureStatus* pCaptureStatus), (stream, pCaptureStatus)) {
  return reply_capture_info(stream, default_stream, {.status = pCaptureStatus});
}

RUNTIME_RENAMED_TWINS(RENAMED_IN_12(cudaStreamGetCaptureInfo, _v3), cudaStreamGetCaptureInfo, _ptsz, v12030, v12030,
                      (cudaStream_t stream, cudaStreamCaptureStatus* captureStatus_out, unsigned long long* id_out,
                       cudaGraph_t* graph_out, const cudaGraphNode_t** dependencies_out,
                       const cudaGraphEdgeData** edgeData_out, std::size_t* numDependencies_out),
                      (stream, captureStatus_out, id_out, graph_out, dependencies_out, edgeData_out,
                       numDependencies_out)) {
  return reply_capture_info(
      stream, default_stream,
      {captureStatus_out, id_out, graph_out, dependencies_out, edgeData_out, numDependencies_out});
}

RUNTIME_RENAMED_TWINS(RENAMED_IN_12(cudaStreamUpdateCaptureDependencies, _v2), cudaStreamUpdateCaptureDependencies,
                      _ptsz, v12030, v12030,
                      (cudaStream_t stream, cudaGraphNode_t* dependencies, const cudaGraphEdgeData* dependencyData,
                       std::size_t numDependencies, unsigned flags),
                      (stream, dependencies, dependencyData, numDependencies, flags)) {
  static_cast<void>(dependencyData);
  return update_dependencies(stream, default_stream, dependencies, numDependencies, flags);
}

RUNTIME_CALL(cudaThreadExchangeStreamCaptureMode, v10010, (cudaStreamCaptureMode * mode), (mode)) {
  if (mode == nullptr) return cudaErrorInvalidValue;
  return exchange_capture_mode(mode);
}

}  // namespace simgpu
