#include "core/base/error.h"
#include "core/image/grids/assumed_sides.h"
#include "core/io/formats.h"
#include "core/io/streams/data_file.h"
#include "core/io/surfaces/mesh_files.h"
#include "core/io/volumes/geometry.h"
#include "core/io/volumes/header_text.h"
#include "core/io/volumes/stored_voxels.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>

// The header of a MetaImage has lines "Field = value" or "Field : value", the last of which is
// ElementDataFile.
namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

/// The fields that describe the numbers and their place. All others are remarks and are ignored.
constexpr std::array kMetaFields{"ObjectType",
                                 "NDims",
                                 "DimSize",
                                 "ElementSpacing",
                                 "ElementSize",
                                 "Offset",
                                 "Origin",
                                 "Position",
                                 "ImagePosition",
                                 "TransformMatrix",
                                 "Rotation",
                                 "Orientation",
                                 "DistanceUnits",
                                 "ElementType",
                                 "ElementNumberOfChannels",
                                 "ElementToIntensityFunctionSlope",
                                 "ElementToIntensityFunctionOffset",
                                 "BinaryData",
                                 "ElementByteOrderMSB",
                                 "BinaryDataByteOrderMSB",
                                 "CompressedData",
                                 "HeaderSize",
                                 "ElementDataFile"};
constexpr std::size_t kLongestName = 250;

struct Header {
  HeaderFields fields;
  std::uint64_t end = 0;  ///< the first byte after the header
};

Header headerOf(const fs::path& file) {
  Header header{HeaderFields(file)};
  HeaderLines lines(file);
  while (const auto line = lines.next()) {
    if (trimmed(*line).empty()) continue;
    const auto separator = line->find_first_of("=:");
    const std::string name(trimmed(std::string_view(*line).substr(0, separator)));
    if (separator == line->npos || name.empty() || name.size() > kLongestName)
      lines.fail(quotedWord(name) + " is not a field with a value");
    if (std::find(kMetaFields.begin(), kMetaFields.end(), name) == kMetaFields.end()) continue;
    header.fields.add(name, trimmed(std::string_view(*line).substr(separator + 1)));
    if (name == "ElementDataFile") break;
  }
  header.end = lines.position();
  return header;
}

/// The value of a boolean field; false if missing.
bool isTrue(const HeaderFields& fields, const std::string& name) {
  const std::string value = lowered(fields.text(name));
  const bool yes = value == "true" || value == "t" || value == "1";
  if (fields.has(name) && !yes && value != "false" && value != "f" && value != "0")
    fields.fail(name, "True or False is needed");
  return yes;
}

SampleType metaSampleType(const HeaderFields& fields) {
  static constexpr std::pair<std::string_view, SampleType> kTypes[] = {
      {"CHAR", SampleType::i8},       {"ASCII_CHAR", SampleType::i8},  {"UCHAR", SampleType::u8},
      {"SHORT", SampleType::i16},     {"USHORT", SampleType::u16},     {"INT", SampleType::i32},
      {"UINT", SampleType::u32},      {"LONG", SampleType::i32},       {"ULONG", SampleType::u32},
      {"LONG_LONG", SampleType::i64}, {"ULONG_LONG", SampleType::u64}, {"FLOAT", SampleType::f32},
      {"DOUBLE", SampleType::f64}};
  std::string_view name = fields.text("ElementType");
  if (name.starts_with("MET_")) {
    name.remove_prefix(4);
    if (name.ends_with("_ARRAY")) name.remove_suffix(6);  // how old programs state several channels
    for (const auto& [known, type] : kTypes)
      if (name == known) return type;
  }
  fields.fail("ElementType",
              "the numbers can be MET_CHAR, MET_SHORT, MET_INT, MET_LONG_LONG, their unsigned variants, "
              "MET_FLOAT or MET_DOUBLE");
}

/// Throws Error unless the fourth axis is time, runs forward and is not mixed with the spatial axes.
void requireTime(const HeaderFields& fields, const std::vector<double>& spacing,
                 const std::vector<double>& directions, const std::string& spacingName,
                 const std::string& directionName) {
  if (!std::isfinite(spacing[3]) || spacing[3] < 0)
    fields.fail(spacingName, "the last is the time from volume to volume");
  for (std::size_t i = 0; i < 3; ++i)
    if (directions[4 * i + 3] != 0 || directions[12 + i] != 0)
      fields.fail(directionName, "axes of space and of time are mixed");
  if (!(directions[15] > 0)) fields.fail(directionName, "the axis of time does not run forward");
}

