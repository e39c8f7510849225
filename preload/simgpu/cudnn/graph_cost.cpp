#include "simgpu/cudnn/graph_cost.h"

#include <atomic>
#include <cstdio>
#include <numeric>
#include <span>

#include "simgpu/cudnn/tensor_descriptor.h"
#include "simgpu/engine/device.h"

namespace simgpu::cudnn {
namespace {

using Shape = std::vector<std::int64_t>;

constexpr int kAttentionForward = 41, kAttentionBackward = 43;  // attention as one operation
constexpr int kAttentionForwardQ = 2800, kAttentionBackwardQ = 2851;
constexpr int kMostDescriptorTypes = 64;

Shape shape_of(const DescriptorState& operation, int name) {
  const DescriptorRef tensor = named_descriptor(operation, name);
  return tensor == nullptr ? Shape{} : numbers(*tensor, kTensorDimensions);
}

DataType type_of(const DescriptorState& operation, int name) {
  const DescriptorRef tensor = named_descriptor(operation, name);
  if (tensor == nullptr) return kFloat;
  const auto found = tensor->attributes.find(kTensorDataType);
  if (found == tensor->attributes.end() || found->second.bytes.size() < sizeof(DataType)) return kFloat;
  return *reinterpret_cast<const DataType*>(found->second.bytes.data());
}

std::int64_t product_of(std::span<const std::int64_t> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::int64_t{1}, std::multiplies<>());
}

MathType math_of(DataType type) {
  switch (type) {
    case kDouble:
      return MathType::Fp64;
    case kHalf:
    case kBfloat16:
      return MathType::Half;
    case kFp8E4M3:
    case kFp8E5M2:
      return MathType::Fp8;
    case kInt8:
      return MathType::Int8;
    default:
      return MathType::Tf32;
  }
}

struct ConvolutionKind {
  int type, w, x, y;
  const char* kernel;
};

constexpr ConvolutionKind kConvolutions[] = {
    {kConvolutionForward, kForwardW, kForwardX, kForwardY, "fprop"},
    {kConvolutionBackwardData, kBackwardDataW, kBackwardDataX, kBackwardDataY, "dgrad"},
    {kConvolutionBackwardFilter, kBackwardFilterW, kBackwardFilterX, kBackwardFilterY, "wgrad"},
};

const ConvolutionKind* convolution_kind(int type) {
  for (const ConvolutionKind& kind : kConvolutions) {
    if (kind.type == type) return &kind;
  }
  return nullptr;
}

const char* type_word(DataType type) {
  return type == kHalf ? "f16f16_f16f32_f32" : type == kBfloat16 ? "bf16bf16_bf16f32_f32" : "tf32f32_tf32f32_f32";
}

std::string architecture() {
  return "sm" + std::to_string(device_profile().major) + std::to_string(device_profile().minor);
}

KernelPlan convolution_kernel(const DescriptorState& operation, const ConvolutionKind& kind) {
  const Shape w = shape_of(operation, kind.w), y = shape_of(operation, kind.y);
  const DataType type = type_of(operation, kind.w);
  GemmShape product{.m = 1, .n = 1, .k = 1, .math = math_of(type), .element_bytes = element_bytes(type)};
  if (w.size() >= 2 && y.size() >= 2) {
    product.m = y[0] * product_of(std::span(y).subspan(2));
    product.n = w[0];
    product.k = product_of(std::span(w).subspan(1));
  }
  return product_kernel(
      architecture() + "_xmma_" + kind.kernel + "_implicit_gemm_" + type_word(type) +
          "_nhwckrsc_nhwc_tilesize128x128x32_warpgroupsize1x1x1_g1_execute_segment_k_off_kernel__5x_cudnn",
      product);
}

// All products of a graph, as one product that takes as long.
struct ProductSum {
  int count = 0;
  DataType type = kFloat;
  GemmShape shape;

  void add(const Shape& result, std::int64_t inner, int times, DataType element) {
    if (result.size() < 2) return;
    const std::int64_t rows = result[result.size() - 2], columns = result.back();
    const std::int64_t batch = product_of(std::span(result).first(result.size() - 2));
    if (count == 0) {
      type = element;
      shape = {rows, columns, 0, batch, math_of(element), element_bytes(element)};
    }
    count += times;
    const std::int64_t results = shape.m * shape.n * shape.batch;
    if (results > 0) shape.k += times * inner * rows * columns * batch / results;
  }
};

void add_attention(const DescriptorState& operation, int q_name, int products, ProductSum* sum) {
  const Shape q = shape_of(operation, q_name), k = shape_of(operation, q_name + 1);
  if (q.size() < 2 || k.size() < 2) return;
  Shape scores = q;
  scores.back() = k[k.size() - 2];
  sum->add(scores, q.back(), products, type_of(operation, q_name));
}

void add_products(const DescriptorState& operation, ProductSum* sum) {
  if (operation.type == kMatmul) {
    const Shape a = shape_of(operation, kMatmulA), b = shape_of(operation, kMatmulB);
    if (a.size() < 2 || b.size() < 2) return;
    Shape result = a;
    result.back() = b.back();
    sum->add(result, a.back(), 1, type_of(operation, kMatmulA));
  }
  if (operation.type == kAttentionForward) add_attention(operation, kAttentionForwardQ, 2, sum);
  if (operation.type == kAttentionBackward) add_attention(operation, kAttentionBackwardQ, 5, sum);
}

KernelPlan fused_kernel(const ProductSum& sum) {
  const std::string arch = architecture();
  const char* const element = sum.type == kBfloat16 ? "bf16" : sum.type == kHalf ? "f16" : "f32";
  if (sum.count == 1) return product_kernel("cudnn_generated_fort_native_matmul_" + arch + "_kernel0_0", sum.shape);
  const char* const direction = sum.count > 2 ? "_flash_bprop_wgmma_" : "_flash_fprop_wgmma_";
  return product_kernel(
      "cudnn_generated_fort_native_sdpa_" + arch + direction + element + "_knob_7_64x128x128_4x1x1_cga1x1x1_kernel0_0",
      sum.shape);
}

const std::vector<DescriptorRef>& operations_of(const DescriptorState& graph) {
  static const std::vector<DescriptorRef> none;
  const auto found = graph.attributes.find(kGraphOperations);
  return found == graph.attributes.end() ? none : found->second.descriptors;
}

void say_not_simulated(int type) {
  static std::atomic<bool> told[kMostDescriptorTypes];
  if (type < 0 || type >= kMostDescriptorTypes || told[type].exchange(true)) return;
  std::fprintf(stderr, "simulated: a cuDNN graph of operations of type %d alone is not available\n", type);
}

}  // namespace

bool can_run(const DescriptorState& graph) {
  if (operations_of(graph).empty()) return false;
  if (!kernels_of(graph).empty()) return true;
  say_not_simulated(operations_of(graph).front()->type);
  return false;
}

std::vector<KernelPlan> kernels_of(const DescriptorState& graph) {
  std::vector<KernelPlan> kernels;
  ProductSum products;
  for (const DescriptorRef& operation : operations_of(graph)) {
    const ConvolutionKind* kind = convolution_kind(operation->type);
    if (kind != nullptr) kernels.push_back(convolution_kernel(*operation, *kind));
    add_products(*operation, &products);
  }
  if (products.count > 0) kernels.push_back(fused_kernel(products));
  return kernels;
}

}  // namespace simgpu::cudnn
