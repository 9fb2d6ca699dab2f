#pragma once

namespace sulcus::fuzz {

/// The number of parsed inputs, by which some_comparisons.cpp chooses.
inline unsigned parsed = 0;

}  // namespace sulcus::fuzz
