#include "simgpu/engine/user_object.h"

#include <algorithm>
#include <map>
#include <vector>

#include "simgpu/engine/streams/graph_state.h"
#include "simgpu/engine/timeline/engine_lock.h"

namespace simgpu {
namespace {

// The program's references. Dead entries stay until their address is used again.
struct Reference {
  std::shared_ptr<UserObject> strong;  // null: the program has released its references
  std::weak_ptr<UserObject> weak;
  unsigned count = 0;
};

// Needs the engine's lock.
std::map<cudaUserObject_t, Reference>& references() {
  static auto& all = *new std::map<cudaUserObject_t, Reference>;
  return all;
}

Reference* find_reference(cudaUserObject_t object) {
  const auto found = references().find(object);
  return found == references().end() || found->second.weak.expired() ? nullptr : &found->second;
}

// The destructor is the program's code, so the result must be destroyed without the engine's lock.
std::shared_ptr<UserObject> drop(Reference* reference, unsigned count) {
  reference->count -= count;
  return reference->count > 0 ? nullptr : std::move(reference->strong);
}

}  // namespace

cudaError_t create_user_object(void* pointer, cudaHostFn_t destroy, unsigned count, cudaUserObject_t* out) {
  if (out == nullptr || destroy == nullptr || count == 0) return cudaErrorInvalidValue;
  auto object = std::make_shared<UserObject>(pointer, destroy);
  *out = reinterpret_cast<cudaUserObject_t>(object.get());
  const std::lock_guard<std::mutex> lock(engine_lock());
  references()[*out] = {object, object, count};
  return cudaSuccess;
}

cudaError_t retain_user_object(cudaUserObject_t object, unsigned count) {
  const std::lock_guard<std::mutex> lock(engine_lock());
  Reference* const reference = find_reference(object);
  if (reference == nullptr || count == 0) return cudaErrorInvalidValue;
  if (reference->strong == nullptr) reference->strong = reference->weak.lock();
  reference->count += count;
  return cudaSuccess;
}

cudaError_t release_user_object(cudaUserObject_t object, unsigned count) {
  std::shared_ptr<UserObject> last;
  const std::lock_guard<std::mutex> lock(engine_lock());
  Reference* const reference = find_reference(object);
  if (reference == nullptr || count == 0 || count > reference->count) return cudaErrorInvalidValue;
  last = drop(reference, count);
  return cudaSuccess;
}

cudaError_t keep_in_graph(cudaGraph_t graph, cudaUserObject_t object, unsigned count, bool moved) {
  std::shared_ptr<UserObject> last;
  const std::lock_guard<std::mutex> lock(engine_lock());
  const auto found = GraphRegistry::get().graphs.find(graph);
  Reference* const reference = find_reference(object);
  if (found == nullptr || reference == nullptr || count == 0) return cudaErrorInvalidValue;
  if (moved && count > reference->count) return cudaErrorInvalidValue;
  found->kept.insert(found->kept.end(), count, reference->weak.lock());
  if (moved) last = drop(reference, count);
  return cudaSuccess;
}

cudaError_t release_from_graph(cudaGraph_t graph, cudaUserObject_t object, unsigned count) {
  std::vector<std::shared_ptr<UserObject>> dropped;
  const std::lock_guard<std::mutex> lock(engine_lock());
  const auto found = GraphRegistry::get().graphs.find(graph);
  if (found == nullptr || count == 0) return cudaErrorInvalidValue;
  auto& kept = found->kept;
  const auto is_object = [object](const std::shared_ptr<UserObject>& one) {
    return reinterpret_cast<cudaUserObject_t>(one.get()) == object;
  };
  if (std::count_if(kept.begin(), kept.end(), is_object) < static_cast<std::ptrdiff_t>(count)) {
    return cudaErrorInvalidValue;
  }
  for (unsigned i = 0; i < count; ++i) {
    const auto one = std::find_if(kept.begin(), kept.end(), is_object);
    dropped.push_back(std::move(*one));
    kept.erase(one);
  }
  return cudaSuccess;
}

}  // namespace simgpu
