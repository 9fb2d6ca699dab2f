#include "core/io/dicom_geometry.h"

#include "core/io/dicom_mosaic.h"
#include "core/io/geometry.h"

#include <charconv>
#include <cmath>

namespace sulcus::io {
namespace {

constexpr DicomTag kShared = 0x52009229, kPositionGroup = 0x00209113, kOrientationGroup = 0x00209116,
                   kMeasuresGroup = 0x00289110, kScalingGroup = 0x00289145, kDiffusionGroup = 0x00189117,
                   kEchoGroup = 0x00189114, kTimingGroup = 0x00189112;

const std::string kSiemens = "SIEMENS MR HEADER", kPhilips = "Philips Imaging DD 001",
                  kPhilipsMr = "Philips MR Imaging DD 001", kGeAcquisition = "GEMS_ACQU_01",
                  kGeParameters = "GEMS_PARM_01";

/// The directions of rows and columns in LPS; nullopt when the header has none or zeros.
std::optional<std::array<Vec3<double>, 2>> directionsOf(const std::vector<double>& numbers,
                                                        const std::filesystem::path& file) {
  if (std::all_of(numbers.begin(), numbers.end(), [](double n) { return n == 0; })) return {};
  const Vec3<double> row{numbers[0], numbers[1], numbers[2]}, column{numbers[3], numbers[4], numbers[5]};
  if (std::abs(norm(row) - 1) > 0.01 || std::abs(norm(column) - 1) > 0.01 ||
      std::abs(dot(row, column)) > 0.01)
    failDicom(file, "the directions of its rows and columns are not of length 1 at right angles");
  return std::array{row, column};
}

std::vector<double> privateDoubles(const std::string& bytes) {
  std::vector<double> values;
  for (std::size_t at = 0; at + sizeof(double) <= bytes.size() && values.size() < 16; at += sizeof(double))
    values.push_back(load<double>(bytes.data() + at, false));
  return values;
}

std::optional<double> privateDecimal(const std::string& text) {
  double value = 0;
  const std::size_t first = std::min(text.find_first_not_of(" +"), text.size());
  if (std::from_chars(text.data() + first, text.data() + text.size(), value).ec != std::errc()) return {};
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<double> privateFloat(const std::string& bytes) {
  if (bytes.size() != sizeof(float)) return {};
  const double value = load<float>(bytes.data(), false);
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// The direction of Philips: along the patient's left, back and head.
std::vector<double> philipsDirection(const DicomSet& set) {
  std::vector<double> direction;
  for (const unsigned element : {0xb0U, 0xb1U, 0xb2U})
    if (const auto part = privateFloat(set.privateBytes(0x2005, kPhilipsMr, element)))
      direction.push_back(*part);
  return direction.size() == 3 ? direction : std::vector<double>{};
}

/// The b-value of GE, to which newer scanners add 10⁹.
std::optional<double> geBValue(const DicomSet& set) {
  const auto b = privateDecimal(set.privateBytes(0x0043, kGeParameters, 0x39));
  return b && *b >= 1e9 ? *b - 1e9 : b;
}

/// The direction of GE in LPS. It is stored along the axes of the encoding: of the frequency, of the phase
/// and against the slice; the phase runs along the columns of the picture or, the frequency then against
/// them, along its rows. Shorter than 1 where the b-value of the header is that of the largest shell.
std::vector<double> geDirection(const DicomFrameFacts& facts, const std::filesystem::path& file) {
  const DicomSet& whole = facts.whole();
  std::vector<double> along;
  for (const unsigned element : {0xbbU, 0xbcU, 0xbdU})
    if (const auto part = privateDecimal(whole.privateBytes(0x0019, kGeAcquisition, element)))
      along.push_back(*part);
  const std::string& phase = whole.text(0x00181312);
  const auto axes = directionsOf(facts.in(kOrientationGroup).numbers(0x00200037), file);
  if (along.size() != 3 || !axes || (phase != "COL" && phase != "ROW")) return {};
  const auto& [row, column] = *axes;
  const auto [frequency, encoding] = phase == "COL" ? std::pair(row, column) : std::pair(-column, row);
  const Vec3<double> direction = along[0] * frequency + along[1] * encoding - along[2] * cross(row, column);
  return {direction.x, direction.y, direction.z};
}

/// The b-value of one frame, from the elements of the standard or else from those of Siemens, Philips or GE.
std::optional<double> bValueOf(const DicomFrameFacts& facts) {
  if (const auto b = facts.in(kDiffusionGroup).number(0x00189087)) return b;
  if (const auto b = privateFloat(facts.whole().privateBytes(0x2001, kPhilips, 0x03))) return b;
  if (const auto b = privateDecimal(facts.whole().privateBytes(0x0019, kSiemens, 0x0c))) return b;
  if (const auto b = geBValue(facts.whole())) return b;
  const CsaHeader csa = csaHeaderOf(facts.whole());
  const auto& values = csa.numbers("B_value");
  return values.empty() ? std::nullopt : std::optional(values.front());
}

/// The weighting `b` with its direction, which the header gives in LPS, turned into RAS.
std::optional<Gradient> gradientOf(const DicomFrameFacts& facts, const std::optional<double>& b,
                                   const std::filesystem::path& file) {
  if (!b || !(*b >= 0 && *b < 1e6)) return {};
  const DicomSet &diffusion = facts.in(kDiffusionGroup), &whole = facts.whole();
  std::vector<double> direction = diffusion.numbers(0x00189089);
  if (const auto& items = diffusion.items(0x00189076); direction.empty() && !items.empty())
    direction = items.front().numbers(0x00189089);
  if (direction.empty()) direction = privateDoubles(whole.privateBytes(0x0019, kSiemens, 0x0e));
  if (direction.empty()) direction = philipsDirection(whole);
  if (direction.empty()) direction = csaHeaderOf(whole).numbers("DiffusionGradientDirection");
  const bool isGe = direction.empty();
  if (isGe) direction = geDirection(facts, file);
  Gradient gradient{*b, {}};
  if (direction.size() == 3) {
    const Vec3<double> world{-direction[0], -direction[1], direction[2]};
    const double length = norm(world);
    if (std::isfinite(length) && length > (isGe ? 0.03 : 0.5)) gradient.directionWorld = (1 / length) * world;
    if (isGe && length < 0.97 && !diffusion.number(0x00189087)) gradient.b *= length * length;
  }
  if (gradient.b >= kB0Threshold && norm(gradient.directionWorld) == 0) return {};
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
  order.echoTime = facts.in(kEchoGroup).number(0x00189082).value_or(whole.number(0x00180081).value_or(0));
  order.bValue = bValueOf(facts);
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
  std::vector<double> spacing = measures.numbers(0x00280030);  // first between rows, then between columns
  for (const double one : spacing)
    if (one < 0) failDicom(frame.file, "its pixel spacing is negative");
  if (spacing.empty() || spacing[0] == 0 || spacing[1] == 0) {
    frame.missing.emplace_back("pixel spacing");
    spacing = {1, 1};
  }
  if (!directions) frame.missing.emplace_back("orientation");
  if (position.empty()) frame.missing.emplace_back("position");
  double thickness = measures.number(0x00180088).value_or(0);
  if (!(thickness > 0)) thickness = measures.number(0x00180050).value_or(0);
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
  frame.gradient = gradientOf(facts, frame.order.bValue, frame.file);
  frame.repetitionSeconds = facts.in(kTimingGroup).number(0x00180080).value_or(0) / 1000;
}

Scaling scalingOf(const DicomFrameFacts& facts) {
  const DicomSet& set = facts.in(kScalingGroup);
  return {set.number(0x00281053).value_or(1), set.number(0x00281052).value_or(0)};
}

}  // namespace sulcus::io
