// Descriptions of texture channels. Textures themselves are not simulated.
#include <cuda_runtime_api.h>

#include "simgpu/engine/visibility.h"

extern "C" SIMGPU_API cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                                  cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
