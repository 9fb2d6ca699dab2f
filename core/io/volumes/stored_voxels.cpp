#include "core/io/volumes/stored_voxels.h"

#include "core/base/error.h"
#include "core/io/streams/byte_source.h"
#include "core/io/surfaces/mesh_files.h"
#include "core/io/volumes/geometry.h"
#include "core/io/volumes/header_text.h"
#include "core/io/volumes/series_samples.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <climits>
#include <cmath>
#include <cstdio>
#include <limits>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;
using Encoding = StoredVoxels::Encoding;

constexpr std::string_view kBetweenNumbers = " \t\r\n\v\f,";

/// The number of values in the file; throws Error if their size in bytes does not fit into 63 bits.
std::uint64_t valuesOf(const StoredVoxels& stored, const fs::path& file) {
  std::uint64_t bytes = std::uint64_t(sampleBytes(stored.type));
  for (const std::int64_t factor : {std::int64_t(stored.grid.size.x), std::int64_t(stored.grid.size.y),
                                    std::int64_t(stored.grid.size.z), stored.count})
    if (factor < 1 || factor > INT_MAX || __builtin_mul_overflow(bytes, std::uint64_t(factor), &bytes) ||
        bytes > LLONG_MAX / 64)
      throw Error(quoted(file) + " says it is larger than any file can be", describeGrid(stored.grid),
                  "the header is damaged; convert the scan again");
  return bytes / std::uint64_t(sampleBytes(stored.type));
}

/// Moves `source` to the first number. Throws Error, before anything is allocated, if the file cannot hold
/// all numbers.
void findNumbers(ByteSource& source, const StoredVoxels& stored, std::uint64_t values,
                 const Progress& progress) {
  const std::uint64_t bytes = values * std::uint64_t(sampleBytes(stored.type));
  const std::uint64_t skipped = stored.start + std::uint64_t(std::max<std::int64_t>(stored.skipBytes, 0));
  if (stored.encoding == Encoding::raw) source.requireRoomFor(skipped + bytes);
  if (stored.encoding == Encoding::text) source.requireRoomFor(skipped + 2 * values - 1);
  if (stored.encoding == Encoding::deflate) source.requirePlausible(bytes);
  source.skipTo(stored.start, progress);
  source.skipLines(stored.skipLines, progress);
  if (stored.skipBytes < 0) {
    const std::uint64_t size = fs::file_size(stored.dataFile);
    if (size < bytes || size - bytes < source.position()) source.requireRoomFor(source.position() + bytes);
    source.skipTo(size - bytes, progress);
    return;
  }
  // A file compressed by gzip as a whole has been decompressed already.
  if (stored.encoding == Encoding::deflate && !(stored.start == 0 && source.compressed()))
    source.inflateRest();
  source.skipTo(source.position() + std::uint64_t(stored.skipBytes), progress);
}

/// Whether a type can represent a number exactly.
bool fits(double value, SampleType type) {
  if (type == SampleType::f64) return true;
  if (type == SampleType::f32)
    return !std::isfinite(value) || std::abs(value) <= double(std::numeric_limits<float>::max());
  const bool isSigned =
      type == SampleType::i8 || type == SampleType::i16 || type == SampleType::i32 || type == SampleType::i64;
  const double beyond = std::ldexp(1.0, 8 * int(sampleBytes(type)) - isSigned);
  // The largest 64-bit integer is rounded up to the first one beyond.
  const bool below = sampleBytes(type) == 8 ? value <= beyond : value < beyond;
  return value == std::floor(value) && value >= (isSigned ? -beyond : 0) && below;
}

/// A number as an integer: from its digits if it has nothing else, since a double cannot hold all of them.
template <class Target>
Target wholeIn(std::string_view text, double value) {
  std::int64_t whole = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), whole);
  return fault == std::errc() && end == text.data() + text.size() ? Target(whole)
                                                                  : detail::toTarget<Target>(value);
}

