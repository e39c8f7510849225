// Contents of each launched CUDA graph, as the driver told the recorder and captured calls showed.
#pragma once

#include <cstdint>
#include <vector>

#include "model/names.h"

namespace tauprof {

struct GraphContents {
  struct Products {
    uint32_t kind = 0;  // index into ProcessTrace::gemm_kinds
    uint64_t count = 0;
  };
  bool is_complete = false;  // all nodes are known
  uint64_t nodes = 0;
  uint64_t conditional = 0;  // nodes whose bodies run, nobody knows how often
  uint64_t copies = 0;       // and fills
  uint64_t copied_bytes = 0;
  std::vector<NameId> kernels;  // each once
  std::vector<Products> products;
  bool has_unknown_products = false;  // calls that multiply, nobody knows how much
};

struct GraphLaunch {
  uint32_t call = 0;   // index into ProcessTrace::calls
  uint32_t graph = 0;  // index into ProcessTrace::graphs
};

}  // namespace tauprof
