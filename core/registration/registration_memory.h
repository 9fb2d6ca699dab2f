#pragma once

#include "core/registration/registration.h"

namespace sulcus::registration {

/// The bytes of this computer's memory that a run holds at its peak in addition to the input, on either
/// processor; 0 when an image is missing.
double registrationHostBytes(const RegistrationInput& input, const RegistrationOptions& options);

}  // namespace sulcus::registration
