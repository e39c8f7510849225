// How long after the end of one operation the next one starts, by kind of edge.
#pragma once

#include <cstdint>
#include <optional>

#include "model/rank_operations.h"

namespace tauprof {

// Sets `lags` of each device: the median over the operations of which it is clear that they waited for an edge of this
// kind alone, because every other edge had let them go long before. A launch lets go when its call returns: inside of a
// call nobody sees the moment. Edges within a thread have none.
//
// Where a host is too slow, no work ever waits for its stream's, and nothing is clear. Then the lag of a stream is
// taken from its least pauses, which are that or longer, but for no more than a device takes. Example: pauses
// of 1.0, 1.1, 14, 20, 31 … us, all behind late launches: about 1 us.
void set_lags(ProcessOperations& process);

// The edge that let the operation go last, as its index among the operation's. A launch may let go as late as its call
// returns. Example: a call takes 100 us, and the kernel starts in its midst, 30 us after the kernel before it: it
// waited for the launch, since a device goes on from kernel to kernel at once. None: it waited for something that is no
// operation, such as a function of the host in its stream, however soon all of its edges had let it go.
std::optional<uint32_t> last_edge(const ProcessOperations& process, uint32_t id);

}  // namespace tauprof
