#include "core/base/error.h"
#include "core/image/grids/assumed_sides.h"
#include "core/io/formats.h"
#include "core/io/streams/data_file.h"
#include "core/io/surfaces/mesh_files.h"
#include "core/io/volumes/nrrd_header.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

// The numbers described by an NRRD header, by Gordon Kindlmann, "Definition of NRRD file format".
namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

enum class Kind { domain, numbers, mask, color, complex };

/// An axis of the array. The fastest axis comes first.
struct Axis {
  int size = 1;
  Kind kind = Kind::domain;
  double spacing = std::numeric_limits<double>::quiet_NaN();
  double first = std::numeric_limits<double>::quiet_NaN();  ///< position of the first voxel's center
  std::optional<std::vector<double>> direction;             ///< in the space, if given
  std::string unit;                                         ///< unit of `spacing`
};

/// The kinds of axes by name, and their number of values; 0: any number.
struct KindNames {
  Kind kind;
  int size;
  std::string_view names;
};
constexpr KindNames kAxisKinds[] = {{Kind::domain, 0, " ??? none domain space time "},
                                    {Kind::numbers, 0, " list point vector covariant-vector normal "},
                                    {Kind::numbers, 1, " stub scalar "},
                                    {Kind::numbers, 2, " 2-vector "},
                                    {Kind::numbers, 3, " 3-vector 3-gradient 3-normal 2d-symmetric-matrix "},
                                    {Kind::numbers, 4, " 4-vector quaternion 2d-matrix "},
                                    {Kind::numbers, 6, " 3d-symmetric-matrix "},
                                    {Kind::numbers, 9, " 3d-matrix "},
                                    {Kind::mask, 4, " 2d-masked-symmetric-matrix "},
                                    {Kind::mask, 5, " 2d-masked-matrix "},
                                    {Kind::mask, 7, " 3d-masked-symmetric-matrix "},
                                    {Kind::mask, 10, " 3d-masked-matrix "},
                                    {Kind::color, 3, " 3-color rgb-color hsv-color xyz-color "},
                                    {Kind::color, 4, " 4-color rgba-color "},
                                    {Kind::complex, 2, " complex "}};

/// The names of each type, separated by bars.
constexpr std::pair<SampleType, std::string_view> kTypes[] = {
    {SampleType::i8, "|signed char|int8|int8_t|"},
    {SampleType::u8, "|uchar|unsigned char|uint8|uint8_t|"},
    {SampleType::i16, "|short|short int|signed short|signed short int|int16|int16_t|"},
    {SampleType::u16, "|ushort|unsigned short|unsigned short int|uint16|uint16_t|"},
    {SampleType::i32, "|int|signed int|int32|int32_t|"},
    {SampleType::u32, "|uint|unsigned int|uint32|uint32_t|"},
    {SampleType::i64,
     "|longlong|long long|long long int|signed long long|signed long long int|int64|int64_t|"},
    {SampleType::u64, "|ulonglong|unsigned long long|unsigned long long int|uint64|uint64_t|"},
    {SampleType::f32, "|float|"},
    {SampleType::f64, "|double|"}};

/// The `count` quoted texts of a field, one per axis; all "" if the field is missing.
std::vector<std::string> unitsIn(const HeaderFields& fields, const std::string& name, std::size_t count) {
  std::vector<std::string> units;
  if (!fields.has(name)) return std::vector<std::string>(count);
  std::string_view rest = fields.text(name);
  while (!(rest = trimmed(rest)).empty()) {
    const auto close = rest.find('"', 1);
    constexpr std::size_t kLongestUnit = 100;
    if (rest[0] != '"' || close == rest.npos || close > kLongestUnit || units.size() == count)
      fields.fail(name, std::to_string(count) + " short texts in quotation marks are needed");
    units.push_back(lowered(trimmed(rest.substr(1, close - 1))));
    rest.remove_prefix(close + 1);
  }
  if (units.size() != count)
    fields.fail(name, std::to_string(count) + " short texts in quotation marks are needed");
  return units;
}

