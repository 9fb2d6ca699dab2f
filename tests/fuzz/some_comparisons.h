#pragma once

namespace sulcus::fuzz {

/// How often something was parsed, by which some_comparisons.cpp chooses.
inline unsigned parsed = 0;

}  // namespace sulcus::fuzz
