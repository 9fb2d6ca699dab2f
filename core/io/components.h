#pragma once

#include "core/base/components.h"

namespace sulcus::io {

/// The libraries that files are read and written with.
std::vector<Component> components();

}  // namespace sulcus::io
