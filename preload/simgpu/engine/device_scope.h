// Makes another device the calling thread's for the length of a scope.
#pragma once

#include "simgpu/engine/device.h"

namespace simgpu {

class DeviceScope {
 public:
  explicit DeviceScope(int device) : before_(current_device()) { set_current_device(device); }
  ~DeviceScope() { set_current_device(before_); }
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  int before_;
};

}  // namespace simgpu
