#pragma once

#include "core/registration/registration.h"

namespace sulcus::registration {

/// Peak host memory of a run in addition to its input, bytes, for either backend; 0 if an image is missing.
double registrationHostBytes(const RegistrationInput& input, const RegistrationOptions& options);

}  // namespace sulcus::registration
