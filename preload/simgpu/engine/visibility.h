// What libsimgpu offers to the libraries that stand in front of it.
#pragma once

#define SIMGPU_API __attribute__((visibility("default")))
