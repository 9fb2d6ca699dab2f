#include "core/image/grids/value_check.h"

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/parallel/parallel_for.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace sulcus {

namespace {

constexpr std::int64_t kValuesPerBlock = 1 << 16;

/// The check for values that are all sound, as is usual; nullopt if one is not. Several are compared at a
/// time, without branches.
std::optional<ValueCheck> checkSound(std::span<const float> values) {
  constexpr std::size_t kLanes = 16;
  std::array<float, kLanes> low, high;
  std::array<int, kLanes> unsound{};
  low.fill(values.front()), high.fill(values.front());
  const auto take = [&](std::size_t lane, float value) {
    low[lane] = value < low[lane] ? value : low[lane];
    high[lane] = value > high[lane] ? value : high[lane];
    unsound[lane] |= !isSound(value);
  };
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) take(lane, values[i + lane]);
  for (; i < values.size(); ++i) take(0, values[i]);
  if (std::ranges::count(unsound, 0) < std::ptrdiff_t(kLanes)) return {};
  ValueCheck check;
  check.sound = std::int64_t(values.size());
  check.low = std::ranges::min(low);
  check.high = std::ranges::max(high);
  return check;
}

ValueCheck checkBlock(std::span<const float> values) {
  if (const auto sound = checkSound(values)) return *sound;
  ValueCheck check;
  for (const float value : values) {
    if (isSound(value)) {
      if (check.sound++ == 0) check.low = check.high = value;
      check.low = std::min(check.low, value);
      check.high = std::max(check.high, value);
    } else if (std::isnan(value)) {
      ++check.nan;
    } else {
      ++(std::isinf(value) ? check.infinite : check.huge);
    }
  }
  return check;
}

}  // namespace

ValueCheck checkValues(std::span<const float> values) {
  const auto count = std::int64_t(values.size());
  std::vector<ValueCheck> blocks((count + kValuesPerBlock - 1) / kValuesPerBlock);
  parallelForBlocks(count, kValuesPerBlock, {}, [&](std::int64_t begin, std::int64_t end) {
    blocks[begin / kValuesPerBlock] = checkBlock(values.subspan(begin, end - begin));
  });
  ValueCheck all;
  for (const ValueCheck& block : blocks) {
    all.nan += block.nan;
    all.infinite += block.infinite;
    all.huge += block.huge;
    if (block.sound == 0) continue;
    all.low = all.sound > 0 ? std::min(all.low, block.low) : block.low;
    all.high = all.sound > 0 ? std::max(all.high, block.high) : block.high;
    all.sound += block.sound;
  }
  return all;
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

Note valuesNote(const ValueCheck& check) {
  // NaN is what many programs write outside of the head.
  const bool usual = check.sound > 0 && check.infinite + check.huge == 0;
  if (check.unsound() > 0)
    return usual ? Note("No number in " + std::to_string(check.nan) + " of " +
                        std::to_string(check.nan + check.sound) + " places.")
                 : Note::warning("Unusable values: " + unsoundText(check) + ".");
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
