// The attributes of cuptiActivitySetAttribute, with their documented sizes and defaults. Only the two that concern the
// client's buffers have an effect. The others describe memory on the device, which the simulation does not need.
#pragma once

#include <cupti.h>

#include <cstddef>

namespace simgpu::cupti {

CUptiResult get_attribute(CUpti_ActivityAttribute attribute, std::size_t* size, void* value);
CUptiResult set_attribute(CUpti_ActivityAttribute attribute, const std::size_t* size, const void* value);

}  // namespace simgpu::cupti
