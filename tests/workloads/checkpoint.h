// Saves a rank's weights while the training loop waits.
#pragma once

#include <string>

#include "parameters.h"

namespace training {

// `file` empty: they are copied to the host and no further.
void save_checkpoint(const Parameters& parameters, const std::string& file);

}  // namespace training
