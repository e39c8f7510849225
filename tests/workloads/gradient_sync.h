// How gradients come together among the data-parallel ranks. Called from the thread that issues backward, in the order
// of backward; the calls with weights also from the one that issues forward.
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
  // Whether the gradients of the backward pass that begins are the step's last, or of any interest by themselves.
  virtual void begin_backward(bool is_reduced) = 0;
  virtual void gradient_ready(int tensor) = 0;
  // The compute stream goes on once all gradients are reduced.
  virtual void finish() = 0;
  // What this rank's optimizer updates.
  virtual std::vector<Range> updated() const = 0;
};

std::unique_ptr<GradientSync> make_bucketed_sync(const Options& options, const Parameters& parameters,
                                                 Communicator& data);
std::unique_ptr<GradientSync> make_sharded_sync(const Options& options, const Parameters& parameters,
                                                Communicator& data);

}  // namespace training
