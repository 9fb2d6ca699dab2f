#include "core/base/error.h"
#include "core/io/formats.h"
#include "core/io/streams/sink.h"
#include "core/io/volumes/geometry.h"
#include "core/io/volumes/nifti_header.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <cstring>
#include <span>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

/// The values of a header.
struct Plan {
  Grid grid;
  int count = 1;
  int datatype = 16, bitsPerVoxel = 32;
  int intent = 0;
  double seconds = 0;
  bool components = false;  ///< the volumes are the components of a vector (fifth dimension)
};

/// The quaternion (b, c, d) and qfac of orthogonal axes, METHOD 2 in nifti1.h.
std::array<double, 4> quaternionOf(const Grid& grid) {
  Affine r = imageAxes(grid);
  const double qfac = r.determinant() < 0 ? -1 : 1;
  for (auto& row : r.m) row[2] *= qfac;
  const auto& m = r.m;
  // The root of the largest of the four squares is the divisor of the others.
  const std::array<double, 4> squares{1 + m[0][0] + m[1][1] + m[2][2], 1 + m[0][0] - m[1][1] - m[2][2],
                                      1 - m[0][0] + m[1][1] - m[2][2], 1 - m[0][0] - m[1][1] + m[2][2]};
  const auto largest = std::max_element(squares.begin(), squares.end()) - squares.begin();
  const double twice = std::sqrt(squares[largest]);
  const double ab = m[2][1] - m[1][2], ac = m[0][2] - m[2][0], ad = m[1][0] - m[0][1], bc = m[0][1] + m[1][0],
               bd = m[0][2] + m[2][0], cd = m[1][2] + m[2][1];
  const std::array<double, 4> products[] = {
      {0, ab, ac, ad}, {ab, 0, bc, bd}, {ac, bc, 0, cd}, {ad, bd, cd, 0}};
  std::array<double, 4> q{};  // (a, b, c, d)
  for (std::size_t i = 0; i < 4; ++i) q[i] = products[largest][i] / twice;
  q[largest] = twice;
  const double sign = q[0] < 0 ? -0.5 : 0.5;
  return {sign * q[1], sign * q[2], sign * q[3], qfac};
}

/// Assumed axes that a reader would assume again are not stored.
int spaceCode(const Grid& grid) {
  if (grid.space != Space::assumed) return int(grid.space);
  Grid read = grid;
  read.worldFromVoxel = assumedAffine(
      grid.spacing(), {0.5 * (grid.size.x - 1), 0.5 * (grid.size.y - 1), 0.5 * (grid.size.z - 1)});
  return int(sameGrid(read, grid) ? Space::assumed : Space::aligned);
}

/// Writes numbers at byte offsets, in this machine's order.
struct FieldWriter {
  std::array<char, 544> bytes{};
  template <class T>
  void put(std::size_t offset, double value) {
    const T typed = T(value);
    std::memcpy(bytes.data() + offset, &typed, sizeof typed);
  }
  void text(std::size_t offset, const char* value, std::size_t size) {
    std::memcpy(bytes.data() + offset, value, size);
  }
};

/// The quaternion, the offset and the matrix, which lie one after the other.
template <class T>
void putFrame(FieldWriter& f, std::size_t at, const std::array<double, 4>& quaternion, const Affine& affine) {
  const auto put = [&](std::size_t number, double value) { f.put<T>(at + number * sizeof(T), value); };
  for (std::size_t i = 0; i < 3; ++i) {
    put(i, quaternion[i]);
    put(3 + i, affine.t[int(i)]);
    for (std::size_t j = 0; j < 3; ++j) put(6 + 4 * i + j, affine.m[i][j]);
    put(9 + 4 * i, affine.t[int(i)]);
  }
}

/// The header and the four bytes that mean "no extensions".
std::vector<char> headerOf(const Plan& plan) {
  const bool big = std::max({plan.grid.size.x, plan.grid.size.y, plan.grid.size.z, plan.count}) > SHRT_MAX;
  const Vec3<int>& size = plan.grid.size;
  const int axes = plan.count > 1 ? 4 : 3;
  std::array<int, 8> dim{axes, size.x, size.y, size.z, plan.count, 1, 1, 1};
  if (plan.components) dim = {5, size.x, size.y, size.z, 1, plan.count, 1, 1};
  const auto spacing = plan.grid.spacing();
  const auto quaternion = quaternionOf(plan.grid);
  const bool perpendicular = shear(plan.grid.worldFromVoxel) < 1e-6;
  const std::array<double, 8> pixdim{quaternion[3], spacing.x, spacing.y, spacing.z, plan.seconds, 1, 1, 1};
  constexpr int kMillimetersAndSeconds = 2 | 8;
  const int space = spaceCode(plan.grid);
  FieldWriter f;
  if (!big) {
    f.put<std::int32_t>(0, 348);
    for (int i = 0; i < 8; ++i) f.put<std::int16_t>(40 + 2 * i, dim[i]), f.put<float>(76 + 4 * i, pixdim[i]);
    f.put<std::int16_t>(68, plan.intent);
    f.put<std::int16_t>(70, plan.datatype);
    f.put<std::int16_t>(72, plan.bitsPerVoxel);
    f.put<float>(108, 352);
    f.put<float>(112, 1);
    f.put<std::uint8_t>(123, kMillimetersAndSeconds);
    f.put<std::int16_t>(252, perpendicular ? space : 0);
    f.put<std::int16_t>(254, space);
    putFrame<float>(f, 256, quaternion, plan.grid.worldFromVoxel);
    f.text(344, "n+1", 4);
    return {f.bytes.begin(), f.bytes.begin() + 352};
  }
  f.put<std::int32_t>(0, 540);
  f.text(4, "n+2\0\r\n\032\n", 8);
  f.put<std::int16_t>(12, plan.datatype);
  f.put<std::int16_t>(14, plan.bitsPerVoxel);
  for (int i = 0; i < 8; ++i) f.put<std::int64_t>(16 + 8 * i, dim[i]), f.put<double>(104 + 8 * i, pixdim[i]);
  f.put<std::int64_t>(168, 544);
  f.put<double>(176, 1);
  f.put<std::int32_t>(344, perpendicular ? space : 0);
  f.put<std::int32_t>(348, space);
  putFrame<double>(f, 352, quaternion, plan.grid.worldFromVoxel);
  f.put<std::int32_t>(500, kMillimetersAndSeconds);
  f.put<std::int32_t>(504, plan.intent);
  return {f.bytes.begin(), f.bytes.end()};
}

