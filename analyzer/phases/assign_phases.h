// The phase of every host call and of the device work that it launched, by rules in this order:
//   1. the innermost range on the calling thread whose name speaks of a phase;
//   2. an autograd thread (pt_autograd_N): backward;
//   3. optimizer and clipping kernels, by their names: optim_step, unscale_clip;
//   4. a copy from host to device: h2d;
//   5. the innermost such range on the main thread at that time (work handed to other threads);
//   6. launches of another thread than the main one: backward; then the main thread's: forward;
//   7. collectives: the phase of the launch before them on their thread;
//   8. a blocking call after the optimizer: sync_gather; everything else, and calls outside all
//      steps: other.
#pragma once

#include <vector>

#include "model/process_trace.h"
#include "phases/phase_track.h"

namespace tauprof {

void assign_phases(ProcessTrace& trace);

// The phase tracks of all threads; index = thread.
std::vector<PhaseTrack> phase_tracks(const ProcessTrace& trace);
// The thread whose ranges stand for the whole process: marked main, else the first that launches.
uint16_t main_thread(const ProcessTrace& trace);

}  // namespace tauprof
