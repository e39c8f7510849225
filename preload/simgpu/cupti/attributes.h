// The attributes of cuptiActivitySetAttribute: kept with their documented sizes and defaults. All but the two that
// concern the client's buffers describe memory on the device, of which the simulation has no need: they are kept only.
#pragma once

#include <cupti.h>

#include <cstddef>

namespace simgpu::cupti {

CUptiResult get_attribute(CUpti_ActivityAttribute attribute, std::size_t* size, void* value);
CUptiResult set_attribute(CUpti_ActivityAttribute attribute, const std::size_t* size, const void* value);

}  // namespace simgpu::cupti
