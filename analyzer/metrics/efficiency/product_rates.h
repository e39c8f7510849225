// How fast products are computed in a run, so that one may be held against the others.
//
// The neighbour of a product is the one of its precision and form that is nearest in operations and has sizes that suit
// tensor cores: what it reaches, this device and this library reach with work of that size. So the rate is measured,
// and unknown where no such product ran. It may be slower.
#pragma once

#include <map>
#include <utility>

#include "model/gemm_work.h"
#include "model/time.h"

namespace tauprof {

struct ProductRate {
  double flops = 0;
  double total_ns = 0;

  double flops_per_s() const { return 1e9 * flops / total_ns; }
};

class ProductRates {
 public:
  // `count` products of one kind, which took `total`.
  void add(const GemmShape& shape, Precision precision, double count, Nanoseconds total);
  // Of the neighbour, leaving out `own`, which was added, too. No operations: there is none.
  ProductRate nearest(const GemmShape& shape, Precision precision, const ProductRate& own = {}) const;

 private:
  std::map<std::pair<Precision, log::ProductForm>, std::map<double, ProductRate>> rates_;  // by operations of one
};

// The predicted time in TF32 of a float32 product that takes `measured_ns`: scaled by the ratio of the device's peaks,
// but at least the time to move its matrices and that of the shortest product of the run. 0: the peak is not known.
double in_tf32_ns(double measured_ns, const GemmShape& shape, std::string_view device_name, double shortest_ns);

}  // namespace tauprof
