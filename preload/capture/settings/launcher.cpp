#include "capture/settings/launcher.h"

#include <stdio.h>
#include <string.h>

#include "capture/settings/variables.h"
#include "names/launchers.h"

namespace tauprof::capture {
namespace {

bool read_number(const char* variable, int64_t& number) {
  const char* text = variable != nullptr ? environment_value(variable) : nullptr;
  if (text == nullptr || *text == '\0') return false;
  int64_t value = 0;
  for (const char* at = text; *at != '\0'; ++at) {
    if (*at < '0' || *at > '9' || at - text > 9) return false;
    value = value * 10 + (*at - '0');
  }
  number = value;
  return true;
}

void read_run_id(const Launcher& launcher, Placement& placement) {
  const char* id = launcher.run_id != nullptr ? environment_value(launcher.run_id) : nullptr;
  const char* restart = launcher.restart != nullptr ? environment_value(launcher.restart) : nullptr;
  if (id != nullptr && *id != '\0' && strcmp(id, "none") != 0) {
    snprintf(placement.run_id, sizeof placement.run_id, "%s%s%s", id, restart != nullptr ? "." : "",
             restart != nullptr ? restart : "");
    return;
  }
  const char* job = environment_value("SLURM_JOB_ID");
  const char* step = environment_value("SLURM_STEP_ID");
  if (job != nullptr && *job != '\0')
    snprintf(placement.run_id, sizeof placement.run_id, "slurm-%s.%s", job, step != nullptr ? step : "");
}

}  // namespace

Placement read_placement() {
  Placement placement;
  for (const Launcher& launcher : kLaunchers) {
    int64_t rank, size;
    if (!read_number(launcher.rank, rank) || !read_number(launcher.world_size, size)) continue;
    if (size < 1 || rank >= size) continue;
    placement.launcher = launcher.name;
    placement.rank = rank;
    placement.world_size = size;
    read_number(launcher.local_rank, placement.local_rank);
    read_number(launcher.local_world_size, placement.local_world_size);
    read_run_id(launcher, placement);
    return placement;
  }
  return placement;
}

}  // namespace tauprof::capture
