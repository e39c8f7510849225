// The products of an operator, by the shapes of its inputs.
//
// Products (aten::mm, addmm, bmm, baddbmm, linear and their kin) and attention by the shapes alone. Convolutions also
// need values of inputs (stride), which PyTorch writes since 2.1 ("Concrete Inputs"). What cannot be told for certain
// is left out: no number is better than a wrong one.
//
// FLOP are twice these counts of multiplications:
// - convolution: images · positions of the output × output channels × input channels · positions of the kernel;
//   its backward: the same for each of the two gradients that are wanted (output_mask);
// - attention: queries × keys × (width of a key + width of a value), per sequence and head; its backward: five
//   products, of which flash and efficient attention recompute one: three have the width of a key, two that of a value.
//
// Masks take nothing off, as in PyTorch's own counter: attention that skips a causal mask's half counts whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "import/event_fields.h"
#include "log/format.h"

namespace tauprof::kineto {

struct MatrixWork {
  int64_t m = 0, n = 0, k = 0, batch = 1;
  int64_t flops = 0;
  log::DataType type_a = log::DataType::kUnknown;
  log::DataType type_b = log::DataType::kUnknown;
  log::ProductForm form = log::ProductForm::kMatrices;
};

// Whether this is an operator whose arguments are worth reading. Fast, as it is asked of every operator.
bool may_multiply(std::string_view operator_name);

// nullopt: nothing, or the trace does not say.
std::optional<MatrixWork> matrix_work(std::string_view operator_name, const EventArgs& args);

}  // namespace tauprof::kineto