/// Reads numbers as text, separated by blanks, line ends or commas. Returns whether anything but blanks
/// follows.
template <class Target>
bool readWords(ByteSource& source, const StoredVoxels& stored, std::span<Target> out,
               const Progress& progress) {
  const fs::path& file = stored.dataFile;
  constexpr std::size_t kLongestNumber = 400;
  std::vector<char> chunk(1 << 16);
  std::string text;
  bool ended = false;
  std::size_t at = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::size_t end = text.npos;
    while (true) {
      at = std::min(text.find_first_not_of(kBetweenNumbers, at), text.size());
      end = text.find_first_of(kBetweenNumbers, at);
      if (end != text.npos || ended || text.size() - at > kLongestNumber) break;
      text.erase(0, at);
      at = 0;
      const std::size_t got = source.readSome(chunk);
      text.append(chunk.data(), got);
      ended = got == 0;
      progress.update(double(i) / double(out.size()));
    }
    end = std::min(end, text.size());
    if (at == end)
      throw Error(quoted(file) + " ends too early",
                  "after " + std::to_string(i) + " of " + std::to_string(out.size()) + " numbers",
                  "copy or download it again");
    const auto value =
        end - at > kLongestNumber ? std::nullopt : numberOf(std::string_view(text).substr(at, end - at));
    if (!value)
      throw Error(quoted(file) + " is damaged",
                  "entry " + std::to_string(i + 1) + " of its text is not a number",
                  "copy or download it again");
    if (!fits(*value, stored.type))
      throw Error(quoted(file) + " is damaged",
                  "number " + std::to_string(i + 1) + " of its text, " +
                      quotedWord(std::string_view(text).substr(at, end - at)) + ", does not fit its type",
                  "correct the type in the header, or convert the scan again");
    out[i] = std::is_integral_v<Target> ? wholeIn<Target>(std::string_view(text).substr(at, end - at), *value)
                                        : detail::toTarget<Target>(*value);
    at = end;
  }
  text.erase(0, at);
  text.append(chunk.data(), source.readSome(chunk));
  return text.find_first_not_of(kBetweenNumbers) != text.npos;
}

/// Whether more follows; reading on makes deflate compare its checksum.
bool goesOnAfter(ByteSource& source) {
  char beyond = 0;
  return source.readSome({&beyond, 1}) > 0;
}

/// Reads numbers. Returns whether the file continues after them.
template <class Target>
bool readValues(ByteSource& source, const StoredVoxels& stored, std::span<Target> out, Notes& notes,
                const Progress& progress) {
  if (stored.encoding == Encoding::text) return readWords(source, stored, out, progress);
  if (!readSamples(source, {stored.type, stored.swapped}, out, progress))
    notes.push_back(Note::warning(kRoundedNote<Target>));
  return goesOnAfter(source);
}

/// Reorders the numbers volume by volume.
Series<float> partedIntoVolumes(const std::vector<float>& values, const StoredVoxels& stored) {
  const std::int64_t left = stored.firstIsMask;
  std::int64_t faster = 1;
  for (int axis = 0; axis < stored.axesBefore; ++axis) faster *= stored.grid.size[axis];
  Series<float> series(stored.grid, int(stored.count - left));
  for (int c = 0; c < series.count; ++c)
    for (std::int64_t voxel = 0; voxel < stored.grid.voxels(); ++voxel)
      series.at(voxel, c) =
          values[std::size_t(voxel % faster + faster * (c + left + stored.count * (voxel / faster)))];
  return series;
}

Grid gridInMillimeters(const StoredVoxels& stored, const fs::path& file) {
  Grid grid = stored.grid;
  for (auto& row : grid.worldFromVoxel.m)
    for (double& entry : row) entry *= stored.millimeters;
  grid.worldFromVoxel.t = stored.millimeters * grid.worldFromVoxel.t;
  if (!usable(grid.worldFromVoxel))
    throw Error(quoted(file) + " has no usable orientation", "its voxel axes are singular or not finite",
                "the header is damaged; convert the scan again");
  return grid;
}

