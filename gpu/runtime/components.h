#pragma once

#include "core/base/components.h"

namespace sulcus::gpu {

/// The CUDA runtime that Sulcus is built with; none where it is built without.
std::vector<Component> components();

}  // namespace sulcus::gpu
