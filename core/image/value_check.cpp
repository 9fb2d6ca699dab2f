#include "core/image/value_check.h"

#include "core/base/error.h"
#include "core/base/numbers.h"

#include <algorithm>

namespace sulcus {

ValueCheck checkValues(std::span<const float> values) {
  ValueCheck check;
  for (const float value : values) {
    if (isSound(value)) {
      if (check.sound++ == 0) check.low = check.high = value;
      check.low = std::min(check.low, value), check.high = std::max(check.high, value);
    } else {
      ++(std::isnan(value) ? check.nan : std::isinf(value) ? check.infinite : check.huge);
    }
  }
  return check;
}

std::string unsoundText(const ValueCheck& check) {
  std::string text;
  const auto add = [&](std::int64_t count, const std::string& what) {
    if (count > 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what;
  };
  add(check.nan, "not a number");
  add(check.infinite, "infinite");
  add(check.huge, "beyond ±" + numberText(kLargestValue));
  return text;
}

std::string valuesNote(const ValueCheck& check) {
  // NaN is what many programs write outside the head.
  const bool usual = check.sound > 0 && check.infinite + check.huge == 0;
  if (check.unsound() > 0)
    return std::string(usual ? "" : "Warning: ") + "Values that cannot be worked on: " + unsoundText(check) +
           ".";
  return check.constant() ? "All values are " + numberText(check.low) + "." : "";
}

void requireSound(std::span<const float> values, const std::string& what, const std::string& why,
                  const std::string& whatToDo) {
  const ValueCheck check = checkValues(values);
  if (check.unsound() > 0)
    throw Error(what + " holds " + std::to_string(check.unsound()) +
                    " values that are not finite or too large: " + unsoundText(check),
                why, whatToDo);
}

}  // namespace sulcus