/// Whether the volumes are stored one after the other.
bool isInOrder(const StoredVoxels& stored) {
  return stored.count == 1 || (stored.axesBefore == 3 && !stored.firstIsMask);
}

/// Reads the volumes of a series. Returns whether the file continues after them.
bool readMeasurements(ByteSource& source, const StoredVoxels& stored, const Grid& grid, RawImage& image,
                      const Progress& progress, const TellFirst& first) {
  if (!isInOrder(stored)) {
    std::vector<float> stream(std::size_t(grid.voxels() * stored.count));
    const bool goesOn = readValues<float>(source, stored, stream, image.notes, progress);
    image.series = partedIntoVolumes(stream, stored);
    image.series.grid = grid;
    return goesOn;
  }
  if (stored.encoding == Encoding::text) {
    image.series = Series<float>(grid, int(stored.count));
    return readWords<float>(source, stored, image.series.values, progress);
  }
  image.series.grid = grid;
  image.series.count = int(stored.count);
  readSeries(source, {stored.type, stored.swapped}, first, image, progress);
  return goesOnAfter(source);
}

void itkDisplacementToRas(RawImage& image, double millimeters) {
  for (int c = 0; c < 3; ++c)
    for (std::int64_t i = 0; i < image.series.grid.voxels(); ++i)
      image.series.at(i, c) *= float((c < 2 ? -1 : 1) * millimeters);
  image.notes.push_back(
      "Three numbers per voxel: taken as a displacement by ITK's convention (LPS mm), turned into RAS.");
}

}  // namespace

RawImage readStored(const StoredVoxels& stored, const fs::path& file, ReadAs as, const std::string& kind,
                    const Progress& progress, const TellFirst& first) {
  const bool floats = isFloat(stored.type);
  if (stored.components && stored.axesBefore == 0 && stored.type == SampleType::u8 &&
      (stored.count == 3 || stored.count == 4))
    throw Error(quoted(file) + " is a color image", "Sulcus works on one number per voxel",
                "convert it to gray values, or save the map it was made from");
  const Grid grid = gridInMillimeters(stored, file);
  const std::uint64_t values = valuesOf(stored, file);

  ByteSource source(stored.dataFile);
  findNumbers(source, stored, values, progress);
  requireMemory(values * sizeof(float) * (isInOrder(stored) ? 1 : 2), file);

  RawImage image;
  image.storedAsFloat = floats;
  image.notes.push_back(storedNote(stored.type));
  image.notes.insert(image.notes.end(), stored.notes.begin(), stored.notes.end());
  if (stored.millimeters != 1) {
    char text[80];
    std::snprintf(text, sizeof text, "The header is in units of %.4g mm.", stored.millimeters);
    image.notes.push_back(text);
  }
  noteShear(grid.worldFromVoxel, image.notes);
  image.notes.push_back(handednessNote(grid));
  bool goesOn = false;
  if (as == ReadAs::labels && stored.count == 1) {
    image.labels.emplace(grid);
    goesOn = readValues<Label>(source, stored, image.labels->values, image.notes, progress);
  } else {
    goesOn = readMeasurements(source, stored, grid, image, progress, stored.components ? TellFirst() : first);
  }
  if (goesOn)
    image.notes.push_back("The file continues after the data declared by its header; the rest is ignored.");
  image.displacement =
      stored.components && image.series.count == 3 && floats && (kind.empty() || kind == "displacement");
  if (image.displacement)
    itkDisplacementToRas(image, stored.millimeters);
  else if (image.series.count > 1)
    image.secondsPerVolume = stored.seconds;
  return image;
}

void toPolar(Series<float>& magnitude, Series<float>& phase, Notes& notes) {
  for (std::size_t i = 0; i < magnitude.values.size(); ++i) {
    const float re = magnitude.values[i], im = phase.values[i];
    magnitude.values[i] = std::hypot(re, im);
    phase.values[i] = std::atan2(im, re);
  }
  notes.emplace_back("Complex numbers: their magnitude; the phase is a layer of its own.");
}

}  // namespace sulcus::io
