// How all ranks come to know rank 0's NCCL id: rank 0 listens, every other rank asks it once.
#pragma once

#include <nccl.h>

#include "ranks.h"

namespace training {

ncclUniqueId share_unique_id(const RankPlace& place);

}  // namespace training
