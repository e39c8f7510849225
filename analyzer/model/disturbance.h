// The cost of recording to the job: how long its steps are without device times, and with them (docs/metrics.md,
// "The undisturbed run").
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "model/ledger.h"

namespace tauprof {

// Where the host's undisturbed times come from.
enum class HostSource : uint8_t {
  kRecorded,   // nowhere: they are those of the recorded run
  kLight,      // steps of the same run without device times
  kSecondRun,  // a run with hooks alone
  kStepTime,   // the length of a step, as the user gave it
};

struct Disturbance {
  HostSource source = HostSource::kRecorded;
  std::string reason;                   // of what is not known; empty: all is
  std::optional<double> light_step_ns;  // the mean
  std::optional<double> full_step_ns;   // the mean of the recorded steps; none: as light_step_ns
  std::optional<double> slowdown;       // full ÷ light − 1 …
  std::optional<double> low, high;      // … and its 95 % interval
  std::optional<double> full_share;     // of the run's steps that have device times; none: all have
  size_t pairs = 0;                     // of a full and a light step with the same calls
  std::optional<double> host_factor;    // the host's undisturbed time ÷ its recorded time
  std::optional<double> error;          // of predicting the light steps that were not used, in shares of their length
  LedgerRows recorded{};                // the ledger of the full steps as recorded, of all analysed ranks and steps

  // How much longer recording made the run.
  std::optional<double> run_slowdown() const {
    return slowdown ? std::optional(*slowdown * full_share.value_or(1)) : std::nullopt;
  }
  bool is_corrected() const { return source != HostSource::kRecorded; }
};

}  // namespace tauprof