/// The seconds in a unit; 0 if it is not a unit of time.
double secondsPer(const std::string& unit) {
  if (unit.empty() || unit == "s" || unit == "sec" || unit == "second" || unit == "seconds") return 1;
  if (unit == "us" || unit == "µs") return 1e-6;
  return unit == "ms" || unit == "msec" ? 1e-3 : 0;
}

SampleType nrrdSampleType(const HeaderFields& fields) {
  const std::string name = std::string("|").append(lowered(fields.text("type"))).append("|");
  for (const auto& [type, names] : kTypes)
    if (name.size() > 2 && names.find(name) != names.npos) return type;
  fields.fail("type", "the numbers can be int8 to int64, uint8 to uint64, float or double");
}

/// The words of a field, one per axis; empty if the field is missing.
std::vector<std::string_view> axisWords(const HeaderFields& fields, const std::string& name,
                                        std::size_t count) {
  const auto words = wordsOf(fields.text(name));
  if (fields.has(name) && words.size() != count)
    fields.fail(name, std::to_string(count) + " words are needed, one for each axis");
  return words;
}

void readKinds(const HeaderFields& fields, std::vector<Axis>& axes) {
  const auto words = axisWords(fields, "kinds", axes.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string name = std::string(" ").append(lowered(words[i])).append(" ");
    const auto known = std::find_if(std::begin(kAxisKinds), std::end(kAxisKinds),
                                    [&](const KindNames& k) { return k.names.find(name) != k.names.npos; });
    if (known == std::end(kAxisKinds))
      fields.fail("kinds", quotedWord(words[i]) + " is not a kind of the format");
    if (known->size != 0 && known->size != axes[i].size)
      fields.fail("kinds", quotedWord(words[i]) + " cannot have " + std::to_string(axes[i].size) + " values");
    axes[i].kind = known->kind;
  }
}

/// Reads spacing and position of axes without a space.
void readSpacings(const HeaderFields& fields, std::vector<Axis>& axes) {
  const auto numbers = [&](const char* name) {
    return fields.has(name) ? fields.numbers(name, axes.size())
                            : std::vector<double>(axes.size(), std::numeric_limits<double>::quiet_NaN());
  };
  const auto spacings = numbers("spacings"), lowest = numbers("axis mins"), highest = numbers("axis maxs");
  const auto centers = axisWords(fields, fields.oneOf({"centers", "centerings"}), axes.size());
  const auto units = unitsIn(fields, "units", axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const bool node = !centers.empty() && lowered(centers[i]) == "node";
    axes[i].spacing = spacings[i];
    const double extent = highest[i] - lowest[i];
    const auto spans = [&](int steps) {
      return std::abs(extent - spacings[i] * steps) <= 1e-3 * std::abs(extent);
    };
    // Without the field "centers", the bounds may be those of the voxels or of their centers.
    if (std::isfinite(extent) && !std::isnan(spacings[i]) && !spans(axes[i].size - node) &&
        !(centers.empty() && spans(axes[i].size - 1)))
      fields.fail("spacings", "axis mins and axis maxs give others");
    if (std::isnan(spacings[i])) axes[i].spacing = (highest[i] - lowest[i]) / (axes[i].size - node);
    const bool ofCenters = node || (centers.empty() && std::isfinite(extent) && !std::isnan(spacings[i]) &&
                                    spans(axes[i].size - 1) && !spans(axes[i].size));
    axes[i].first = lowest[i] + (ofCenters ? 0 : axes[i].spacing / 2);
    axes[i].unit = units[i];
  }
}

std::vector<Axis> axesOf(const HeaderFields& fields, const NrrdSpace& space) {
  const auto count = std::size_t(fields.wholeNumber("dimension", 1, 16));
  std::vector<Axis> axes(count);
  const auto sizes = fields.wholeNumbers("sizes", count, 1, INT_MAX);
  for (std::size_t i = 0; i < count; ++i) axes[i].size = int(sizes[i]);
  readKinds(fields, axes);
  readSpacings(fields, axes);
  if (!fields.has("space directions")) return axes;
  if (space.dimensions == 0) fields.fail("space directions", "there is no space for them (space)");
  const auto directions = nrrdVectors(fields, "space directions", space.dimensions);
  if (directions.size() != count)
    fields.fail("space directions", std::to_string(count) + " vectors, one for each axis, are needed");
  for (std::size_t i = 0; i < count; ++i) axes[i].direction = directions[i];
  return axes;
}

