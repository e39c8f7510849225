// Every limit of the analysis, with its reason, by subject. Limits describe hosts, devices and people's patience, not
// any workload. "By convention" means that some limit is needed and that values nearby would serve as well. Who needs a
// limit includes this file, so that a limit can move to the subject where readers look for it.
//
// Two limits shape the model and stand there: kSliceLength (model/time.h) and kLeadingSteps (model/rank_timeline.h).
// Sizes of buffers and tolerances of arithmetic stand where they are used.
#pragma once

#include "limits/clock_limits.h"
#include "limits/communication_limits.h"
#include "limits/diff_limits.h"
#include "limits/finding_limits.h"
#include "limits/idle_limits.h"
#include "limits/log_limits.h"
#include "limits/page_limits.h"
#include "limits/replay_limits.h"
#include "limits/share_limits.h"
#include "limits/step_limits.h"
#include "limits/straggler_limits.h"
#include "limits/timeline_limits.h"
#include "limits/update_limits.h"
