#include "core/registration/preparation/padding.h"

#include "core/base/numbers.h"
#include "core/base/sentence.h"
#include "core/image/grids/value_check.h"
#include "core/registration/linear/linear_frame.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace sulcus::registration {
namespace {

/// Values on the faces of an image, and those next to a value along x or y.
struct Surroundings {
  bool corner = false;  ///< whether the value occurs in one
  std::vector<float> faces, beside;
};

Surroundings surroundingsOf(const Series<float>& image, float value) {
  const Vec3<int> n = image.grid.size;
  Surroundings found;
  const auto look = [&](float a, std::int64_t j) {
    const float b = image.at(j, 0);
    if ((a == value) != (b == value)) found.beside.push_back(a == value ? b : a);
  };
  for (std::int64_t i = 0; i < image.grid.voxels(); ++i) {
    const Vec3<int> v = image.grid.voxel(i);
    const float a = image.at(i, 0);
    int ends = 0, axes = 0;
    for (const int axis : longAxes(n)) ends += v[axis] == 0 || v[axis] == n[axis] - 1, ++axes;
    if (ends > 0) found.faces.push_back(a);
    if (ends == axes && a == value) found.corner = true;
    if (v.x + 1 < n.x) look(a, i + 1);
    if (v.y + 1 < n.y) look(a, i + n.x);
  }
  return found;
}

/// @param which  "template" or "reference 2"
void fillPadding(std::shared_ptr<const Series<float>>& image, const std::string& which, Notes& notes) {
  if (!image || image->count != 1) return;
  const auto padding = paddingOf(*image);
  if (!padding) return;
  auto filled = std::make_shared<Series<float>>(*image);
  std::replace(filled->values.begin(), filled->values.end(), padding->value, padding->air);
  image = std::move(filled);
  notes.push_back(text("The ", which, " is padded with ", nineDigits(padding->value), ": ",
                       nineDigits(padding->air), ", the darkest value measured, stands there instead."));
}

}  // namespace

std::optional<Padding> paddingOf(const Series<float>& image) {
  constexpr double kLeastShare = 0.01;  // of all voxels, and of the face voxels that must be air
  constexpr double kLeastGap = 0.1;     // relative to the range of the others
  constexpr double kDark = 0.1;         // relative to that range: darker values are air
  if (image.values.empty() || checkValues(image.values).unsound() > 0) return {};
  const float value = *std::min_element(image.values.begin(), image.values.end());
  float low = std::numeric_limits<float>::infinity(), high = value;
  std::int64_t count = 0;
  for (const float v : image.values) {
    if (v == value)
      ++count;
    else
      low = std::min(low, v), high = std::max(high, v);
  }
  const double range = double(high) - low;
  if (!(value < 0) || double(count) < kLeastShare * double(image.values.size()) || !(range > 0) ||
      !(double(low) - value >= kLeastGap * range))
    return {};
  Surroundings around = surroundingsOf(image, value);
  const auto isAir = [&](float v) { return v != value && v - low <= kDark * range; };
  const auto air = std::count_if(around.faces.begin(), around.faces.end(), isAir),
             beside = std::count_if(around.beside.begin(), around.beside.end(), isAir);
  if (!around.corner || double(air) < kLeastShare * double(around.faces.size()) ||
      2 * beside < std::ptrdiff_t(around.beside.size()))
    return {};
  return Padding{value, low};
}

RegistrationInput withoutPadding(RegistrationInput input, Notes& notes) {
  fillPadding(input.templateImage, "template", notes);
  fillPadding(input.reference, "reference", notes);
  for (std::size_t c = 0; c < input.further.size(); ++c) {
    const std::string number = " " + std::to_string(c + 2);
    fillPadding(input.further[c].templateImage, "template" + number, notes);
    fillPadding(input.further[c].reference, "reference" + number, notes);
  }
  return input;
}

}  // namespace sulcus::registration
