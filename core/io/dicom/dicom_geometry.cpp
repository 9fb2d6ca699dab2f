#include "core/io/dicom/dicom_geometry.h"

#include "core/io/volumes/geometry.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sulcus::io {
namespace {

constexpr DicomTag kShared = 0x52009229, kPositionGroup = 0x00209113, kOrientationGroup = 0x00209116,
                   kMeasuresGroup = 0x00289110, kScalingGroup = 0x00289145, kTimingGroup = 0x00189112,
                   kDiffusionGroup = 0x00189117;

/// The directions of rows and columns in LPS; nullopt if the header has none or only zeros.
std::optional<std::array<Vec3<double>, 2>> directionsOf(const std::vector<double>& numbers,
                                                        const std::filesystem::path& file) {
  if (std::all_of(numbers.begin(), numbers.end(), [](double n) { return n == 0; })) return {};
  const Vec3<double> row{numbers[0], numbers[1], numbers[2]}, column{numbers[3], numbers[4], numbers[5]};
  if (std::abs(norm(row) - 1) > 0.01 || std::abs(norm(column) - 1) > 0.01 ||
      std::abs(dot(row, column)) > 0.01)
    failDicom(file, "the directions of its rows and columns are not of length 1 at right angles");
  return std::array{row, column};
}

/// The weighting by the standard elements, whose direction is in LPS.
std::optional<Gradient> gradientOf(const DicomFrameFacts& facts) {
  const DicomSet& set = facts.in(kDiffusionGroup);
  const std::optional<double> b = set.number(0x00189087);
  if (!b || !(*b >= 0 && *b < 1e6)) return {};
  std::vector<double> lps = set.numbers(0x00189089);
  if (const auto& items = set.items(0x00189076); lps.empty() && !items.empty())
    lps = items.front().numbers(0x00189089);
  Gradient gradient{*b, {}};
  if (lps.size() == 3 && norm(Vec3<double>{lps[0], lps[1], lps[2]}) > 0.5)
    gradient.directionWorld = normalized(Vec3<double>{-lps[0], -lps[1], lps[2]});
  if (*b >= kB0Threshold && norm(gradient.directionWorld) == 0) return {};
  return gradient;
}

/// The order of a frame without the instance number, which belongs to the file as a whole.
DicomOrder orderOf(const DicomFrameFacts& facts) {
  const DicomSet& whole = facts.whole();
  DicomOrder order;
  order.acquisition = whole.number(0x00200012).value_or(0);
  order.time = whole.text(0x0008002a) + whole.text(0x00080022) + whole.text(0x00080032);
  order.temporalPosition = whole.number(0x00200100).value_or(0);
  order.echo = whole.number(0x00180086).value_or(0);
  order.echoTime = whole.number(0x00180081).value_or(0);
  order.bValue = whole.number(0x00189087);
  order.imageType = dicomText(whole.text(0x00080008));
  return order;
}

const DicomSet* firstItem(const DicomSet* set, DicomTag sequence) {
  if (!set || set->items(sequence).empty()) return nullptr;
  return &set->items(sequence).front();
}

}  // namespace

DicomFrameFacts::DicomFrameFacts(const DicomSet& set, std::size_t frame)
    : set_(set), shared_(firstItem(&set, kShared)) {
  if (const auto& own = set.items(kPerFrame); frame < own.size()) own_ = &own[frame];
}

const DicomSet& DicomFrameFacts::in(DicomTag group) const {
  if (!own_ && !shared_) return set_;
  if (const DicomSet* const item = firstItem(own_, group)) return *item;
  if (const DicomSet* const item = firstItem(shared_, group)) return *item;
  static const DicomSet none;
  return none;
}

void placeFrame(DicomFrame& frame, const DicomFrameFacts& facts, int columns, int rows) {
  const auto& position = facts.in(kPositionGroup).numbers(0x00200032);
  const auto directions = directionsOf(facts.in(kOrientationGroup).numbers(0x00200037), frame.file);
  const DicomSet& measures = facts.in(kMeasuresGroup);
  std::vector<double> spacing = measures.numbers(0x00280030);  // between rows, then between columns
  for (const double one : spacing)
    if (one < 0) failDicom(frame.file, "its pixel spacing is negative");
  if (spacing.empty() || spacing[0] == 0 || spacing[1] == 0) {
    frame.missing.emplace_back("pixel spacing");
    spacing = {1, 1};
  }
  if (!directions) frame.missing.emplace_back("orientation");
  if (position.empty()) frame.missing.emplace_back("position");
  double thickness = measures.number(0x00180088).value_or(0);
  frame.distanceKnown = thickness > 0;
  if (!frame.distanceKnown) thickness = measures.number(0x00180050).value_or(0);
  frame.thicknessKnown = thickness > 0;
  if (!frame.thicknessKnown) thickness = 1;

  const Vec3<double> row = directions ? (*directions)[0] : Vec3<double>{1, 0, 0},
                     column = directions ? (*directions)[1] : Vec3<double>{0, 1, 0};
  const Vec3<double> axes[] = {spacing[1] * row, spacing[0] * column,
                               thickness * normalized(cross(row, column))};
  Affine lps;
  for (int axis = 0; axis < 3; ++axis)
    for (int world = 0; world < 3; ++world) lps.m[world][axis] = axes[axis][world];
  if (!position.empty()) lps.t = {position[0], position[1], position[2]};
  frame.grid.size = {columns, rows, 1};
  frame.grid.worldFromVoxel = flipLps(lps);
  if (!usable(frame.grid.worldFromVoxel))
    failDicom(frame.file, "its position, orientation or spacing is beyond anything physical");
  frame.order = orderOf(facts);
  frame.scaling = scalingOf(facts);
  frame.gradient = gradientOf(facts);
}

Scaling scalingOf(const DicomFrameFacts& facts) {
  const DicomSet& set = facts.in(kScalingGroup);
  return {set.number(0x00281053).value_or(1), set.number(0x00281052).value_or(0)};
}

double repetitionSeconds(const DicomFrameFacts& facts) {
  return facts.in(kTimingGroup).number(0x00180080).value_or(0) / 1000;
}

}  // namespace sulcus::io
