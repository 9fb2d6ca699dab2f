#include "core/base/error.h"
#include "core/base/sanitized.h"
#include "core/image/grids/assumed_sides.h"
#include "core/io/formats.h"
#include "core/io/streams/data_file.h"
#include "core/io/volumes/geometry.h"
#include "core/io/volumes/header_text.h"
#include "core/io/volumes/series_samples.h"

#include <array>
#include <bit>
#include <climits>
#include <cmath>
#include <map>
#include <span>

// Images of MRtrix: a header of lines "key: value" up to END, with the numbers after it or in another file;
// their axes may be in any order and direction ("layout").
namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr int kMostAxes = 4;

struct MifType {
  SampleType type = SampleType::f32;
  int each = 1;  ///< 2: complex
  bool bits = false, swapped = false;
};

/// The content of a header, still as text: fields that may occur several times are in order.
struct MifHeader {
  fs::path file;
  std::map<std::string, std::vector<std::string>> fields;
  std::uint64_t end = 0;  ///< position after the header

  [[noreturn]] void fail(const std::string& why) const {
    throw Error(quoted(file) + " is not an MRtrix image that can be read", why,
                "the header is damaged; convert the scan again");
  }
  const std::string& one(const std::string& key) const {
    const auto found = fields.find(key);
    if (found == fields.end()) fail("its header holds no '" + key + "'");
    if (found->second.size() != 1) fail("its header holds '" + key + "' more than once");
    return found->second.front();
  }
  /// The numbers of a text, separated by commas or blanks.
  std::vector<double> numbers(std::string text, const std::string& key) const {
    for (char& c : text) c = c == ',' ? ' ' : c;
    std::vector<double> values;
    for (const auto word : wordsOf(text)) {
      const auto value = numberOf(word);
      if (!value) fail("'" + key + "' holds " + inQuotes(word, 20));
      values.push_back(*value);
    }
    return values;
  }
};

MifHeader readHeader(const fs::path& file) {
  HeaderLines lines(file);
  MifHeader header{file, {}, 0};
  if (const auto first = lines.next(); !first || trimmed(*first) != "mrtrix image")
    header.fail("it does not begin with 'mrtrix image'");
  while (const auto line = lines.next()) {
    const std::string_view text = trimmed(*line);
    if (text == "END") {
      header.end = lines.position();
      return header;
    }
    const auto colon = text.find(':');
    if (colon == text.npos) continue;
    header.fields[lowered(trimmed(text.substr(0, colon)))].emplace_back(trimmed(text.substr(colon + 1)));
  }
  header.fail("its header has no end");
}

MifType typeOf(const MifHeader& header) {
  std::string name = lowered(header.one("datatype"));
  MifType type;
  const bool little = name.ends_with("le"), big = name.ends_with("be");
  if (little || big) name.resize(name.size() - 2);
  type.swapped =
      little ? std::endian::native == std::endian::big : big && std::endian::native == std::endian::little;
  static const std::map<std::string, SampleType> kTypes{
      {"int8", SampleType::i8},     {"uint8", SampleType::u8},     {"int16", SampleType::i16},
      {"uint16", SampleType::u16},  {"int32", SampleType::i32},    {"uint32", SampleType::u32},
      {"int64", SampleType::i64},   {"uint64", SampleType::u64},   {"float32", SampleType::f32},
      {"float64", SampleType::f64}, {"cfloat32", SampleType::f32}, {"cfloat64", SampleType::f64}};
  type.bits = name == "bit";
  if (type.bits) {
    type.type = SampleType::u8;
    return type;
  }
  const auto found = kTypes.find(name);
  if (found == kTypes.end()) header.fail("its numbers are of the type " + inQuotes(name, 20));
  type.type = found->second;
  type.each = name.front() == 'c' ? 2 : 1;
  return type;
}