void writeLabels(Sink& sink, Plan plan, const Volume<Label>& labels) {
  plan.intent = kIntentLabel;
  const auto [low, high] = std::minmax_element(labels.values.begin(), labels.values.end());
  const auto writeAs = [&]<class T>(T, int datatype) {
    plan.datatype = datatype;
    plan.bitsPerVoxel = 8 * sizeof(T);
    const auto header = headerOf(plan);
    sink.write(header);
    const std::vector<T> narrow(labels.values.begin(), labels.values.end());
    sink.write({reinterpret_cast<const char*>(narrow.data()), narrow.size() * sizeof(T)});
  };
  if (*low >= 0 && *high <= UCHAR_MAX)
    writeAs(std::uint8_t{}, 2);
  else if (*low >= SHRT_MIN && *high <= SHRT_MAX)
    writeAs(std::int16_t{}, 4);
  else if (*low >= INT32_MIN && *high <= INT32_MAX)
    writeAs(std::int32_t{}, 8);
  else if (*low >= 0 && *high <= UINT32_MAX)
    writeAs(std::uint32_t{}, 768);
  else
    writeAs(std::int64_t{}, 1024);
}

void writeSeries(Sink& sink, Plan plan, const Series<float>& series) {
  plan.count = series.count;
  const auto header = headerOf(plan);
  sink.write(header);
  sink.write({reinterpret_cast<const char*>(series.values.data()), series.values.size() * sizeof(float)});
}

/// Writes a displacement from RAS+ in LPS+, piecewise.
void writeReversed(Sink& sink, Plan plan, const Series<float>& field) {
  constexpr std::size_t kPart = std::size_t(1) << 18;
  plan.count = field.count;
  sink.write(headerOf(plan));
  std::vector<float> part;
  const auto reversed = std::size_t(2 * field.grid.voxels());
  for (std::size_t begin = 0; begin < field.values.size(); begin += part.size()) {
    const std::size_t limit = begin < reversed ? reversed : field.values.size();
    const std::span values(field.values.data() + begin, std::min(kPart, limit - begin));
    part.assign(values.begin(), values.end());
    if (begin < reversed)
      for (float& value : part) value = -value;
    sink.write({reinterpret_cast<const char*>(part.data()), part.size() * sizeof(float)});
  }
}

}  // namespace

void writeNifti(const Layer& layer, const fs::path& to, const fs::path& file, const Progress& progress) {
  Sink sink(to, file, progress);
  if (to.extension() == ".gz") sink.deflateRest(Sink::Wrapper::gzip);
  Plan plan;
  plan.grid = *gridOf(layer);
  const bool hasDirections = std::holds_alternative<PeaksLayer>(layer.content) ||
                             std::holds_alternative<DisplacementLayer>(layer.content);
  if (hasDirections && plan.grid.space == Space::assumed)
    plan.grid.space = Space::aligned;  // components mean nothing without axes
  if (const auto* labels = std::get_if<LabelsLayer>(&layer.content)) {
    writeLabels(sink, plan, *labels->labels);
  } else if (const auto* peaks = std::get_if<PeaksLayer>(&layer.content)) {
    writeSeries(sink, plan, *peaks->peaks);
  } else if (const auto* field = std::get_if<DisplacementLayer>(&layer.content)) {
    plan.components = true;
    if (field->convention == FieldConvention::slicer) {
      plan.intent = kIntentDisplacement;  // the components are in RAS
      writeSeries(sink, plan, *field->displacement);
    } else {
      plan.intent = kIntentVector;
      writeReversed(sink, plan, *field->displacement);
    }
  } else {
    const auto& volume = std::get<VolumeLayer>(layer.content);
    plan.seconds = volume.secondsPerVolume;
    plan.components = volume.colors;
    if (volume.colors) plan.intent = volume.series->count == 4 ? kIntentRgba : kIntentRgb;
    writeSeries(sink, plan, *volume.series);
  }
  sink.close();
}

}  // namespace sulcus::io
