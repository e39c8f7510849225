// Rows that say what the recorder costs the process: CPU time on the program's threads and on its own, and how long the
// process waited for it at the end.
#pragma once

#include <stdint.h>

#include "capture/base/ticks.h"
#include "log/writer.h"

namespace tauprof::capture {

class CostRows {
 public:
  // The costs of starting, and of one recorded call.
  void set_costs(uint64_t start_ns, uint64_t call_ps) { start_ns_ = start_ns, call_ps_ = call_ps; }
  // `records`: made so far; `waited_ns`: by the thread that ends the process; `file_thread`: its id, 0 if there is
  // none. For the writer thread.
  void write(log::Writer& writer, const TickScale& scale, uint64_t now, uint64_t records, uint64_t waited_ns,
             uint32_t file_thread) const;

 private:
  uint64_t start_ns_ = 0, call_ps_ = 0;
};

}  // namespace tauprof::capture
