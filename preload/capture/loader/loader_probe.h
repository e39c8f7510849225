// Whether the loader answers now. It does not while a constructor runs on another thread.
#pragma once

namespace tauprof::capture {

// Asks it on a thread of its own, and waits 0.2 s at most.
bool loader_answers();

}  // namespace tauprof::capture