/// The role of each axis of the array in a scan.
struct Roles {
  std::vector<const Axis*> spatial;  ///< up to three
  const Axis* series = nullptr;      ///< time or components
  int axesBefore = 0;                ///< number of `spatial` axes that run faster than `series`
};

/// Throws Error for an axis along which there are no single numbers.
void requireNumbers(const HeaderFields& fields, const Axis& axis) {
  if (axis.kind == Kind::color)
    throw Error(quoted(fields.file()) + " is a color image", "Sulcus works on one number per voxel",
                "convert it to gray values, or save the map it was made from");
  if (axis.kind == Kind::complex)
    throw Error(quoted(fields.file()) + " holds complex numbers", "Sulcus works on one number per voxel",
                "save magnitude or phase as a scan of its own");
}

/// Takes an axis other than those of space as that of the series.
void takeSeries(const HeaderFields& fields, const Axis& axis, Roles& roles) {
  if (axis.size == 1 && roles.series) return;
  if (roles.series && roles.series->size > 1)
    throw Error(quoted(fields.file()) + " has more than one axis in addition to those of space",
                "Sulcus reads series of single numbers", "split it into one file per time or per component");
  roles.series = &axis;
  roles.axesBefore = int(roles.spatial.size());
}

Roles rolesOf(const HeaderFields& fields, const std::vector<Axis>& axes, const NrrdSpace& space) {
  const bool oriented = fields.has("space directions");
  Roles roles;
  std::size_t directed = 0, domain = 0;
  for (const Axis& axis : axes) {
    const bool isDomain = axis.kind == Kind::domain;
    requireNumbers(fields, axis);
    if (axis.direction && !isDomain)
      fields.fail("space directions", "an axis that counts components has none");
    directed += axis.direction.has_value();
    domain += isDomain;
    if (isDomain && roles.spatial.size() < 3 && (!oriented || axis.direction))
      roles.spatial.push_back(&axis);
    else
      takeSeries(fields, axis, roles);
  }
  if (oriented && directed != space.dimensions)
    fields.fail("space directions", std::to_string(directed) + " axes have one in a space of " +
                                        std::to_string(space.dimensions) + " dimensions");
  if (domain < 2 || domain > 4 || roles.spatial.size() < 2)
    throw Error(quoted(fields.file()) + " has " + std::to_string(domain) + " dimensions",
                "Sulcus reads 2D to 4D scans", "split it into 4D files");
  if (roles.axesBefore == int(roles.spatial.size())) roles.axesBefore = 3;
  return roles;
}

/// The millimeters in the unit of the world axes, which must be the same for all three.
double millimetersOf(const HeaderFields& fields, const Roles& roles, const NrrdSpace& space, Notes& notes) {
  std::optional<double> common;
  const auto take = [&](const char* name, const std::string& unit) {
    const double millimeters = fields.millimetersPer(name, unit, notes);
    if (millimeters != common.value_or(millimeters)) fields.fail(name, "one unit for all axes is needed");
    common = millimeters;
  };
  const auto units = unitsIn(fields, "space units", space.dimensions);
  for (std::size_t i = 0; fields.has("space units") && i < std::min<std::size_t>(units.size(), 3); ++i)
    take("space units", units[i]);
  for (const Axis* const axis : roles.spatial)
    if (space.dimensions == 0 || !axis->unit.empty()) take("units", axis->unit);
  return common.value_or(1);
}

void noteSpace(const HeaderFields& fields, const NrrdSpace& space, StoredVoxels& stored) {
  std::string name = "RAS";
  if (space.right < 0) name = space.front < 0 ? "LPS" : "LAS";
  if (space.named)
    stored.notes.push_back("Orientation from the header (" + name +
                           (name == "RAS" ? ")." : " turned into RAS)."));
  else if (space.dimensions > 0)
    stored.notes.push_back(
        assumedSides("The header names no space that knows left and right" +
                     (fields.has("space") ? " (" + quotedWord(fields.text("space")) + ")" : "") +
                     ": taken as LPS, as ITK does."));
  else
    stored.notes.push_back(assumedSides("The header holds no orientation: axes taken as LPS, as ITK does."));
}

