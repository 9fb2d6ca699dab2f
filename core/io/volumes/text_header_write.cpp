#include "core/io/formats.h"
#include "core/io/streams/sink.h"
#include "core/io/volumes/geometry.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// NRRD and MetaImage have a text header followed by the compressed numbers. Both are written in LPS.
namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr bool kBigEndian = std::endian::native == std::endian::big;

/// The values stated in both headers.
struct Plan {
  Grid grid;
  int volumes = 1;                                          ///< more than one: a fourth dimension
  bool vectors = false;                                     ///< three adjacent numbers per voxel
  const char *nrrdType = "float", *metaType = "MET_FLOAT";  ///< type of the numbers
  double seconds = 1;                                       ///< between volumes; 1 if unknown
};

/// The shortest text that reads back as the same number.
std::string number(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

template <class T>
std::span<const char> bytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// The displacement in LPS with the components of each voxel adjacent.
std::vector<float> vectorsOf(const Series<float>& displacement) {
  std::vector<float> together(displacement.values.size());
  for (std::int64_t voxel = 0; voxel < displacement.grid.voxels(); ++voxel)
    for (int c = 0; c < 3; ++c)
      together[std::size_t(voxel) * 3 + std::size_t(c)] = (c < 2 ? -1 : 1) * displacement.at(voxel, c);
  return together;
}

/// Calls `write` with the plan of a layer and the bytes of its numbers.
template <class Write>
void describe(const Layer& layer, const Write& write) {
  Plan plan;
  plan.grid = *gridOf(layer);
  if (const auto* labels = std::get_if<LabelsLayer>(&layer.content)) {
    const std::vector<Label>& values = labels->labels->values;
    const auto [low, high] = std::ranges::minmax(values);
    if (low >= INT32_MIN && high <= INT32_MAX) {
      plan.nrrdType = "int";
      plan.metaType = "MET_INT";
      write(plan, bytesOf(std::vector<std::int32_t>(values.begin(), values.end())));
    } else {
      plan.nrrdType = "int64";
      plan.metaType = "MET_LONG_LONG";
      write(plan, bytesOf(values));
    }
  } else if (const auto* field = std::get_if<DisplacementLayer>(&layer.content)) {
    plan.vectors = true;
    write(plan, bytesOf(vectorsOf(*field->displacement)));
  } else {
    const auto* const volume = std::get_if<VolumeLayer>(&layer.content);
    const Series<float>& series = volume ? *volume->series : *std::get<PeaksLayer>(layer.content).peaks;
    plan.volumes = series.count;
    if (volume && volume->secondsPerVolume > 0) plan.seconds = volume->secondsPerVolume;
    write(plan, bytesOf(series.values));
  }
}

std::string sizesOf(const Plan& plan) {
  std::string text;
  for (int axis = 0; axis < 3; ++axis)
    text.append(axis == 0 ? "" : " ").append(std::to_string(plan.grid.size[axis]));
  if (plan.volumes > 1) text.append(" ").append(std::to_string(plan.volumes));
  return text;
}

std::string nrrdHeader(const Plan& plan) {
  const bool series = plan.volumes > 1;
  const Affine lps = flipLps(plan.grid.worldFromVoxel);
  std::string directions = plan.vectors ? "none" : "";
  const auto vector = [&](const Vec3<double>& v) {
    std::string text;
    for (int axis = 0; axis < 3; ++axis) text.append(axis == 0 ? "(" : ",").append(number(v[axis]));
    return text.append(series ? ",0)" : ")");
  };
  for (int axis = 0; axis < 3; ++axis)
    directions.append(directions.empty() ? "" : " ").append(vector(lps.column(axis)));
  if (series) directions.append(" (0,0,0,").append(number(plan.seconds)).append(")");
  std::string text = "NRRD0004\n";
  const auto add = [&](const char* name, const std::string& value) {
    text.append(name).append(": ").append(value).append("\n");
  };
  add("type", plan.nrrdType);
  add("dimension", series || plan.vectors ? "4" : "3");
  add("space", series ? "left-posterior-superior-time" : "left-posterior-superior");
  add("sizes", (plan.vectors ? "3 " : "") + sizesOf(plan));
  add("space directions", directions);
  const char* const first = series ? "domain " : "";
  add("kinds", (plan.vectors ? "vector " : first) + std::string("domain domain domain"));
  add("endian", kBigEndian ? "big" : "little");
  add("encoding", "gzip");
  add("space origin", vector(lps.t));
  return text.append("\n");
}

/// The field for the size of the compressed numbers, and the space for a size known only at the end.
constexpr std::string_view kSizeField = "CompressedDataSize = ", kSizeRoom = "                    ";

std::string metaImageHeader(const Plan& plan) {
  const bool series = plan.volumes > 1;
  const Affine lps = flipLps(plan.grid.worldFromVoxel);
  const Vec3<double> spacing = plan.grid.spacing();
  std::string matrix, offset, spacings, center;
  for (int axis = 0; axis < 3; ++axis) {
    for (int world = 0; world < 3; ++world)
      matrix.append(number(lps.m[std::size_t(world)][std::size_t(axis)] / spacing[axis])).append(" ");
    if (series) matrix.append("0 ");
    offset.append(number(lps.t[axis])).append(" ");
    spacings.append(number(spacing[axis])).append(" ");
    center.append("0 ");
  }
  if (series) {
    matrix.append("0 0 0 1");
    offset.append("0");
    spacings.append(number(plan.seconds));
    center.append("0");
  }
  std::string text;
  const auto add = [&](const char* name, std::string_view value) {
    text.append(name).append(" = ").append(value).append("\n");
  };
  add("ObjectType", "Image");
  add("NDims", series ? "4" : "3");
  add("BinaryData", "True");
  add("BinaryDataByteOrderMSB", kBigEndian ? "True" : "False");
  add("CompressedData", "True");
  text.append(kSizeField).append(kSizeRoom).append("\n");
  add("TransformMatrix", matrix);
  add("Offset", offset);
  add("CenterOfRotation", center);
  add("ElementSpacing", spacings);
  add("DimSize", sizesOf(plan));
  if (plan.vectors) add("ElementNumberOfChannels", "3");
  add("ElementType", plan.metaType);
  add("ElementDataFile", "LOCAL");
  return text;
}

}  // namespace

void writeNrrd(const Layer& layer, const fs::path& to, const fs::path& file, const Progress& progress) {
  describe(layer, [&](const Plan& plan, std::span<const char> numbers) {
    Sink sink(to, file, progress);
    sink.write(nrrdHeader(plan));
    sink.deflateRest(Sink::Wrapper::gzip);
    sink.write(numbers);
    sink.close();
  });
}

void writeMetaImage(const Layer& layer, const fs::path& to, const fs::path& file, const Progress& progress) {
  describe(layer, [&](const Plan& plan, std::span<const char> numbers) {
    Sink sink(to, file, progress);
    const std::string header = metaImageHeader(plan);
    sink.write(header);
    sink.deflateRest(Sink::Wrapper::zlib);
    sink.write(numbers);
    sink.endDeflate();
    sink.replace(header.find(kSizeField) + kSizeField.size(), std::to_string(sink.written() - header.size()));
    sink.close();
  });
}

}  // namespace sulcus::io
