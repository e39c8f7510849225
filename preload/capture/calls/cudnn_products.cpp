#include "capture/calls/cudnn_products.h"

#include "capture/base/number_map.h"
#include "capture/base/zeroed_memory.h"

namespace tauprof::capture {

CudnnProducts cudnn_products;

namespace {

using log::ProductForm;

// Numbers of cudnn_graph.h.
enum DescriptorType {
  kEngine = 2,
  kEngineConfig = 3,
  kEngineHeuristics = 4,
  kPlan = 5,
  kConvolutionForward = 10,
  kConvolutionFilter = 11,
  kConvolutionData = 12,
  kGraph = 15,
  kTensor = 17,
  kMatmul = 19,
  kAttentionForward = 41,
  kAttentionBackward = 43,
};
enum AttributeType { kOfDescriptors = 15 };
enum AttributeName {
  kOperations = 801,
  kDataType = 901,
  kDimensions = 902,
  kRaggedOffset = 913,
};

// The part that a tensor has in an operation.
enum class Part : uint8_t {
  kWeight,   // n × k
  kOutput,   // m positions
  kLeft,     // k inside
  kResult,   // m × n
  kQueries,  // m
  kKeys,     // n
  kValues,
  kLengths,  // only the device knows how long things are
};

struct NamedPart {
  int16_t first, last;  // attributes
  Part part;
};
constexpr NamedPart kParts[] = {
    {703, 703, Part::kWeight},    {705, 705, Part::kOutput},    {709, 709, Part::kWeight},
    {711, 711, Part::kOutput},    {715, 715, Part::kWeight},    {717, 717, Part::kOutput},
    {1520, 1520, Part::kLeft},    {1522, 1522, Part::kResult},  {1525, 1527, Part::kLengths},
    {2800, 2800, Part::kQueries}, {2801, 2801, Part::kKeys},    {2802, 2802, Part::kValues},
    {2806, 2810, Part::kLengths}, {2820, 2821, Part::kLengths}, {2851, 2851, Part::kQueries},
    {2852, 2852, Part::kKeys},    {2853, 2853, Part::kValues},  {2857, 2858, Part::kLengths},
    {2865, 2866, Part::kLengths},
};

struct NamedForm {
  int type;
  ProductForm form;
  uint8_t of_keys, of_values;  // of attention: products with the width of a key, and of a value
};
constexpr NamedForm kForms[] = {
    {kConvolutionForward, ProductForm::kConvolution, 0, 0},
    {kConvolutionFilter, ProductForm::kConvolutionFilter, 0, 0},
    {kConvolutionData, ProductForm::kConvolutionData, 0, 0},
    {kMatmul, ProductForm::kMatrices, 0, 0},
    {kAttentionForward, ProductForm::kAttention, 1, 1},
    {kAttentionBackward, ProductForm::kAttentionBackward, 3, 2},
};

const NamedForm* form_of(int type) {
  for (const NamedForm& named : kForms)
    if (named.type == type) return &named;
  return nullptr;
}

bool is_on_the_way_to_a_plan(int type) { return (type >= kEngine && type <= kPlan) || type == kGraph; }

char gone;
const void* const kGone = &gone;
constexpr uint32_t kMostLooks = 64;  // far more than it takes where half of the table is free

}  // namespace

log::DataType type_of_cudnn(int type) {
  using log::DataType;
  constexpr DataType kTypes[] = {DataType::kFloat32,    DataType::kFloat64,   DataType::kFloat16, DataType::kInt8,
                                 DataType::kInt32,      DataType::kUnknown,   DataType::kUint8,   DataType::kUnknown,
                                 DataType::kUnknown,    DataType::kBfloat16,  DataType::kInt64,   DataType::kUnknown,
                                 DataType::kFloat8E4M3, DataType::kFloat8E5M2};
  constexpr int kKnown = sizeof kTypes / sizeof *kTypes;
  return type >= 0 && type < kKnown ? kTypes[type] : DataType::kUnknown;
}

uint64_t CudnnProducts::Tensor::size(uint32_t first, uint32_t last) const {
  uint64_t size = 1;
  for (uint32_t i = first; i < last && i < count; ++i) size *= sizes[i];
  return size;
}

CudnnProducts::Descriptor* CudnnProducts::find(const void* handle) const {
  Descriptor* const all = __atomic_load_n(&descriptors_, __ATOMIC_ACQUIRE);
  if (all == nullptr || handle == nullptr) return nullptr;
  const uint64_t hash = mix(reinterpret_cast<uintptr_t>(handle), kMost);
  for (uint32_t i = 0; i < kMostLooks; ++i) {
    Descriptor& one = all[(hash + i) % kMost];
    const void* const known = __atomic_load_n(&one.handle, __ATOMIC_ACQUIRE);
    if (known == handle) return &one;
    if (known == nullptr) return nullptr;
  }
  return nullptr;
}

void CudnnProducts::created(const void* descriptor, int type) {
  if (__atomic_load_n(&descriptors_, __ATOMIC_ACQUIRE) == nullptr) {
    constexpr size_t kBytes = kMost * sizeof(Descriptor);
    auto* const made = static_cast<Descriptor*>(map_zeros(kBytes));
    if (made == nullptr) return;
    Descriptor* none = nullptr;
    if (!__atomic_compare_exchange_n(&descriptors_, &none, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      munmap(made, kBytes);
  }
  const uint64_t hash = mix(reinterpret_cast<uintptr_t>(descriptor), kMost);
  for (uint32_t i = 0; i < kMostLooks; ++i) {
    Descriptor& one = descriptors_[(hash + i) % kMost];
    const void* known = __atomic_load_n(&one.handle, __ATOMIC_ACQUIRE);
    if (known != nullptr && known != kGone) continue;
    if (!__atomic_compare_exchange_n(&one.handle, &known, descriptor, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      continue;
    one.type = type;
    one.tensor = {};
    if (const NamedForm* const named = form_of(type)) one.product = {0, 0, 0, 1, named->form, {}, 1, false, false};
    return;
  }
}

void CudnnProducts::destroyed(const void* descriptor) {
  if (Descriptor* const one = find(descriptor)) __atomic_store_n(&one->handle, kGone, __ATOMIC_RELEASE);
}

void CudnnProducts::set_tensor(Tensor& tensor, int name, int64_t count, const void* elements) {
  if (name == kRaggedOffset) tensor.is_unknown = true;
  if (name == kDataType && count == 1) tensor.type = type_of_cudnn(*static_cast<const int*>(elements));
  if (name != kDimensions) return;
  tensor.is_unknown |= count > kMostSizes;
  tensor.count = 0;
  for (int64_t i = 0; i < count && i < kMostSizes; ++i)
    tensor.sizes[tensor.count++] = static_cast<uint64_t>(static_cast<const int64_t*>(elements)[i]);
}

void CudnnProducts::set_operation(Descriptor& operation, int name, const Tensor* tensor) {
  const NamedForm& form = *form_of(operation.type);
  CudnnProduct& product = operation.product;
  for (const NamedPart& named : kParts) {
    if (name < named.first || name > named.last) continue;
    if (tensor == nullptr || tensor->count < 2 || tensor->is_unknown || named.part == Part::kLengths) {
      product.is_unknown = true;
      return;
    }
    const uint32_t last = tensor->count - 1;
    switch (named.part) {
      case Part::kWeight:
        product.n = tensor->sizes[0];
        product.k = tensor->size(1, tensor->count);
        product.type = tensor->type;
        return;
      case Part::kOutput:
        product.m = tensor->sizes[0] * tensor->size(2, tensor->count);
        return;
      case Part::kLeft:
        product.k = tensor->sizes[last];
        product.type = tensor->type;
        return;
      case Part::kResult:
        product.m = tensor->sizes[last - 1];
        product.n = tensor->sizes[last];
        product.batch = tensor->size(0, last - 1);
        return;
      case Part::kQueries:
        product.m = tensor->sizes[last - 1];
        product.batch = tensor->size(0, last - 1);
        product.k += form.of_keys * tensor->sizes[last];
        product.type = tensor->type;
        return;
      case Part::kKeys:
        product.n = tensor->sizes[last - 1];
        return;
      default:
        product.k += form.of_values * tensor->sizes[last];
        return;
    }
  }
}

// Attention is a graph of several matrix products, of which those with the shortest inner dimension have queries × keys
// results.
void CudnnProducts::set_graph(CudnnProduct& graph, int64_t count, const void* const* operations) {
  graph = {};
  uint64_t sum = 0;
  bool are_matrices = true;
  for (int64_t i = 0; i < count; ++i) {
    const Descriptor* const operation = find(operations[i]);
    if (operation == nullptr) graph.is_unknown = true;
    if (operation == nullptr || form_of(operation->type) == nullptr) continue;
    const CudnnProduct& product = operation->product;
    const uint64_t size = product.m * product.n * product.k * product.batch;
    graph.is_unknown |= product.is_unknown || size == 0;
    are_matrices &= product.form == ProductForm::kMatrices;
    sum += size;
    const uint8_t parts = graph.parts;
    const bool is_unknown = graph.is_unknown;
    if (parts == 0 || product.k < graph.k) graph = product;
    graph.is_unknown = is_unknown;
    graph.parts = static_cast<uint8_t>(parts + (parts < UINT8_MAX));
  }
  if (graph.parts < 2 || graph.is_unknown) return;
  if (are_matrices) graph.form = graph.parts > 2 ? ProductForm::kAttentionBackward : ProductForm::kAttention;
  const uint64_t results = graph.m * graph.n * graph.batch;
  graph.shapes_differ = sum % results != 0;
  graph.k = graph.shapes_differ ? sum : sum / results;
  if (graph.shapes_differ) graph.m = graph.n = 0;
}

void CudnnProducts::was_set(const void* descriptor, int name, int type, int64_t count, const void* elements) {
  Descriptor* const set = find(descriptor);
  if (set == nullptr || count < 1 || elements == nullptr) return;
  if (set->type == kTensor) return set_tensor(set->tensor, name, count, elements);
  if (type != kOfDescriptors) return;
  const auto* const others = static_cast<const void* const*>(elements);
  const Descriptor* const other = find(others[0]);
  if (form_of(set->type) != nullptr)
    return set_operation(*set, name, other != nullptr && other->type == kTensor ? &other->tensor : nullptr);
  if (set->type == kGraph) {
    if (name == kOperations) set_graph(set->product, count, others);
  } else if (is_on_the_way_to_a_plan(set->type) && other != nullptr && is_on_the_way_to_a_plan(other->type)) {
    set->product = other->product;
  }
}

void CudnnProducts::was_asked(const void* descriptor, int type, int64_t count, const void* elements) {
  const Descriptor* const asked = find(descriptor);
  if (asked == nullptr || type != kOfDescriptors || !is_on_the_way_to_a_plan(asked->type)) return;
  for (int64_t i = 0; i < count; ++i) {
    Descriptor* const given = find(static_cast<const void* const*>(elements)[i]);
    if (given != nullptr && is_on_the_way_to_a_plan(given->type)) given->product = asked->product;
  }
}

const CudnnProduct* CudnnProducts::of_plan(const void* plan) const {
  const Descriptor* const known = find(plan);
  return known != nullptr && known->type == kPlan && known->product.is_known() ? &known->product : nullptr;
}

}  // namespace tauprof::capture
