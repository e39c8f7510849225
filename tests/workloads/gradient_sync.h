// Reduction of gradients among the data-parallel ranks. Called from the thread that issues backward, in the order of
// backward; before_unit is also called from the thread that issues forward.
#pragma once

#include <memory>
#include <vector>

#include "communicator.h"
#include "options.h"
#include "parameters.h"

namespace training {

class GradientSync {
 public:
  virtual ~GradientSync() = default;
  // The compute stream is about to use the unit's weights. The next one will be `unit` - 1 forward, + 1 backward.
  virtual void before_unit(int unit, bool is_backward) = 0;
  // A backward pass starts. `is_reduced`: its gradients are reduced when it ends, as after a step's last micro-batch.
  virtual void start_backward(bool is_reduced) = 0;
  virtual void gradient_ready(int tensor) = 0;
  // Makes the compute stream wait until all gradients are reduced.
  virtual void finish() = 0;
  // The ranges that this rank's optimizer updates.
  virtual std::vector<Range> updated() const = 0;
};

std::unique_ptr<GradientSync> make_bucketed_sync(const Options& options, const Parameters& parameters,
                                                 Communicator& data);
std::unique_ptr<GradientSync> make_sharded_sync(const Options& options, const Parameters& parameters,
                                                Communicator& data);

}  // namespace training