/// Sizes, and the positions of voxel (0, 0, 0) and of its neighbors along each axis among the numbers.
struct MifLayout {
  std::array<std::int64_t, kMostAxes> size{1, 1, 1, 1}, stride{};
  std::int64_t first = 0, count = 1;
};

/// Reads "dim".
void readSizes(const MifHeader& header, std::span<const double> sizes, MifLayout& layout) {
  if (sizes.size() < 3) header.fail("it has " + std::to_string(sizes.size()) + " dimensions");
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!(sizes[i] >= 1 && sizes[i] <= INT_MAX) || sizes[i] != std::floor(sizes[i]))
      header.fail("'dim' holds an invalid size");
    if (i >= kMostAxes && sizes[i] != 1)
      throw Error(quoted(header.file) + " has " + std::to_string(sizes.size()) + " dimensions",
                  "Sulcus reads 3D and 4D images of MRtrix", "split it with mrconvert -coord");
    if (i >= kMostAxes) continue;
    layout.size[i] = std::int64_t(sizes[i]);
    if (__builtin_mul_overflow(layout.count, layout.size[i], &layout.count) || layout.count > LLONG_MAX / 64)
      header.fail("'dim' is larger than any file can be");
  }
}

/// An axis in "layout": its rank, 0 the fastest, preceded by a sign for its direction.
struct MifAxis {
  int rank = 0;
  bool isReversed = false;
};

/// Reads "layout", an entry for each of `count` axes.
std::vector<MifAxis> axesOf(const MifHeader& header, std::size_t count) {
  std::vector<MifAxis> axes;
  std::string text = header.one("layout");
  std::ranges::replace(text, ',', ' ');
  for (const auto word : wordsOf(text)) {
    const bool hasSign = word.front() == '+' || word.front() == '-';
    const auto rank = numberOf(word.substr(hasSign ? 1 : 0));
    if (!rank || !(*rank >= 0 && *rank < double(count)) || *rank != std::floor(*rank))
      header.fail("'layout' holds " + inQuotes(word, 20));
    axes.push_back({int(*rank), word.front() == '-'});
  }
  if (axes.size() != count) header.fail("'layout' has not as many axes as 'dim'");
  return axes;
}

std::size_t axisOfRank(const MifHeader& header, const std::vector<MifAxis>& axes, int rank) {
  const auto found = std::ranges::find(axes, rank, &MifAxis::rank);
  if (found == axes.end()) header.fail("'layout' leaves a place out");
  if (std::ranges::count(axes, rank, &MifAxis::rank) > 1) header.fail("'layout' gives two axes one place");
  return std::size_t(found - axes.begin());
}

MifLayout layoutOf(const MifHeader& header) {
  MifLayout layout;
  const auto sizes = header.numbers(header.one("dim"), "dim");
  readSizes(header, sizes, layout);
  const std::vector<MifAxis> axes = axesOf(header, sizes.size());
  std::int64_t step = 1;
  for (int rank = 0; rank < int(axes.size()); ++rank) {
    const std::size_t axis = axisOfRank(header, axes, rank);
    if (axis >= kMostAxes) continue;  // of size 1
    layout.stride[axis] = step;
    step *= layout.size[axis];
  }
  for (std::size_t axis = 0; axis < axes.size() && axis < kMostAxes; ++axis)
    if (axes[axis].isReversed) {
      layout.first += layout.stride[axis] * (layout.size[axis] - 1);
      layout.stride[axis] = -layout.stride[axis];
    }
  return layout;
}

