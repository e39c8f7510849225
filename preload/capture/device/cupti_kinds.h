// The kinds of activity records that the recorder enables, and the API calls that it selects.
#pragma once

#include <string_view>

#include "capture/device/cupti_library.h"

namespace tauprof::capture {

// Whether a function puts work on the device: "cudaLaunchKernel_v7000", "__cudaLaunchKernel_v13000", "cuLaunchKernel".
bool submits_work(std::string_view function);

class CuptiKinds {
 public:
  void init(const CuptiLibrary& cupti, bool with_graph_nodes) {
    cupti_ = &cupti;
    with_graph_nodes_ = with_graph_nodes;
  }
  CUptiResult enable();
  // Without `also_kernels`, records of kernels stay on.
  void disable(bool also_kernels);

 private:
  void select_calls(bool are_wanted);
  void select_calls_of(CUpti_CallbackDomain domain, decltype(&::cuptiActivityEnableRuntimeApi) select,
                       CUpti_ActivityKind kind, bool are_wanted);

  const CuptiLibrary* cupti_ = nullptr;
  bool with_graph_nodes_ = false;
};

}  // namespace tauprof::capture
