// The configuration of a communicator (ncclConfig_t).
#pragma once

#include <nccl.h>

namespace simgpu::nccl {

struct Configuration {
  bool is_blocking = true;
  int least_channels = 1;
  int most_channels = 32;
};

// `given` may be null: then the defaults apply, or `inherited`. Returns ncclInvalidArgument as documented.
ncclResult_t read_configuration(const ncclConfig_t* given, const Configuration& inherited, Configuration* out);

// The defaults, with NCCL_COMM_BLOCKING, NCCL_MIN_CTAS and NCCL_MAX_CTAS.
Configuration default_configuration();

}  // namespace simgpu::nccl
