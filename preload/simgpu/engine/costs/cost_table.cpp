#include "simgpu/engine/costs/cost_table.h"

#include <cxxabi.h>
#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>
#include <unordered_map>

#include "simgpu/engine/config.h"

namespace simgpu {
namespace {

// Rough costs of common training kernels: those of PyTorch, apex and attention libraries, and hand-written ones with
// telling names. Vectorized kernels move several elements per thread. The last line applies to all other kernels.
constexpr std::string_view kBuiltInTable = R"(
*flash_fwd*                     fixed_us=6    bytes_per_thread=512  flops_per_thread=400000
*flash_bwd*                     fixed_us=10   bytes_per_thread=1024 flops_per_thread=1000000
*fmha*                          fixed_us=6    bytes_per_thread=512  flops_per_thread=400000
*multi_tensor_apply*Adam*       fixed_us=3    bytes_per_thread=3584 flops_per_thread=2600
*multi_tensor_apply*            fixed_us=3    bytes_per_thread=448  flops_per_thread=300
*[Aa]dam*                       fixed_us=2.5  bytes_per_thread=28   flops_per_thread=20
*[Ss][Gg][Dd]*                  fixed_us=2.5  bytes_per_thread=16   flops_per_thread=4
*lpnorm*                        fixed_us=2.5  bytes_per_thread=64   flops_per_thread=32
*[Nn]orm*[Bb]ackward*           fixed_us=4    bytes_per_thread=48   flops_per_thread=60
*[Nn]orm*[Gg]rad*               fixed_us=4    bytes_per_thread=48   flops_per_thread=60
*[Ll]ayer*[Nn]orm*              fixed_us=3    bytes_per_thread=32   flops_per_thread=40
*[Nn]orm*                       fixed_us=3    bytes_per_thread=32   flops_per_thread=40
*[Ss]oftmax*[Bb]ackward*        fixed_us=3.5  bytes_per_thread=24   flops_per_thread=40
*[Ss]oftmax*                    fixed_us=3    bytes_per_thread=16   flops_per_thread=40
*cross_entropy*                 fixed_us=4    bytes_per_thread=16   flops_per_thread=40
*nll_loss*                      fixed_us=3    bytes_per_thread=8
*[Ee]mbedding*[Bb]ackward*      fixed_us=5    bytes_per_thread=32
*[Ee]mbedding*                  fixed_us=2.5  bytes_per_thread=16
*index*[Ss]elect*               fixed_us=2.5  bytes_per_thread=16
*[Gg]ather*                     fixed_us=2.5  bytes_per_thread=16
*[Ss]catter*                    fixed_us=2.5  bytes_per_thread=16
*[Ss]plit[Kk]*                  fixed_us=2.5  bytes_per_thread=16   flops_per_thread=4
*gemm*                          fixed_us=4    bytes_per_thread=256  flops_per_thread=65536
*[Cc]onv*                       fixed_us=5    bytes_per_thread=256  flops_per_thread=32768
*[Tt]ranspose*                  fixed_us=2    bytes_per_thread=8
*vectorized_elementwise*        fixed_us=1.8  bytes_per_thread=32   flops_per_thread=8
*elementwise*                   fixed_us=2    bytes_per_thread=16   flops_per_thread=8
*[Rr]educe*                     fixed_us=3    bytes_per_thread=32   flops_per_thread=8
*[Dd]ropout*                    fixed_us=2.2  bytes_per_thread=12   flops_per_thread=12
*[GgSs][Ee][Ll][Uu]*            fixed_us=2    bytes_per_thread=8    flops_per_thread=16
*[Rr]e[Ll][Uu]*                 fixed_us=2    bytes_per_thread=8    flops_per_thread=1
*[Ff]ill*                       fixed_us=1.5  bytes_per_thread=4
*[Mm]emset*                     fixed_us=1.5  bytes_per_thread=4
*[Cc]opy*                       fixed_us=1.8  bytes_per_thread=8
*                               fixed_us=2    bytes_per_thread=12   flops_per_thread=8
)";

std::string_view next_word(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t\r"), line.size());
  line.remove_prefix(begin);
  const std::string_view word = line.substr(0, line.find_first_of(" \t\r"));
  line.remove_prefix(word.size());
  return word;
}

bool set_cost(std::string_view pair, KernelCost& cost) {
  const std::size_t equals = pair.find('=');
  if (equals == pair.npos) return false;
  const std::string_view key = pair.substr(0, equals);
  double value = 0;
  const char* end = pair.data() + pair.size();
  const auto result = std::from_chars(pair.data() + equals + 1, end, value);
  if (result.ec != std::errc() || result.ptr != end || !(value >= 0 && value <= 1e12)) return false;
  if (key == "fixed_us") {
    cost.fixed = static_cast<Nanoseconds>(value * 1e3);
  } else if (key == "bytes_per_thread") {
    cost.bytes_per_thread = value;
  } else if (key == "flops_per_thread") {
    cost.flops_per_thread = value;
  } else if (key == "argument_ns" && value < 1024) {
    cost.argument_ns = static_cast<int>(value);
  } else {
    return false;
  }
  return true;
}

bool parse_line(std::string_view line, KernelCost& cost) {
  cost.glob = next_word(line);
  for (std::string_view pair = next_word(line); !pair.empty(); pair = next_word(line))
    if (!set_cost(pair, cost)) return false;
  return true;
}

std::vector<KernelCost> configured_table() {
  std::vector<KernelCost> table;
  const std::string& path = config().cost_table;
  if (!path.empty()) {
    std::ifstream file(path);
    if (!file) std::fprintf(stderr, "simgpu: SIMGPU_OPTIONS: costs=%s cannot be read\n", path.c_str());
    table = parse_cost_table(std::string(std::istreambuf_iterator<char>(file), {}), path.c_str());
  }
  for (KernelCost& cost : parse_cost_table(kBuiltInTable, "built-in table")) table.push_back(std::move(cost));
  return table;
}

std::string demangled(const char* name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = text == nullptr ? name : text;
  std::free(text);
  return result;
}

const KernelCost& first_match(const char* mangled_name) {
  static const auto& table = *new std::vector<KernelCost>(configured_table());
  const std::string name = demangled(mangled_name);
  for (const KernelCost& cost : table)
    if (fnmatch(cost.glob.c_str(), name.c_str(), 0) == 0) return cost;
  return table.back();
}

}  // namespace

std::vector<KernelCost> parse_cost_table(std::string_view text, const char* source) {
  std::vector<KernelCost> table;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t newline = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, newline);
    line = line.substr(0, line.find('#'));
    text.remove_prefix(std::min(newline + 1, text.size()));
    KernelCost cost;
    if (!parse_line(line, cost)) {
      std::fprintf(stderr,
                   "simgpu: %s:%d: not understood; accepted: GLOB fixed_us=X bytes_per_thread=X flops_per_thread=X "
                   "argument_ns=INDEX\n",
                   source, number);
    } else if (!cost.glob.empty()) {
      table.push_back(std::move(cost));
    }
  }
  return table;
}

const KernelCost& kernel_cost(const char* mangled_name) {
  static std::mutex lock;
  static auto& known = *new std::unordered_map<std::string, const KernelCost*>;
  const std::lock_guard guard(lock);
  const KernelCost*& cost = known[mangled_name];
  if (cost == nullptr) cost = &first_match(mangled_name);
  return *cost;
}

}  // namespace simgpu