Grid gridOf(const MifHeader& header, const MifLayout& layout, Notes& notes) {
  Grid grid;
  grid.size = {int(layout.size[0]), int(layout.size[1]), int(layout.size[2])};
  const auto vox = header.numbers(header.one("vox"), "vox");
  if (vox.size() < 3) header.fail("'vox' has fewer than three numbers");
  const auto transform = header.fields.find("transform");
  if (transform != header.fields.end()) {
    if (transform->second.size() < 3) header.fail("'transform' has fewer than three lines");
    for (int row = 0; row < 3; ++row) {
      const auto numbers = header.numbers(transform->second[std::size_t(row)], "transform");
      if (numbers.size() != 4) header.fail("'transform' has not four numbers in a line");
      for (int axis = 0; axis < 3; ++axis)
        grid.worldFromVoxel.m[row][axis] = numbers[std::size_t(axis)] * vox[std::size_t(axis)];
      grid.worldFromVoxel.t[row] = numbers[3];
    }
    notes.emplace_back("Orientation from the header of MRtrix.");
  } else {
    // Without a transform, MRtrix takes the image axes as scanner axes and the center as origin.
    for (int axis = 0; axis < 3; ++axis) {
      grid.worldFromVoxel.m[axis][axis] = vox[std::size_t(axis)];
      grid.worldFromVoxel.t[axis] = -0.5 * (grid.size[axis] - 1) * vox[std::size_t(axis)];
    }
    notes.push_back(assumedSides(
        "The header holds no orientation: axes taken for those of the scanner, origin in the middle, "
        "as MRtrix does."));
  }
  if (!usable(grid.worldFromVoxel)) header.fail("its voxels have no usable size or orientation");
  noteShear(grid.worldFromVoxel, notes);
  notes.push_back(handednessNote(grid));
  return grid;
}

/// Reorders numbers from the order in the file to x, y, z, volume.
template <class T>
std::vector<T> inOrder(std::span<const T> stored, const MifLayout& layout, int each, int part) {
  std::vector<T> values(std::size_t(layout.count));
  auto value = values.begin();
  for (std::int64_t v = 0; v < layout.size[3]; ++v)
    for (std::int64_t z = 0; z < layout.size[2]; ++z)
      for (std::int64_t y = 0; y < layout.size[1]; ++y) {
        std::int64_t at = layout.first + v * layout.stride[3] + z * layout.stride[2] + y * layout.stride[1];
        for (std::int64_t x = 0; x < layout.size[0]; ++x, at += layout.stride[0])
          *value++ = stored[std::size_t(at * each + part)];
      }
  return values;
}

template <class T>
std::vector<T> readStoredNumbers(ByteSource& source, const MifType& type, const Scaling& scaling,
                                 std::int64_t count, Notes& notes, const Progress& progress) {
  std::vector<T> numbers(std::size_t(count * type.each));
  if (type.bits) {
    std::vector<char> bytes(std::size_t((count + 7) / 8));
    source.read(bytes);
    for (std::size_t i = 0; i < numbers.size(); ++i)  // the first voxel is the highest bit
      numbers[i] = T((static_cast<unsigned char>(bytes[i / 8]) >> (7 - i % 8)) & 1);
  } else if (!readSamples<T>(source, {type.type, type.swapped, scaling}, numbers, progress)) {
    notes.push_back(Note::warning(kRoundedNote<T>));
  }
  return numbers;
}

GradientTable gradientsOf(const MifHeader& header, int volumes) {
  const auto scheme = header.fields.find("dw_scheme");
  if (scheme == header.fields.end() || volumes < 2) return {};
  std::vector<std::vector<double>> rows;
  for (const std::string& line : scheme->second) rows.push_back(header.numbers(line, "dw_scheme"));
  return mrtrixGradients(rows, volumes, header.file, "the header (MRtrix dw_scheme, scanner axes)", {});
}

Scaling scalingOf(const MifHeader& header) {
  if (!header.fields.contains("scaling")) return {};
  const auto numbers = header.numbers(header.one("scaling"), "scaling");
  if (numbers.size() != 2 || !std::isfinite(numbers[0]) || !std::isfinite(numbers[1]) || numbers[1] == 0)
    header.fail("'scaling' is not an offset and a factor");
  return {numbers[1], numbers[0]};
}

/// Where the numbers begin.
struct MifPlace {
  fs::path file;
  std::uint64_t offset = 0;
};

