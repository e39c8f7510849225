// Saves a rank's weights while the training loop waits.
#pragma once

#include <string>

#include "parameters.h"

namespace training {

// With an empty `file` the weights are only copied to the host.
void save_checkpoint(const Parameters& parameters, const std::string& file);

}  // namespace training
