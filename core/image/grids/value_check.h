#pragma once

#include "core/base/note.h"

#include <cmath>
#include <cstdint>
#include <span>
#include <string>

namespace sulcus {

/// Upper limit for measurements: squares of such numbers, summed over an image, still fit into float32.
inline constexpr float kLargestValue = 1e15F;

/// Whether an analysis can process a number: it is neither NaN nor infinite nor beyond ±kLargestValue.
inline bool isSound(float value) { return std::abs(value) <= kLargestValue; }

/// The check of an image's values that all inputs pass. How values that are not sound are handled is up to
/// each analysis; see its help page.
struct ValueCheck {
  std::int64_t nan = 0, infinite = 0;
  std::int64_t huge = 0;  ///< finite, beyond ±kLargestValue
  std::int64_t sound = 0;
  float low = 0, high = 0;  ///< smallest and largest sound value; both 0 if there is none

  std::int64_t unsound() const { return nan + infinite + huge; }
  bool constant() const { return unsound() == 0 && sound > 0 && low == high; }
};

ValueCheck checkValues(std::span<const float> values);

/// "2 not a number, 1 infinite, 3 beyond ±1e+15", for the values that are not sound; "" if all are.
std::string unsoundText(const ValueCheck& check);
/// "Warning: Values that cannot be worked on: 2 not a number, 1 infinite."; "No number in 2 of 5 places." if
/// the rest is sound, as in maps outside of their mask; "All values are 0."; else "".
Note valuesNote(const ValueCheck& check);

/// Throws Error unless all are sound: "WHAT holds 2 values that are not finite or too large: …".
void requireSound(std::span<const float> values, const std::string& what, const std::string& why,
                  const std::string& whatToDo);

}  // namespace sulcus
