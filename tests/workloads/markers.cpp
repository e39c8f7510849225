// See markers.h.
#include "markers.h"

#include <dlfcn.h>

#include <array>
#include <atomic>
#include <string>

#include "nvtx3/nvToolsExt.h"
#include "simgpu/simgpu.h"

namespace training {
namespace {

struct PhaseName {
  const char* announced;
  const char* range;
};

constexpr std::array kNames{
    PhaseName{"phase:data", "data"},
    PhaseName{"phase:h2d", "h2d"},
    PhaseName{"phase:forward", "forward"},
    PhaseName{"phase:backward", "backward"},
    PhaseName{"phase:grad_sync", "grad_sync"},
    PhaseName{"phase:optimizer", "optimizer"},
    PhaseName{"phase:loss", "loss"},
    PhaseName{"phase:log", "log"},
    PhaseName{"phase:checkpoint", "checkpoint"},
    PhaseName{"phase:eval", "eval"},
};
static_assert(kNames.size() == static_cast<std::size_t>(Phase::Evaluation) + 1);

simgpu_announce_function announce_to = nullptr;
bool has_ranges = false;
std::array<std::atomic<std::int64_t>, kNames.size()> counts;

void announce(const char* what, std::int64_t index, bool is_start) {
  if (announce_to != nullptr) announce_to(what, index, is_start ? 1 : 0);
}

}  // namespace

void set_up_markers(bool nvtx) {
  announce_to = reinterpret_cast<simgpu_announce_function>(dlsym(RTLD_DEFAULT, "simgpu_announce"));
  has_ranges = nvtx;
}

StepScope::StepScope(std::int64_t step) : step_(step) {
  announce("step", step, true);
  if (has_ranges) nvtxRangePushA(("step " + std::to_string(step)).c_str());
}

StepScope::~StepScope() {
  if (has_ranges) nvtxRangePop();
  announce("step", step_, false);
}

PhaseScope::PhaseScope(Phase phase) : phase_(phase), index_(counts[static_cast<std::size_t>(phase)]++) {
  const PhaseName& name = kNames[static_cast<std::size_t>(phase)];
  announce(name.announced, index_, true);
  if (has_ranges) nvtxRangePushA(name.range);
}

PhaseScope::~PhaseScope() {
  if (has_ranges) nvtxRangePop();
  announce(kNames[static_cast<std::size_t>(phase_)].announced, index_, false);
}

}  // namespace training
