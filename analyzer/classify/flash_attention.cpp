#include "classify/flash_attention.h"

#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <vector>

#include "classify/flash_kernel.h"

namespace tauprof {
namespace {

using Pass = FlashKernel::Pass;

struct Launch {
  uint32_t call;
  const FlashKernel* kernel;
  std::array<int32_t, 3> grid;  // tiles, sequences, heads
};

// What forward and backward passes of one attention have in common.
struct Attention {
  int64_t queries, sequences, heads, width;

  auto operator<=>(const Attention&) const = default;
};

// Floating-point operations are twice the products' m · n · k: a forward pass has two products with the width of a head,
// a backward pass five, one of which repeats a forward one (import/operator_work.h).
constexpr int64_t kForwardProducts = 2, kBackwardProducts = 5;

class FlashAttention {
 public:
  explicit FlashAttention(ProcessTrace& trace) : trace_(trace), kernels_(trace.names.size()) {}

  void count() {
    find_launches();
    if (launches_.empty()) return;
    forward_ = trace_.names.add("FlashAttention forward");
    backward_ = trace_.names.add("FlashAttention backward");
    find_keys();
    for (size_t i = 0; i < launches_.size(); ++i)
      if (const int64_t keys = keys_of(i); keys > 0) add(launches_[i], keys);
    if (added_.empty()) return;
    trace_.gemms.insert(trace_.gemms.end(), added_.begin(), added_.end());
    std::sort(trace_.gemms.begin(), trace_.gemms.end(),
              [](const GemmWork& a, const GemmWork& b) { return a.call < b.call; });
    trace_.index_gemms();
  }

 private:
  static constexpr int64_t kSeveral = -1;

  const FlashKernel* kernel_of(NameId name) {
    std::optional<std::optional<FlashKernel>>& known = kernels_[name];
    if (!known) known = flash_kernel_of(trace_.names[name]);
    return *known ? &**known : nullptr;
  }

  void find_launches() {
    for (const DeviceTrace& device : trace_.devices)
      for (const DeviceSpan& span : device.spans) {
        if (span.activity != log::ActivityKind::kKernel || span.call == kNoIndex || span.launch_shape == 0) continue;
        const FlashKernel* const kernel = kernel_of(span.name);
        if (kernel == nullptr || trace_.gemm_of(span.call) != nullptr) continue;
        if (trace_.calls[span.call].call_class == CallClass::kKernel)
          launches_.push_back({span.call, kernel, trace_.launch_shapes[span.launch_shape].grid});
      }
    std::sort(launches_.begin(), launches_.end(), [](const Launch& a, const Launch& b) { return a.call < b.call; });
  }

  Attention attention_of(const Launch& launch, int64_t queries) const {
    return {queries, launch.grid[1], launch.grid[2], launch.kernel->width};
  }

  // The preparation of these gradients, where it tells their lengths; null: it does not.
  const Launch* preparation_of(size_t gradients) const {
    const Launch& own = launches_[gradients];
    if (gradients == 0 || own.kernel->pass != Pass::kGradients || !own.kernel->is_exact) return nullptr;
    const Launch& before = launches_[gradients - 1];
    const bool belongs = before.kernel->pass == Pass::kPreparation && before.kernel->has_own_tiles &&
                         trace_.calls[before.call].thread == trace_.calls[own.call].thread &&
                         before.kernel->width == own.kernel->width && before.grid[1] == own.grid[1] &&
                         before.grid[2] == own.grid[2];
    return belongs ? &before : nullptr;
  }

  static int64_t queries_of(const Launch& launch) { return launch.grid[0] * launch.kernel->queries; }

  void find_keys() {
    for (size_t i = 0; i < launches_.size(); ++i)
      if (const Launch* const preparation = preparation_of(i)) {
        const int64_t keys = launches_[i].grid[0] * launches_[i].kernel->keys;
        const auto [known, is_new] = keys_.try_emplace(attention_of(launches_[i], queries_of(*preparation)), keys);
        if (!is_new && known->second != keys) known->second = kSeveral;
      }
  }

  // 0 or less: not known.
  int64_t keys_of(size_t i) const {
    const Launch& launch = launches_[i];
    if (launch.kernel->pass == Pass::kGradients)
      return preparation_of(i) != nullptr ? launch.grid[0] * launch.kernel->keys : 0;
    if (launch.kernel->pass != Pass::kForward || !launch.kernel->is_exact) return 0;
    const auto known = keys_.find(attention_of(launch, queries_of(launch)));
    return known != keys_.end() ? known->second : 0;
  }

  void add(const Launch& launch, int64_t keys) {
    const bool is_forward = launch.kernel->pass == Pass::kForward;
    GemmShape shape;
    shape.m = is_forward ? queries_of(launch) : queries_of(*(&launch - 1));
    shape.n = keys;
    shape.k = (is_forward ? kForwardProducts : kBackwardProducts) * launch.kernel->width;
    shape.batch = int64_t{launch.grid[1]} * launch.grid[2];
    shape.flops = 2 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k) *
                  static_cast<double>(shape.batch);
    shape.type_a = shape.type_b = launch.kernel->type;
    shape.form = is_forward ? log::ProductForm::kAttention : log::ProductForm::kAttentionBackward;
    added_.push_back({launch.call, kind_of({is_forward ? forward_ : backward_, shape}), product_++});
  }

  uint32_t kind_of(const GemmKind& kind) {
    const auto [known, is_new] = kinds_.try_emplace(kind, static_cast<uint32_t>(trace_.gemm_kinds.size()));
    if (is_new) trace_.gemm_kinds.push_back(kind);
    return known->second;
  }

  static uint32_t first_free(const std::vector<GemmWork>& gemms) {
    uint32_t free = 0;
    for (const GemmWork& gemm : gemms) free = std::max(free, gemm.product + 1);
    return free;
  }

  ProcessTrace& trace_;
  std::vector<std::optional<std::optional<FlashKernel>>> kernels_;  // by name; nullopt: not asked yet
  std::vector<Launch> launches_;                                    // by call
  std::map<Attention, int64_t> keys_;                               // as backward passes say; kSeveral: various
  std::map<GemmKind, uint32_t> kinds_;
  std::vector<GemmWork> added_;
  NameId forward_ = kNoName, backward_ = kNoName;  // as functions
  uint32_t product_ = first_free(trace_.gemms);
};

}  // namespace

void count_flash_attention(ProcessTrace& trace) { FlashAttention(trace).count(); }

}  // namespace tauprof