/// Throws Error if spatial and time axes are mixed.
void requireTimeApart(const HeaderFields& fields, const Roles& roles) {
  bool mixed = false;
  for (const Axis* const axis : roles.spatial) mixed = mixed || (*axis->direction)[3] != 0;
  for (std::size_t world = 0; roles.series && roles.series->direction && world < 3; ++world)
    mixed = mixed || (*roles.series->direction)[world] != 0;
  if (mixed) fields.fail("space directions", "axes of space and of time are mixed");
}

/// Reads the size and direction of the axes of space.
void readSpatialAxes(const HeaderFields& fields, const Roles& roles, StoredVoxels& stored) {
  const bool isOriented = fields.has("space directions");
  Affine& affine = stored.grid.worldFromVoxel;
  stored.grid.size = {1, 1, 1};
  for (std::size_t i = 0; i < roles.spatial.size(); ++i) {
    const Axis& axis = *roles.spatial[i];
    stored.grid.size[int(i)] = axis.size;
    if (!isOriented && !std::isnan(axis.spacing)) affine.m[i][i] = axis.spacing;
    for (std::size_t world = 0; isOriented && world < 3; ++world)
      affine.m[world][i] = world < axis.direction->size() ? (*axis.direction)[world] : 0;
  }
}

/// The position of the first voxel in the space of the file.
Vec3<double> originOf(const HeaderFields& fields, const Roles& roles, const NrrdSpace& space) {
  Vec3<double> first{};
  if (fields.has("space origin")) {
    const auto origin = nrrdVectors(fields, "space origin", space.dimensions);
    if (origin.size() != 1 || !origin[0]) fields.fail("space origin", "one vector is needed");
    for (std::size_t world = 0; world < std::min<std::size_t>(3, origin[0]->size()); ++world)
      first[int(world)] = (*origin[0])[world];
    return first;
  }
  const bool isPlaced =
      std::ranges::none_of(roles.spatial, [](const Axis* axis) { return std::isnan(axis->first); });
  if (space.dimensions > 0 || !isPlaced) return first;
  for (std::size_t i = 0; i < roles.spatial.size(); ++i) first[int(i)] = roles.spatial[i]->first;
  return first;
}

/// Reads the time between the volumes along `series`.
void readRepetitionTime(const HeaderFields& fields, const NrrdSpace& space, const Axis& series,
                        StoredVoxels& stored) {
  double seconds = series.spacing;
  std::string unit = series.unit;
  if (series.direction) {
    seconds = 0;
    for (const double entry : *series.direction) seconds += entry * entry;
    seconds = std::sqrt(seconds);
    unit = unitsIn(fields, "space units", space.dimensions)[3];
  }
  if (seconds < 0)
    fields.fail(fields.has("spacings") ? "spacings" : "axis maxs", "the time between volumes is negative");
  // A 1 is written if the time is unknown.
  if (std::isfinite(seconds) && seconds > 0 && seconds != 1) stored.seconds = seconds * secondsPer(unit);
  if (secondsPer(unit) == 0)
    stored.notes.push_back("The volumes are " + quotedWord(unit) +
                           " apart, which is not a known time: no repetition time.");
}

