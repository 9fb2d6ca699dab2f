#pragma once

#include <functional>
#include <string>

namespace sulcus {

/// A result in plain words, where there is room for them: "ppm_visual (CPU)" is "probability of visual
/// (CPU)". A name that says by itself what it is, or is not known, stays.
///
/// @param translated  makes another language of "probability of %1"
using Translation = std::function<std::string(const std::string& text)>;
std::string plainName(const std::string& name, const Translation& translated = std::identity());

/// What a result says, and of what: "probability" and "visual" of "ppm_visual (CPU)", "log Jacobian" and ""
/// of "logjac". What stands in parentheses belongs to neither.
struct NameParts {
  std::string quantity, effect;
  friend bool operator==(const NameParts&, const NameParts&) = default;
};
NameParts nameParts(const std::string& name);

}  // namespace sulcus
