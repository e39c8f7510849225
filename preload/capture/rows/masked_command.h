// The command line as it is written to the log: in one line, without what must stay secret.
//
//   train.py --token abc --lr 0.1 HF_TOKEN=abc https://me:abc@host/   becomes
//   train.py --token *** --lr 0.1 HF_TOKEN=*** https://me:***@host/
//
// The names decide: a value is masked if the last part of its name is in a table ("api-key", "dbPassword",
// "S3_SECRET"). Rather too much is masked than too little. A secret without a name is not recognised.
#pragma once

#include <stddef.h>

namespace tauprof::capture {

// Whether values of this name are secret.
bool is_secret_name(const char* name, size_t size);

// `arguments`: NUL-separated, as in /proc/self/cmdline. Writes at most `room` bytes and no terminating zero; returns
// how many.
size_t write_masked_command(const char* arguments, size_t size, char* text, size_t room);

}  // namespace tauprof::capture
