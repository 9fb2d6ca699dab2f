#pragma once

#include "core/registration/registration.h"

namespace sulcus::bench {

/// That of toolkits. Where Sulcus is built without ITK it throws Error.
registration::Prealign prealign;

}  // namespace sulcus::bench
