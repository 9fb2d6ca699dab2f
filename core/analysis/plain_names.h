#pragma once

#include <functional>
#include <string>

namespace sulcus {

/// A result in plain words, for places with enough room: "ppm_visual (CPU)" is "probability of visual (CPU)".
/// A name that is unknown or explains itself is returned unchanged.
///
/// @param translated  translates "probability of %1"
using Translation = std::function<std::string(const std::string& text)>;
std::string plainName(const std::string& name, const Translation& translated = std::identity());

/// The quantity and the effect that a result's name consists of: "probability" and "visual" for "ppm_visual
/// (CPU)", "log Jacobian" and "" for "logjac". Text in parentheses belongs to neither.
struct NameParts {
  std::string quantity, effect;
  friend bool operator==(const NameParts&, const NameParts&) = default;
};
NameParts nameParts(const std::string& name);

}  // namespace sulcus
