#pragma once

#include "core/base/components.h"

namespace sulcus::gpu {

/// The CUDA runtime that Sulcus is built with; empty if built without.
std::vector<Component> components();

}  // namespace sulcus::gpu
