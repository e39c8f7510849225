#include "classify/flash_kernel.h"

#include <charconv>
#include <vector>

#include "classify/template_arguments.h"

namespace tauprof {
namespace {

using std::string_view;

// 0: not what a tile can have.
int64_t extent(string_view text) {
  constexpr int64_t kMost = 4096;
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value > 0 && value <= kMost ? value : 0;
}

log::DataType type_in(const std::vector<string_view>& traits) {
  for (const string_view trait : traits) {
    if (trait == "cutlass::bfloat16_t") return log::DataType::kBfloat16;
    if (trait == "cutlass::half_t") return log::DataType::kFloat16;
  }
  return log::DataType::kUnknown;
}

// Where the argument "even lengths" stands; "even width" follows.
constexpr size_t kEvenLengths = 5;

struct Template {
  string_view name;
  FlashKernel::Pass pass;
  size_t traits;                         // which argument they are
  size_t fewest_arguments, most_arguments;  // of the versions that are known
};

constexpr Template kTemplates[] = {
    {"flash_fwd_kernel<", FlashKernel::Pass::kForward, 0, 8, 9},
    {"flash_bwd_dot_do_o_kernel<", FlashKernel::Pass::kPreparation, 1, 2, 2},
    {"flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<", FlashKernel::Pass::kGradients, 0, 7, 8},
};

}  // namespace

std::optional<FlashKernel> flash_kernel_of(string_view name) {
  for (const Template& known : kTemplates) {
    const std::vector<string_view> arguments = template_arguments(name, known.name);
    if (arguments.size() < known.fewest_arguments || arguments.size() > known.most_arguments) continue;
    const std::vector<string_view> traits = template_arguments(arguments[known.traits], "_kernel_traits<");
    if (traits.size() < 4) continue;
    FlashKernel kernel{known.pass, extent(traits[0]), extent(traits[1]), extent(traits[2]), false,
                       false,      type_in(traits)};
    if (kernel.width == 0 || kernel.queries == 0 || kernel.keys == 0) continue;
    if (known.pass == FlashKernel::Pass::kPreparation)
      kernel.has_own_tiles = arguments[0] == "true";
    else
      kernel.is_exact = arguments[kEvenLengths] == "true" && arguments[kEvenLengths + 1] == "true";
    return kernel;
  }
  return std::nullopt;
}

}  // namespace tauprof
