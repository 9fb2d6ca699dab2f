#pragma once

#include <string>

namespace sulcus {

/// A result in plain words, where there is room for them: "ppm_visual (CPU)" is "probability of visual
/// (CPU)". A name that says by itself what it is, or is not known, stays.
std::string plainName(const std::string& name);

}  // namespace sulcus
