// How far a job had come, which ranks wait in which collective or message, and for whom. For jobs that hang, died or
// still run.
//
// Members of a communicator carry out its collectives one after the other. The one that matters is the first, after
// those that all members are known to have completed, that not all members called in the same way: members that called
// it wait there for those that have not, or that called something else instead. If all members called all collectives
// in the same way, the first one that they called long ago is taken to hang, if the logs tell what devices have done;
// else the last one, if a member has been in a call for long. Example, four ranks that have all completed number 40:
//
//   rank 0: called 41 (all_reduce)      rank 2: called nothing since 40
//   rank 1: called 41, 42               rank 3: called 41 (broadcast)
//
// Ranks 0 and 1 wait; rank 2 has not come; rank 3 called something else. A rank that has not come may itself wait
// elsewhere. Then the search goes on there, and the rank is not suspected (hang_search.h). Messages are treated in the
// same way (message_waits.h).
//
// A rank is silent if its log ends some seconds before the newest log. The recorder writes at least every second, so
// the rank's process was killed or stopped, or its host is gone. What its host had called by then, its device may not
// have come to: if peers wait for longer than any step took in what all have called, they wait for the silent rank.
//
// A log may also end earlier because it was copied earlier. Then its peers have carried out what needs every member
// since (CommunicatorProgress::met), and wait nowhere.
#pragma once

#include <vector>

#include "metrics/hangs/job_progress.h"
#include "model/rank_timeline.h"

namespace tauprof {

JobProgress progress_of_job(const std::vector<RankTimeline>& ranks);

}  // namespace tauprof