/// Reads the grid, converted from LPS to RAS, and the time between volumes.
void readMetaGeometry(const HeaderFields& fields, StoredVoxels& stored) {
  const auto dimensions = std::size_t(fields.wholeNumber("NDims", 2, 4));
  const auto sizes = fields.wholeNumbers("DimSize", dimensions, 1, INT_MAX);
  std::vector<double> spacing(dimensions, 1), origin(dimensions, 0), directions(dimensions * dimensions, 0);
  for (std::size_t axis = 0; axis < dimensions; ++axis) directions[axis * (dimensions + 1)] = 1;
  // The size of an element is used only when no spacing is given.
  const std::string spacingName =
      fields.has("ElementSpacing") ? "ElementSpacing" : fields.oneOf({"ElementSize"});
  const std::string originName = fields.oneOf({"Offset", "Origin", "Position", "ImagePosition"});
  const std::string directionName = fields.oneOf({"TransformMatrix", "Rotation", "Orientation"});
  if (!spacingName.empty()) spacing = fields.numbers(spacingName, dimensions);
  if (!originName.empty()) origin = fields.numbers(originName, dimensions);
  if (!directionName.empty()) directions = fields.numbers(directionName, dimensions * dimensions);
  if (spacingName.empty()) stored.notes.push_back("The header holds no voxel size: 1 mm assumed.");
  stored.grid.size = {1, 1, 1};
  Affine lps;
  bool reversed = false;
  for (std::size_t axis = 0; axis < std::min<std::size_t>(dimensions, 3); ++axis) {
    stored.grid.size[int(axis)] = int(sizes[axis]);
    for (std::size_t world = 0; world < 3; ++world)
      lps.m[world][axis] = world < dimensions ? spacing[axis] * directions[axis * dimensions + world] : 0;
    lps.t[int(axis)] = origin[axis];
    reversed = reversed || spacing[axis] < 0;
  }
  stored.grid.worldFromVoxel = flipLps(lps);
  if (fields.has("DistanceUnits"))
    stored.millimeters = fields.millimetersPer("DistanceUnits", fields.text("DistanceUnits"), stored.notes);
  stored.notes.push_back(
      !directionName.empty()
          ? Note("Orientation from the header (LPS turned into RAS).")
          : assumedSides("The header holds no orientation: axes taken as LPS, as ITK does."));
  if (reversed) stored.notes.push_back(kReversedNote);
  if (dimensions == 4) requireTime(fields, spacing, directions, spacingName, directionName);
  stored.count = dimensions == 4 ? sizes[3] : 1;
  // A 1 is written if the time is unknown.
  if (dimensions == 4 && spacing[3] > 0 && spacing[3] != 1) stored.seconds = spacing[3];
}

/// Reads where and how the numbers are stored.
void readPlace(const Header& header, StoredVoxels& stored) {
  const HeaderFields& fields = header.fields;
  const std::string where = fields.text("ElementDataFile");
  const bool local = lowered(where) == "local";
  if (where.empty()) fields.fail("ElementDataFile", "it says where the numbers are");
  if (where.starts_with("LIST") || where.find('%') != where.npos)
    fields.fail("ElementDataFile", "numbers in several files, by a list or a pattern, are not supported");
  stored.dataFile = local ? fields.file() : dataFileBeside(fields.file(), where);
  stored.start = local ? header.end : 0;
  if (fields.has("BinaryData") && !isTrue(fields, "BinaryData"))
    fields.fail("BinaryData", "numbers as text are not supported");
  if (isTrue(fields, "CompressedData")) stored.encoding = StoredVoxels::Encoding::deflate;
  if (fields.has("HeaderSize")) stored.skipBytes = fields.wholeNumber("HeaderSize", -1, 1'000'000'000);
  if (stored.skipBytes > 0 && local)
    fields.fail("HeaderSize", "the data follow the header (ElementDataFile = LOCAL)");
  if (stored.skipBytes != 0 && stored.encoding == StoredVoxels::Encoding::deflate)
    fields.fail("HeaderSize", "the numbers are compressed");
  const std::string order = fields.oneOf({"BinaryDataByteOrderMSB", "ElementByteOrderMSB"});
  stored.swapped = isTrue(fields, order) != (std::endian::native == std::endian::big);
}

void noteScale(const HeaderFields& fields, StoredVoxels& stored) {
  for (const auto& [name, none] : {std::pair{"ElementToIntensityFunctionSlope", 1.0},
                                   std::pair{"ElementToIntensityFunctionOffset", 0.0}})
    if (fields.has(name) && fields.numbers(name, 1)[0] != none)
      stored.notes.push_back(std::string("The values are as stored: ") + name + " = " + fields.text(name) +
                             " is not applied.");
}

}  // namespace

bool looksLikeMetaImage(std::string_view start) {
  start = trimmed(start);
  for (const std::string_view first : {"ObjectType", "NDims"})
    if (start.starts_with(first)) {
      const auto rest = trimmed(start.substr(first.size()));
      return rest.starts_with('=') || rest.starts_with(':');
    }
  return false;
}

RawImage readMetaImage(const fs::path& file, ReadAs as, const std::string& kind, const Progress& progress,
                       const TellFirst& first) {
  const Header header = headerOf(file);
  const HeaderFields& fields = header.fields;
  if (fields.has("ObjectType") && lowered(fields.text("ObjectType")) != "image")
    fields.fail("ObjectType", "Sulcus reads images of MetaImage, no other objects");
  StoredVoxels stored;
  readMetaGeometry(fields, stored);
  stored.type = metaSampleType(fields);
  readPlace(header, stored);
  noteScale(fields, stored);
  const std::int64_t channels =
      fields.has("ElementNumberOfChannels") ? fields.wholeNumber("ElementNumberOfChannels", 1, INT_MAX) : 1;
  if (channels > 1 && stored.count > 1)
    throw Error(
        quoted(file) + " is a series of images with " + std::to_string(channels) + " numbers per voxel",
        "Sulcus reads series of single numbers", "split it into one file per time or per component");
  if (channels > 1) {
    stored.components = true;
    stored.count = channels;
    stored.axesBefore = 0;
  }
  return readStored(stored, file, as, kind, progress, first);
}

}  // namespace sulcus::io