/// Reads the grid, converted to RAS, and the axis of a series.
void readNrrdGeometry(const HeaderFields& fields, StoredVoxels& stored) {
  const NrrdSpace space = nrrdSpace(fields);
  const std::vector<Axis> axes = axesOf(fields, space);
  const Roles roles = rolesOf(fields, axes, space);
  const bool isOriented = fields.has("space directions");
  if (!isOriented && space.dimensions > 0 && fields.has("spacings"))
    fields.fail("spacings", "the space is named, but its directions are missing (space directions)");
  if (isOriented && space.dimensions == 4) requireTimeApart(fields, roles);
  readSpatialAxes(fields, roles, stored);
  Affine& affine = stored.grid.worldFromVoxel;
  affine.t = originOf(fields, roles, space);
  for (double& entry : affine.m[0]) entry *= space.right;
  for (double& entry : affine.m[1]) entry *= space.front;
  affine.t.x *= space.right;
  affine.t.y *= space.front;
  stored.millimeters = millimetersOf(fields, roles, space, stored.notes);
  const auto anyAxis = [&](auto has) {
    return !isOriented && std::ranges::any_of(roles.spatial, [&](const Axis* axis) { return has(*axis); });
  };
  if (anyAxis([](const Axis& axis) { return std::isnan(axis.spacing); }))
    stored.notes.push_back("The header holds no voxel size: 1 mm assumed.");
  noteSpace(fields, space, stored);
  if (anyAxis([](const Axis& axis) { return axis.spacing < 0; })) stored.notes.push_back(kReversedNote);

  if (!roles.series) return;
  stored.count = roles.series->size;
  stored.components = roles.series->kind != Kind::domain;
  stored.firstIsMask = roles.series->kind == Kind::mask;
  stored.axesBefore = roles.axesBefore;
  if (!stored.components) readRepetitionTime(fields, space, *roles.series, stored);
}

StoredVoxels::Encoding encodingOf(const HeaderFields& fields) {
  using Encoding = StoredVoxels::Encoding;
  static const std::map<std::string, Encoding> kNames{{"raw", Encoding::raw},    {"gzip", Encoding::deflate},
                                                      {"gz", Encoding::deflate}, {"ascii", Encoding::text},
                                                      {"text", Encoding::text},  {"txt", Encoding::text}};
  const auto found = kNames.find(lowered(fields.text("encoding")));
  if (found == kNames.end()) fields.fail("encoding", "raw, gzip and ascii are supported");
  return found->second;
}

/// Reads where and how the numbers are stored.
void readPlace(const NrrdHeader& header, StoredVoxels& stored) {
  const HeaderFields& fields = header.fields;
  const std::string where = fields.text("data file");
  if (where.starts_with("LIST") || where.find('%') != where.npos)
    fields.fail("data file", "numbers in several files, by a list or a pattern, are not supported");
  const bool detached = fields.has("data file");
  stored.dataFile = detached ? dataFileBeside(fields.file(), where) : fields.file();
  stored.start = detached ? 0 : header.end;
  stored.encoding = encodingOf(fields);
  constexpr std::int64_t kMostSkipped = 1'000'000'000;
  if (fields.has("line skip")) stored.skipLines = fields.wholeNumber("line skip", 0, kMostSkipped);
  if (fields.has("byte skip")) stored.skipBytes = fields.wholeNumber("byte skip", -1, kMostSkipped);
  if (stored.skipLines != 0 && stored.encoding == StoredVoxels::Encoding::deflate)
    fields.fail("line skip", "the numbers are compressed");
  if (stored.skipBytes < 0 && stored.encoding != StoredVoxels::Encoding::raw)
    fields.fail("byte skip", "the numbers are not raw");
  const std::string order = lowered(fields.text("endian"));
  const bool matters = sampleBytes(stored.type) > 1 && stored.encoding != StoredVoxels::Encoding::text;
  if (order != "little" && order != "big" && (matters || !order.empty()))
    fields.fail("endian", "little or big is needed");
  stored.swapped = order == (std::endian::native == std::endian::little ? "big" : "little");
}

}  // namespace

StoredVoxels nrrdVoxels(const NrrdHeader& header) {
  StoredVoxels stored;
  stored.type = nrrdSampleType(header.fields);
  readNrrdGeometry(header.fields, stored);
  readPlace(header, stored);
  return stored;
}

RawImage readNrrd(const fs::path& file, ReadAs as, const std::string& kind, const Progress& progress,
                  const TellFirst& first) {
  const NrrdHeader header = readNrrdHeader(file);
  RawImage image = readStored(nrrdVoxels(header), file, as, kind, progress, first);
  if (!image.displacement && image.series.count > 1) try {
      image.gradients = nrrdGradients(header, image.series.count);
    } catch (const Error& fault) {
      image.gradients.source = fault.what();
    }
  return image;
}

}  // namespace sulcus::io
