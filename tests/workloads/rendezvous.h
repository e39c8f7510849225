// Distributes rank 0's NCCL id: rank 0 listens, and every other rank asks once.
#pragma once

#include <nccl.h>

#include "ranks.h"

namespace training {

ncclUniqueId share_unique_id(const RankPlacement& placement);

}  // namespace training
