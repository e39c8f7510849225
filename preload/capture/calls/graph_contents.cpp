#include "capture/calls/graph_contents.h"

#include <string.h>

#include "capture/base/memory_budget.h"
#include "capture/base/number_map.h"
#include "capture/base/spin_lock.h"
#include "capture/base/zeroed_memory.h"
#include "capture/loader/library_calls.h"
#include "capture/loader/loaded_library.h"
#include "capture/rings/hook_info.h"
#include "capture/rings/thread_state.h"
#include "capture/rows/log_text.h"
#include "capture/rows/text_table.h"

namespace tauprof::capture {

GraphContents graph_contents;

namespace {

struct Driver {
#define TAUPROF_CUDA(member, name) decltype(&::name) member;
#include "capture/calls/graph_driver.def"

  // False: the driver lacks one, as before CUDA 12.3.
  bool find() {
    bool has_all = true;
#define TAUPROF_CUDA(member, name)                                                   \
  member = reinterpret_cast<decltype(member)>(loaded_function("libcuda.so", #name)); \
  has_all &= member != nullptr;
#include "capture/calls/graph_driver.def"
    return has_all;
  }
};

Driver driver;
bool has_driver;
bool driver_was_sought;
uint32_t driver_generation;

bool find_driver() {
  static uint32_t lock;
  const SpinLock guard(lock);
  const uint32_t generation = __atomic_load_n(&library_generation, __ATOMIC_ACQUIRE);
  if (!driver_was_sought || driver_generation != generation) has_driver = driver.find();
  driver_was_sought = true;
  driver_generation = generation;
  return has_driver;
}

const char* name_of(const CUDA_KERNEL_NODE_PARAMS& kernel) {
  const char* name = nullptr;
  if (kernel.func != nullptr)
    driver.function_name(&name, kernel.func);
  else if (kernel.kern != nullptr)
    driver.kernel_name(&name, kernel.kern);
  return name;
}

uint64_t size_of(const CUDA_MEMCPY3D& copy) { return copy.WidthInBytes * copy.Height * copy.Depth; }
uint64_t size_of(const CUDA_MEMSET_NODE_PARAMS& fill) { return fill.elementSize * fill.width * fill.height; }

}  // namespace

bool GraphContents::has_kernel(CUgraphNode node, const char* name) {
  const OwnCalls own;
  CUDA_KERNEL_NODE_PARAMS kernel;
  if (name == nullptr || !find_driver() || driver.kernel(node, &kernel) != CUDA_SUCCESS) return false;
  const char* const known = name_of(kernel);
  return known != nullptr && strcmp(known, name) == 0;
}

bool GraphContents::copies(CUgraphNode node, uint64_t bytes) {
  const OwnCalls own;
  CUDA_MEMCPY3D copy;
  return find_driver() && driver.copy(node, &copy) == CUDA_SUCCESS && size_of(copy) == bytes;
}

bool GraphContents::fills(CUgraphNode node, uint64_t bytes) {
  const OwnCalls own;
  CUDA_MEMSET_NODE_PARAMS fill;
  return find_driver() && driver.fill(node, &fill) == CUDA_SUCCESS && size_of(fill) == bytes;
}

bool GraphContents::take_node(uint32_t mark, CUgraphNode node, uint64_t& count) {
  CUgraphNodeType type;
  if (driver.type(node, &type) != CUDA_SUCCESS) return false;
  CUgraph inner;
  if (type == CU_GRAPH_NODE_TYPE_GRAPH)
    return driver.inner(node, &inner) == CUDA_SUCCESS && take_nodes(mark, inner, count);
  ++count;
  Item item{};
  item.mark = mark;
  item.count = 1;
  switch (type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: {
      CUDA_KERNEL_NODE_PARAMS kernel;
      if (driver.kernel(node, &kernel) != CUDA_SUCCESS) return false;
      const char* const name = name_of(kernel);
      if (name == nullptr) return false;
      item.kind = log::GraphItem::kKernel;
      item.name = text_table.number_of(name);
      return add(item);
    }
    case CU_GRAPH_NODE_TYPE_MEMCPY: {
      CUDA_MEMCPY3D copy;
      if (driver.copy(node, &copy) != CUDA_SUCCESS) return false;
      item.kind = log::GraphItem::kCopy;
      item.bytes = size_of(copy);
      return add(item);
    }
    case CU_GRAPH_NODE_TYPE_MEMSET: {
      CUDA_MEMSET_NODE_PARAMS fill;
      if (driver.fill(node, &fill) != CUDA_SUCCESS) return false;
      item.kind = log::GraphItem::kFill;
      item.bytes = size_of(fill);
      return add(item);
    }
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      item.kind = log::GraphItem::kConditional;
      add(item);
      return false;
    default:
      return true;
  }
}

// Looks at all nodes even if one of them is not known.
bool GraphContents::take_nodes(uint32_t mark, CUgraph graph, uint64_t& count) {
  size_t listed = 0;
  if (driver.nodes(graph, nullptr, &listed) != CUDA_SUCCESS) return false;
  if (__atomic_add_fetch(&nodes_asked_, listed, __ATOMIC_RELAXED) > kMostNodes) return false;
  if (listed == 0) return true;
  const size_t bytes = listed * sizeof(CUgraphNode);
  auto* const list = static_cast<CUgraphNode*>(map_zeros(bytes));
  if (list == nullptr) return false;
  bool are_known = driver.nodes(graph, list, &listed) == CUDA_SUCCESS;
  if (!are_known) listed = 0;
  for (size_t i = 0; i < listed; ++i) are_known &= take_node(mark, list[i], count);
  munmap(list, bytes);
  return are_known;
}

void GraphContents::ask(uint32_t mark, CUgraph graph) {
  const OwnCalls own;
  uint64_t nodes = 0;
  if (find_driver() && take_nodes(mark, graph, nodes)) {
    Item all{};
    all.mark = mark;
    all.kind = log::GraphItem::kNodes;
    all.count = nodes;
    add(all);
  }
  const SpinLock lock(lock_);
  for (uint32_t i = 0; i < count_; ++i)
    if (items_[i].mark == mark) items_[i].is_final = true;
  __atomic_add_fetch(&version_, 1, __ATOMIC_RELEASE);
}

void GraphContents::add_gemm(uint32_t mark, uint16_t function, uint64_t batch, const ShapeUnit& shape) {
  Item item{};
  item.mark = mark;
  item.kind = log::GraphItem::kGemm;
  item.name = function;
  item.count = 1;
  item.bytes = batch;
  item.shape = shape;
  add(item);
}

// Under the lock the list only grows, so that its positions stay what they are.
void GraphContents::add_gemms_of(uint32_t part, uint32_t mark) {
  const uint32_t known = __atomic_load_n(&count_, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; part != 0 && i < known; ++i) {
    Item item;
    {
      const SpinLock lock(lock_);
      item = items_[i];
    }
    if (item.mark != part || item.kind != log::GraphItem::kGemm) continue;
    item.mark = mark;
    item.is_final = item.is_written = false;
    add(item);
  }
}

bool GraphContents::make_tables() {
  if (slots_ != nullptr) return true;
  items_ = static_cast<Item*>(map_zeros(kMost * sizeof(Item)));
  if (items_ != nullptr) slots_ = static_cast<uint16_t*>(map_zeros(2 * kMost * sizeof(uint16_t)));
  return slots_ != nullptr;
}

uint16_t& GraphContents::slot_of(const Item& item) {
  const ShapeUnit& shape = item.shape;
  uint64_t hash = mix(mix(item.mark, item.name), item.bytes + static_cast<uint64_t>(item.kind));
  hash = mix(mix(mix(hash, shape.m), shape.n), shape.k);
  for (;; ++hash) {
    uint16_t& slot = slots_[hash % (2 * kMost)];
    if (slot == 0) return slot;
    const Item& known = items_[slot - 1];
    if (known.mark == item.mark && known.kind == item.kind && known.name == item.name && known.bytes == item.bytes &&
        memcmp(&known.shape, &shape, sizeof shape) == 0)
      return slot;
  }
}

// Once an item has found no room, no later graph is known as a whole.
bool GraphContents::add(const Item& item) {
  constexpr uint32_t kSome = 64;
  const SpinLock lock(lock_);
  if (is_full_ || !make_tables()) return false;
  uint16_t& slot = slot_of(item);
  if (slot != 0) {
    items_[slot - 1].count += item.count;
    return true;
  }
  is_full_ = count_ == kMost || (count_ % kSome == 0 && !memory_budget.take(kSome * sizeof(Item)));
  if (is_full_) return false;
  items_[count_] = item;
  slot = static_cast<uint16_t>(++count_);
  return true;
}

void GraphContents::write_rows(log::Writer& writer) {
  const uint32_t version = __atomic_load_n(&version_, __ATOMIC_ACQUIRE);
  if (version == written_version_) return;
  written_version_ = version;
  for (uint32_t i = 0; i < __atomic_load_n(&count_, __ATOMIC_ACQUIRE); ++i) {
    Item item;
    {
      const SpinLock lock(lock_);
      item = items_[i];
      if (item.is_final) items_[i].is_written = true;
    }
    if (!item.is_final || item.is_written) continue;
    log::GraphContent row{};
    row.item = i + 1;
    row.graph = item.mark;
    row.kind = static_cast<int64_t>(item.kind);
    row.count = static_cast<int64_t>(item.count);
    if (item.kind == log::GraphItem::kGemm) {
      row.name = intern(writer, function_name(static_cast<uint16_t>(item.name)));
      row.batch = static_cast<int64_t>(item.bytes);
      row.m = static_cast<int64_t>(item.shape.m);
      row.n = static_cast<int64_t>(item.shape.n);
      (item.shape.shapes_differ != 0 ? row.products : row.k) = static_cast<int64_t>(item.shape.k);
      row.type_a = item.shape.type_a;
      row.type_b = item.shape.type_b;
      row.type_compute = item.shape.type_compute;
      row.transpose = item.shape.transpose;
      row.form = item.shape.form;
    } else {
      row.bytes = static_cast<int64_t>(item.bytes);
      if (const TextTable::Text* text = text_table.text(item.name)) row.name = writer.intern(text->bytes, text->size);
    }
    writer.append(row);
  }
}

}  // namespace tauprof::capture
