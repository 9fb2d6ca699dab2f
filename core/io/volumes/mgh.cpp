#include "core/base/error.h"
#include "core/image/grids/assumed_sides.h"
#include "core/io/formats.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_end.h"
#include "core/io/volumes/geometry.h"
#include "core/io/volumes/series_samples.h"

#include <array>
#include <climits>
#include <cmath>
#include <map>

// MGH of FreeSurfer, and MGZ, which is MGH in gzip. Files are always big-endian and the numbers start at byte
// 284.
namespace sulcus::io {
namespace {

constexpr std::size_t kHeaderBytes = 284;
constexpr bool kSwap = std::endian::native == std::endian::little;
// Where the fields of the header begin.
constexpr int kMghVersionAt = 0, kMghSizeAt = 4, kMghCountAt = 16, kMghTypeAt = 20, kMghIsOrientedAt = 28,
              kMghSpacingAt = 30, kMghCosinesAt = 42, kMghCenterAt = 78;

struct MghHeader {
  std::array<char, kHeaderBytes> bytes;
  std::int32_t whole(int offset) const { return load<std::int32_t>(bytes.data() + offset, kSwap); }
  double real(int offset) const { return double(load<float>(bytes.data() + offset, kSwap)); }
  bool isOriented() const { return load<std::int16_t>(bytes.data() + kMghIsOrientedAt, kSwap) == 1; }
};

SampleType mghSampleType(int code, const std::filesystem::path& file) {
  static const std::map<int, SampleType> kTypes{{0, SampleType::u8},
                                                {1, SampleType::i32},
                                                {3, SampleType::f32},
                                                {4, SampleType::i16},
                                                {10, SampleType::u16}};
  if (const auto found = kTypes.find(code); found != kTypes.end()) return found->second;
  throw Error(quoted(file) + " holds numbers of type " + std::to_string(code),
              "only unsigned char, short, int and float can be read from MGH", "convert it with mri_convert");
}

/// Reads what may follow the numbers: five sequence parameters, starting with the repetition time in ms, and
/// then tags such as the commands that made the file. Anything else is noted.
void readFooter(ByteSource& source, int count, RawImage& image) {
  constexpr std::size_t kSequenceBytes = 20;
  constexpr std::int32_t kLastTag = 100;
  std::array<char, kSequenceBytes + 4> footer;
  const std::size_t got = source.readSome(footer);
  if (count > 1 && got >= 4) {
    const double seconds = double(load<float>(footer.data(), kSwap)) / 1000;
    if (std::isfinite(seconds) && seconds > 0) image.secondsPerVolume = seconds;
  }
  const auto tag = got == footer.size() ? load<std::int32_t>(footer.data() + kSequenceBytes, kSwap) : 1;
  if (tag < 1 || tag > kLastTag) image.notes.emplace_back(kLongerNote);
}

Grid gridOf(const MghHeader& header, const Vec3<int>& size, Notes& notes) {
  Grid grid;
  grid.size = size;
  const Vec3<double> middle{size.x / 2.0, size.y / 2.0, size.z / 2.0};
  if (!header.isOriented()) {
    // The default of FreeSurfer is 1 mm, coronal, with x to the left.
    grid.worldFromVoxel.m = {{{-1, 0, 0}, {0, 0, 1}, {0, -1, 0}}};
    grid.worldFromVoxel.t = -grid.worldFromVoxel.vector(middle);
    notes.push_back(
        assumedSides("The MGH header holds no orientation: FreeSurfer's default (coronal, 1 mm) assumed."));
    return grid;
  }
  // The columns are spacing × direction cosines. The center in the header is that of the voxel size/2.
  for (int axis = 0; axis < 3; ++axis)
    for (int world = 0; world < 3; ++world)
      grid.worldFromVoxel.m[world][axis] =
          header.real(kMghSpacingAt + 4 * axis) * header.real(kMghCosinesAt + 12 * axis + 4 * world);
  const Vec3<double> center{header.real(kMghCenterAt), header.real(kMghCenterAt + 4),
                            header.real(kMghCenterAt + 8)};
  grid.worldFromVoxel.t = center - grid.worldFromVoxel.vector(middle);
  notes.push_back("Orientation from the MGH header.");
  return grid;
}

}  // namespace

RawImage readMgh(const std::filesystem::path& file, ReadAs as, const Progress& progress,
                 const TellFirst& first) {
  ByteSource source(file);
  MghHeader header;
  source.read(header.bytes);
  if (header.whole(kMghVersionAt) != 1)
    throw Error(quoted(file) + " is not an MGH file",
                "its version is " + std::to_string(header.whole(kMghVersionAt)) + " instead of 1",
                "check that it is the right file");
  const Vec3<int> size{header.whole(kMghSizeAt), header.whole(kMghSizeAt + 4), header.whole(kMghSizeAt + 8)};
  const int count = header.whole(kMghCountAt);
  const SampleType type = mghSampleType(header.whole(kMghTypeAt), file);
  std::uint64_t values = 1;
  for (const int factor : {size.x, size.y, size.z, count})
    if (factor < 1 || __builtin_mul_overflow(values, std::uint64_t(factor), &values) ||
        values > LLONG_MAX / 64)
      throw Error(quoted(file) + " has a size of " + std::to_string(size.x) + " × " + std::to_string(size.y) +
                      " × " + std::to_string(size.z) + " × " + std::to_string(count),
                  "that is not a valid scan size", "the header is damaged; convert the scan again");
  source.requireRoomFor(kHeaderBytes + values * sampleBytes(type));
  requireMemory(values * sizeof(float), file);

  RawImage image;
  const Grid grid = gridOf(header, size, image.notes);
  if (!usable(grid.worldFromVoxel))
    throw Error(quoted(file) + " has no usable orientation", "its voxel axes are singular or not finite",
                "the header is damaged; convert the scan again");
  image.notes.push_back(handednessNote(grid));

  source.skipTo(kHeaderBytes, progress);
  image.storedAsFloat = isFloat(type);
  image.notes.push_back(storedNote(type));
  if (as == ReadAs::labels && count == 1) {
    image.labels.emplace(grid);
    if (!readSamples<Label>(source, {type, kSwap}, image.labels->values, progress))
      image.notes.push_back(Note::warning(kRoundedNote<Label>));
  } else {
    image.series.grid = grid;
    image.series.count = count;
    readSeries(source, {type, kSwap}, first, image, progress);
  }
  readFooter(source, count, image);
  source.finish();
  return image;
}

}  // namespace sulcus::io
