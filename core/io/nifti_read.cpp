#include "core/base/error.h"
#include "core/io/file_end.h"
#include "core/io/formats.h"
#include "core/io/geometry.h"
#include "core/io/nifti_header.h"

#include <array>
#include <climits>
#include <cmath>
#include <cstdio>
#include <memory>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

/// The number of volumes, and whether they are the components of one displacement.
int volumesOf(const NiftiHeader& h, const fs::path& file, bool& displacement) {
  displacement = false;
  if (h.dim[5] == 1 && h.dim[6] == 1 && h.dim[7] == 1) return int(h.dim[4]);
  if (h.dim[4] == 1 && h.dim[5] == 3 && h.dim[6] == 1 && h.dim[7] == 1 &&
      (h.intent == kIntentDisplacement || h.intent == kIntentVector)) {
    displacement = true;
    return 3;
  }
  std::string sizes;
  for (int i = 1; i <= h.dim[0]; ++i) sizes += (i > 1 ? " × " : "") + std::to_string(h.dim[i]);
  throw Error(quoted(file) + " has " + std::to_string(h.dim[0]) + " dimensions (" + sizes + ", intent " +
                  std::to_string(h.intent) + ")",
              "Sulcus reads 2D to 4D scans and 5D displacement fields of three components",
              "split it into 4D files");
}

/// The size of the numbers in bytes; throws Error when it does not fit into 63 bits.
std::uint64_t bytesOf(const Grid& grid, int count, int each, const fs::path& file) {
  std::uint64_t bytes = std::uint64_t(each);
  for (const int factor : {grid.size.x, grid.size.y, grid.size.z, count})
    if (__builtin_mul_overflow(bytes, std::uint64_t(factor), &bytes) || bytes > LLONG_MAX / 8)
      throw Error(quoted(file) + " says it is larger than any file can be", describeGrid(grid),
                  "the header is damaged; convert the scan again");
  return bytes;
}

void flipComponents(Series<float>& displacement) {
  for (int component = 0; component < 2; ++component) {
    const auto volume = displacement.volume(component);
    for (std::int64_t i = 0; i < volume.voxels(); ++i) volume.data[i] = -volume.data[i];
  }
}

}  // namespace

fs::path niftiPartner(const fs::path& file, const char* extension) {
  fs::path stem = file;
  const bool zipped = file.extension() == ".gz";
  if (zipped) stem.replace_extension();
  const fs::path plain = fs::path(stem).replace_extension(extension);
  const fs::path gz = plain.string() + ".gz";
  const fs::path& first = zipped ? gz : plain;
  const fs::path& second = zipped ? plain : gz;
  return fs::exists(first) || !fs::exists(second) ? first : second;
}

RawImage readNifti(const fs::path& file, ReadAs as, const Progress& progress) {
  const std::string stemEnd =
      file.extension() == ".gz" ? file.stem().extension().string() : file.extension().string();
  const fs::path headerFile = stemEnd == ".img" ? niftiPartner(file, ".hdr") : file;
  auto source = std::make_unique<ByteSource>(headerFile);
  std::array<char, 540> start{};
  const std::size_t got = source->readSome(start);
  const NiftiHeader header = parseNiftiHeader(std::span(start).first(got), headerFile);
  const SampleType type = niftiSampleType(header, headerFile);

  RawImage image;
  const int count = volumesOf(header, headerFile, image.displacement);
  const Grid grid = niftiGrid(header, headerFile, image.notes);
  const std::uint64_t bytes = bytesOf(grid, count, sampleBytes(type), headerFile);

  const bool single = header.singleFile && header.form != NiftiForm::analyze;
  fs::path dataFile = headerFile;
  if (!single) {
    dataFile = niftiPartner(headerFile, ".img");
    if (!fs::exists(dataFile))
      throw Error(quoted(headerFile) + " is a header without numbers",
                  "they are to be in " + quoted(dataFile) + ", which is not there",
                  "put both files into one folder");
    source = std::make_unique<ByteSource>(dataFile);
  }
  const double lowest = single ? (header.form == NiftiForm::nifti2 ? 544 : 352) : 0;
  const double offset = header.voxOffset == 0 ? lowest : header.voxOffset;
  if (!(offset >= (single ? 348 : 0) && offset < 1e15))
    throw Error(quoted(headerFile) + " says its numbers start at byte " + std::to_string(header.voxOffset),
                "that is no place behind the header", "the header is damaged; convert the scan again");
  source->requireRoomFor(std::uint64_t(offset) + bytes);
  requireMemory(bytes / sampleBytes(type) * sizeof(float), dataFile);
  // The numbers start before the end of what was read as a header, so the file is read again from its start.
  if (source->position() > std::uint64_t(offset)) source = std::make_unique<ByteSource>(dataFile);
  source->skipTo(std::uint64_t(offset));

  image.storedAsFloat = isFloat(type) || !header.scaling.identity();
  image.notes.push_back(storedNote(type));
  if (header.intent == kIntentLabel && count == 1 && !isFloat(type)) as = ReadAs::labels;
  if (!header.scaling.identity()) as = ReadAs::measurements;  // scaled numbers are no labels
  if (as == ReadAs::labels && count == 1) {
    image.labels.emplace(grid);
    if (!readSamples<std::int32_t>(*source, type, header.swapped, header.scaling, image.labels->values,
                                   progress))
      image.notes.push_back(kRoundedNote<std::int32_t>);
  } else {
    image.series = Series<float>(grid, count);
    if (!readSamples<float>(*source, type, header.swapped, header.scaling, image.series.values, progress))
      image.notes.push_back(kRoundedNote<float>);
  }
  finishNumbers(*source, image.notes);
  if (!header.scaling.identity()) {
    char text[80];
    std::snprintf(text, sizeof text, "Values scaled by the header: × %.6g + %.6g.", header.scaling.slope,
                  header.scaling.intercept);
    image.notes.push_back(text);
  }
  if (header.scalingIsInfinite)
    image.notes.push_back("Warning: the header scales by a number that is infinite; values are as stored.");
  if (image.displacement) {
    const double millimetres = niftiMillimetres(header.units);
    for (float& value : image.series.values) value = float(value * millimetres);
    const bool lps = header.intent == kIntentVector;
    image.convention = lps ? FieldConvention::itk : FieldConvention::slicer;
    if (lps) flipComponents(image.series);
    image.notes.push_back(
        lps ? "Displacement by the convention of ITK and ANTs (intent 1007, LPS mm), turned into RAS."
            : "Displacement by the convention of 3D Slicer (intent 1006), read as RAS mm.");
  }
  const double seconds = header.pixdim[4] * niftiSeconds(header.units);
  if (count > 1 && !image.displacement && std::isfinite(seconds) && seconds > 0)
    image.secondsPerVolume = seconds;
  return image;
}

}  // namespace sulcus::io