MifPlace placeOf(const MifHeader& header, const fs::path& file) {
  const auto words = wordsOf(header.one("file"));
  if (words.empty() || words.size() > 2) header.fail("'file' is not a name and a position");
  const auto offset = words.size() == 2 ? numberOf(words[1]) : std::optional(0.0);
  if (!offset || !(*offset >= 0 && *offset < 1e15) || *offset != std::floor(*offset))
    header.fail("'file' holds an invalid position");
  const bool isInside = words[0] == ".";
  if (isInside && std::uint64_t(*offset) < header.end) header.fail("its numbers begin within the header");
  return {isInside ? file : dataFileBeside(file, std::string(words[0])), std::uint64_t(*offset)};
}

/// Brings numbers into the order of the grid; those of complex images become magnitude and phase.
///
/// @param each  numbers per voxel and volume
void orderVolumes(std::span<const float> numbers, const MifLayout& layout, int each, const Grid& grid,
                  RawImage& image) {
  const int volumes = int(layout.size[3]);
  image.series.grid = grid;
  image.series.count = volumes;
  image.series.values = inOrder<float>(numbers, layout, each, 0);
  if (each != 2) return;
  image.phase = Series<float>(grid, 0);
  image.phase->count = volumes;
  image.phase->values = inOrder<float>(numbers, layout, 2, 1);
  toPolar(image.series, *image.phase, image.notes);
}

}  // namespace

RawImage readMif(const fs::path& file, ReadAs as, const Progress& progress, const TellFirst& first) {
  const MifHeader header = readHeader(file);
  const MifType type = typeOf(header);
  const MifLayout layout = layoutOf(header);
  RawImage image;
  const Grid grid = gridOf(header, layout, image.notes);
  const Scaling scaling = scalingOf(header);
  const MifPlace place = placeOf(header, file);
  const std::uint64_t bytes = type.bits ? std::uint64_t(layout.count + 7) / 8
                                        : std::uint64_t(layout.count) * sampleBytes(type.type) * type.each;
  ByteSource source(place.file);
  source.requireRoomFor(place.offset + bytes);
  requireMemory(std::uint64_t(layout.count) * type.each * 2 * sizeof(float), place.file);
  source.skipTo(place.offset, progress);

  image.storedAsFloat = isFloat(type.type) || !scaling.identity();
  image.notes.push_back(type.bits ? "Stored as bits." : storedNote(type.type));
  const int volumes = int(layout.size[3]);
  if (as == ReadAs::labels && volumes == 1 && type.each == 1 && scaling.identity()) {
    const auto numbers = readStoredNumbers<Label>(source, type, scaling, layout.count, image.notes, progress);
    image.labels.emplace(grid);
    image.labels->values = inOrder<Label>(numbers, layout, 1, 0);
  } else {
    std::vector<float> numbers;
    if (layout.stride[3] == grid.voxels() && type.each == 1 && !type.bits) {
      const auto tell = [&](const Grid& of, std::span<const float> stored, int count) {
        MifLayout one = layout;
        one.size[3] = 1;
        one.count = of.voxels();
        first(of, inOrder<float>(stored, one, 1, 0), count);
      };
      image.series.grid = grid;
      image.series.count = volumes;
      readSeries(source, {type.type, type.swapped, scaling}, first ? tell : TellFirst(), image, progress);
      numbers = std::move(image.series.values);
    } else {
      numbers = readStoredNumbers<float>(source, type, scaling, layout.count, image.notes, progress);
    }
    orderVolumes(numbers, layout, type.each, grid, image);
  }
  source.finish();
  // The voxel size along the fourth axis is the time between volumes.
  if (const auto vox = header.numbers(header.one("vox"), "vox");
      volumes > 1 && vox.size() > 3 && std::isfinite(vox[3]) && vox[3] > 0)
    image.secondsPerVolume = vox[3];
  image.gradients = gradientsOf(header, volumes);
  return image;
}

}  // namespace sulcus::io
