#include "findings/asked_settings.h"
#include "findings/finders.h"
#include "limits/analysis_limits.h"
#include "metrics/efficiency/gemm_alignment.h"

namespace tauprof {
namespace {

// The products for which `is_one`.
struct Products {
  Nanoseconds total = 0;
  const GemmMetrics* costliest = nullptr;
};

template <class IsOne>
Products products_of(const RunMetrics& metrics, IsOne&& is_one) {
  Products sum;
  for (const GemmMetrics& gemm : metrics.devices.efficiency.gemms) {
    if (!is_one(gemm)) continue;
    sum.total += gemm.total;
    if (sum.costliest == nullptr || gemm.total > sum.costliest->total) sum.costliest = &gemm;
  }
  return sum;
}

void describe(const Products& products, const RunMetrics& metrics, Finding& finding) {
  const GemmShape& shape = products.costliest->shape;
  finding.cost_ns_per_step = static_cast<double>(products.total) / static_cast<double>(metrics.time.windows);
  finding.least_saving = kAvoidableShare;
  finding.evidence = said("they take ", Duration{finding.cost_ns_per_step}, " per rank and step; most of it ",
                          products.costliest->function, " of ", shape.m, " x ", shape.n, " x ", shape.k);
}

}  // namespace

void add_product_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found) {
  if (metrics.time.windows == 0) return;
  const Products fp32 =
      products_of(metrics, [](const GemmMetrics& gemm) { return gemm.precision == Precision::kFp32; });
  if (fp32.costliest != nullptr) {
    Finding finding(FindingId::kFp32Products);
    describe(fp32, metrics, finding);
    finding.repair.kind = RepairKind::kTf32;
    const std::optional<std::string> now = asked(facts, "precision.float32_matmul");
    if (is_pytorch(facts))
      finding.advice = said("torch.set_float32_matmul_precision(\"high\")",
                            now ? said(" (float32_matmul is ", *now, " now)") : Statement(),
                            ", or torch.autocast(\"cuda\", dtype=torch.bfloat16). TF32 keeps 10 bits of the mantissa.");
    found.push_back(std::move(finding));
  }
  const Products misaligned =
      products_of(metrics, [](const GemmMetrics& gemm) { return is_misaligned(gemm.shape, gemm.precision); });
  if (misaligned.costliest == nullptr) return;
  Finding finding(FindingId::kMisalignedProducts);
  describe(misaligned, metrics, finding);
  finding.repair.kind = RepairKind::kAligned;
  const Precision precision = misaligned.costliest->precision;
  finding.advice = said("Make widths, vocabulary and batch multiples of ", aligned_elements(precision),
                        " elements (16 bytes of ", precision_name(precision), "): pad them.");
  found.push_back(std::move(finding));
}

}  // namespace tauprof
