// Which products of a rank repeat what the forward pass of their step computed: activation checkpointing runs parts of
// it again inside of the backward pass, to have the values that it did not keep.
//
// A product in the backward pass repeats one of the forward pass if the two are alike in all that is recorded of them
// (function, sizes, types, transposition), unless it is a gradient, which may be like another layer's product. Which
// gradients there may be follows from the forward pass: of C = A·B they are dA = dC·Bᵀ and dB = Aᵀ·dC; of one
// direction of a convolution, the two others; of attention, its backward, which is like nothing in a forward pass. So
// of each kind as many repeat the forward pass as there are more than gradients like it. No gradient is what a function
// computes that has nothing in the backward pass but what it has in the forward pass. Where a backward pass computes
// much that is neither a gradient nor a repeat, it is none of a plain forward pass (gradients of gradients, a second
// pass over the same graph), and what looks like a repeat may be one of these: then nobody knows.
//
// Example, attention by hand, queries and keys of [S × D]. Forward: Q·Kᵀ (S × S × D) and P·V (S × D × S). Backward:
// dP = dO·Vᵀ is like Q·Kᵀ to the bit, but it is expected as a gradient of P·V; another one of the kind repeats Q·Kᵀ.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

class RepeatedProducts {
 public:
  explicit RepeatedProducts(const ProcessTrace& trace);

  // Why it is not known what is repeated; empty: it is known.
  const std::string& unknown_because() const { return unknown_because_; }
  bool is_repeat(uint32_t product) const { return product < is_repeat_.size() && is_repeat_[product]; }
  // How many products of the kind in the graph that this call launches are repeats.
  uint64_t in_graph(uint32_t call, uint32_t kind) const {
    const auto found = in_graphs_.find({call, kind});
    return found != in_graphs_.end() ? found->second : 0;
  }

 private:
  static constexpr uint32_t kNoProduct = kNoIndex;
  // Products of one kind in one place.
  struct Ran {
    uint32_t call = 0;
    uint32_t kind = 0;
    uint32_t product = kNoProduct;  // kNoProduct: in the graph that the call launches
    uint64_t count = 1;
  };
  struct Passes {
    std::map<uint32_t, uint64_t> forward;  // how many, by kind
    std::vector<Ran> backward;
  };

  void add(const Ran& ran);
  std::set<uint32_t> functions_of_forward(const Passes& passes) const;
  double flops_of(const Ran& ran, uint64_t count) const;
  void note_repeat(const Ran& ran, uint64_t count);
  void find_in(const Passes& passes);
  void find_unexplained(const Passes& passes, const std::vector<Ran>& others);
  void see_whether_known();

  const ProcessTrace& trace_;
  std::map<std::pair<int32_t, int16_t>, Passes> steps_;  // by step and device
  bool has_graph_of_passes_ = false;
  double flops_ = 0, repeated_flops_ = 0, unexplained_flops_ = 0;  // of all products; of backward passes
  std::vector<bool> is_repeat_;  // by product
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> in_graphs_;
  std::string unknown_because_;
};

}  // namespace tauprof
