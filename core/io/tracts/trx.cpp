#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/io/streams/file_json.h"
#include "core/io/streams/zip_archive.h"
#include "core/io/tracts/tract_files.h"
#include "core/io/volumes/header_text.h"
#include "core/io/volumes/samples.h"
#include "core/math/half.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

// TRX as its authors describe it (https://tee-ar-ex.github.io/trx-python): a ZIP archive of header.json,
// positions.3.float16, offsets.uint64, dpv (data per vertex) and dps (per streamline) as
// NAME[.COMPONENTS].TYPE, groups/NAME.uint32. Positions are in mm, RAS+ scanner axes.
namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLongestTrxHeader = 1'000'000;  // bytes
constexpr int kMostComponents = 1000;

/// A number type by its name in TRX. Half precision is read as its 16 bits.
struct TrxType {
  std::string_view name;
  SampleType sample;
  bool half = false;
  std::size_t bytes() const { return std::size_t(sampleBytes(sample)); }
  bool isFloat() const { return half || io::isFloat(sample); }
};

constexpr TrxType kTrxTypes[] = {{"float16", SampleType::u16, true},
                                 {"float32", SampleType::f32},
                                 {"float64", SampleType::f64},
                                 {"int8", SampleType::i8},
                                 {"uint8", SampleType::u8},
                                 {"int16", SampleType::i16},
                                 {"uint16", SampleType::u16},
                                 {"int32", SampleType::i32},
                                 {"uint32", SampleType::u32},
                                 {"int64", SampleType::i64},
                                 {"uint64", SampleType::u64},
                                 {"bit", SampleType::u8},
                                 {"bool", SampleType::u8}};

/// An array in the archive: "dpv/fa.float32", "positions.3.float16".
struct TrxArray {
  std::string folder, name;
  int components = 1;
  TrxType type;
  const ZipEntry* entry = nullptr;
  std::uint64_t count() const { return entry->unpacked / type.bytes(); }
};

std::optional<TrxArray> arrayIn(const ZipEntry& entry) {
  TrxArray array;
  array.entry = &entry;
  std::string_view path = entry.name;
  if (const std::size_t slash = path.rfind('/'); slash != path.npos) {
    array.folder = path.substr(0, slash);
    path.remove_prefix(slash + 1);
  }
  const std::size_t dot = path.rfind('.');
  if (dot == path.npos || dot == 0) return {};
  const auto* const type = std::ranges::find(kTrxTypes, path.substr(dot + 1), &TrxType::name);
  if (type == std::end(kTrxTypes)) return {};
  array.type = *type;
  path = path.substr(0, dot);
  if (const std::size_t before = path.rfind('.'); before != path.npos && before > 0)
    if (const auto number = numberOf(path.substr(before + 1));
        number && *number >= 1 && *number <= kMostComponents) {
      array.components = int(*number);
      path = path.substr(0, before);
    }
  array.name = path;
  return array;
}

template <class T>
void convertNumbers(const TrxType& type, const char* bytes, std::span<T> to) {
  if (!type.half) return detail::convert<T>(type.sample, bytes, false, {}, to);
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i] = T(floatFromHalf(load<std::uint16_t>(bytes + 2 * i, false)));
}

/// Reads the numbers of an array, whose count is that of `to`.
template <class T>
void readArray(const ZipArchive& archive, const TrxArray& array, std::span<T> to, const Progress& progress) {
  if constexpr (std::is_same_v<T, float>)
    if (array.type.sample == SampleType::f32)
      return archive.read(*array.entry, {reinterpret_cast<char*>(to.data()), to.size_bytes()}, progress);
  const std::size_t each = array.type.bytes();
  std::string rest;
  std::size_t done = 0;
  const auto convert = [&](const char* bytes, std::size_t count) {
    convertNumbers(array.type, bytes, to.subspan(done, count));
    done += count;
  };
  archive.read(*array.entry, [&](std::span<const char> bytes) {
    if (!rest.empty()) {  // a number whose bytes came in two pieces
      const std::size_t more = std::min(each - rest.size(), bytes.size());
      rest.append(bytes.data(), more);
      bytes = bytes.subspan(more);
      if (rest.size() < each) return true;
      convert(rest.data(), 1);
      rest.clear();
    }
    const std::size_t count = std::min(bytes.size() / each, to.size() - done);
    convert(bytes.data(), count);
    rest.assign(bytes.data() + count * each, bytes.size() - count * each);
    progress.update(double(done) / double(to.size()));
    return true;
  });
}

struct TrxHeader {
  std::uint64_t points = 0, lines = 0;
  std::optional<Grid> scan;
  std::string scanFault;
};

std::uint64_t countOf(const nlohmann::ordered_json& json, const char* key, const fs::path& file) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number() || !(found->get<double>() >= 0) ||
      found->get<double>() > 1e15)
    failTracts(file, std::string("its header.json gives no number for ") + key);
  return std::uint64_t(found->get<double>());
}

/// The numbers of a matrix, row by row; NaN for what is none. Those of more than 16 are not all returned.
std::vector<double> numbersOf(const nlohmann::ordered_json& matrix) {
  std::vector<double> numbers;
  const auto take = [&](const nlohmann::ordered_json& value) {
    numbers.push_back(value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN());
  };
  for (const auto& row : matrix) {
    if (numbers.size() > 16) break;
    if (row.is_array())
      for (const auto& value : row) take(value);
    else
      take(row);
  }
  return numbers;
}

/// The grid of a header; nullopt if its numbers do not define one.
std::optional<Grid> scanOf(const nlohmann::ordered_json& json) {
  const auto size = json.find("DIMENSIONS"), matrix = json.find("VOXEL_TO_RASMM");
  if (size == json.end() || matrix == json.end() || !size->is_array() || size->size() != 3 ||
      !matrix->is_array())
    return {};
  const std::vector<double> numbers = numbersOf(*matrix);
  if (numbers.size() != 16) return {};
  Vec3<std::int64_t> sides;
  for (int i = 0; i < 3; ++i) {
    const auto& side = (*size)[std::size_t(i)];
    if (!side.is_number() || !(std::abs(side.get<double>()) < 1e6)) return {};
    sides[i] = std::int64_t(side.get<double>());
  }
  Affine map;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) map.m[i][j] = numbers[4 * i + j];
    map.t[int(i)] = numbers[4 * i + 3];
  }
  return gridOfHeader(sides, map);
}

TrxHeader readTrxHeader(const ZipArchive& archive, const fs::path& file) {
  const auto& entries = archive.entries();
  const auto found = std::ranges::find(entries, "header.json", &ZipEntry::name);
  if (found == entries.end())
    throw Error(quoted(file) + " is not a TRX", "it has no header.json", "check that it is the right file");
  if (found->unpacked > kLongestTrxHeader) failTracts(file, "its header.json is too long");
  archive.requirePlausible(*found);
  std::string text(std::size_t(found->unpacked), '\0');
  archive.read(*found, text, {});
  const auto json = parseJson(text, "header.json in " + quoted(file));
  if (!json.is_object()) failTracts(file, "its header.json is not an object");
  TrxHeader header;
  header.points = countOf(json, "NB_VERTICES", file);
  header.lines = countOf(json, "NB_STREAMLINES", file);
  requireTractPoints(header.points, file);
  requireTractLines(header.lines, file);
  header.scan = scanOf(json);
  return header;
}

void requireCount(const ZipArchive& archive, const TrxArray& array, std::uint64_t count,
                  const fs::path& file) {
  archive.requirePlausible(*array.entry);
  if (array.entry->unpacked != count * array.type.bytes())
    failTracts(file, "'" + array.entry->name + "' has " + std::to_string(array.entry->unpacked) +
                         " bytes instead of " + std::to_string(count * array.type.bytes()));
  requireMemory(count * 8, file);
}

Tracts::Data readData(const ZipArchive& archive, const TrxArray& array, std::uint64_t each,
                      const std::vector<Tracts::Data>& others, const fs::path& file) {
  const std::uint64_t count = each * std::uint64_t(array.components);
  requireCount(archive, array, count, file);
  Tracts::Data data{dataName(array.name, others), array.components, std::vector<float>(std::size_t(count))};
  readArray<float>(archive, array, data.values, {});
  return data;
}

/// The first points of all lines and the number of points, from an array with as many numbers as lines or one
/// more.
std::vector<std::uint64_t> readOffsets(const ZipArchive& archive, const TrxArray& array,
                                       const TrxHeader& header, const fs::path& file) {
  if (array.type.isFloat() || array.type.bytes() < 4)
    failTracts(file, "its offsets are not whole numbers of 32 or 64 bits");
  const bool withLast = array.count() > header.lines;
  requireCount(archive, array, header.lines + withLast, file);
  std::vector<std::uint64_t> first(std::size_t(header.lines + withLast));
  readArray<std::uint64_t>(archive, array, first, {});
  if (!withLast) first.push_back(header.points);
  for (std::size_t i = 0; i + 1 < first.size(); ++i)
    if (first[i + 1] < first[i] || first[i + 1] > header.points)
      failTracts(file, "the offset of line " + std::to_string(i + 2) + " is " + std::to_string(first[i + 1]) +
                           " after " + std::to_string(first[i]));
  if (first.front() != 0 || first.back() != header.points)
    failTracts(file, "its offsets do not cover its " + std::to_string(header.points) + " points");
  return first;
}

Tracts::Group readGroup(const ZipArchive& archive, const TrxArray& array, std::uint64_t lines,
                        const fs::path& file) {
  requireCount(archive, array, array.count(), file);
  if (array.count() > lines) failTracts(file, "a group of it has more lines than there are");
  Tracts::Group group{dataName(array.name, {}), std::vector<std::uint32_t>(std::size_t(array.count()))};
  readArray<std::uint32_t>(archive, array, group.lines, {});
  if (std::ranges::any_of(group.lines, [&](std::uint32_t line) { return line >= lines; }))
    failTracts(file, "the group '" + group.name + "' has a line that does not exist");
  return group;
}

/// The arrays of an archive by their paths without type. Counts the files that are none in `passed`.
std::map<std::string, TrxArray> arraysOf(const ZipArchive& archive, std::size_t& passed,
                                         const fs::path& file) {
  std::map<std::string, TrxArray> arrays;
  for (const ZipEntry& entry : archive.entries()) {
    if (entry.name == "header.json" || entry.name.ends_with('/')) continue;
    const auto array = arrayIn(entry);
    if (!array) {
      ++passed;
      continue;
    }
    const std::string path = (array->folder.empty() ? "" : array->folder + "/") + array->name;
    if (!arrays.emplace(path, *array).second) failTracts(file, "it has two arrays '" + path + "'");
  }
  return arrays;
}

Tracts readLines(const ZipArchive& archive, const std::map<std::string, TrxArray>& arrays,
                 const TrxHeader& header, const fs::path& file, const Progress& progress) {
  Tracts tracts;
  if (header.lines == 0 && header.points == 0) return tracts;
  for (const char* const needed : {"positions", "offsets"})
    if (!arrays.contains(needed)) failTracts(file, std::string("its ") + needed + " are missing");
  const TrxArray& positions = arrays.at("positions");
  if (positions.components != 3 || !positions.type.isFloat())
    failTracts(file, "its positions are not three numbers of floating point each");
  requireCount(archive, positions, 3 * header.points, file);
  tracts.first = readOffsets(archive, arrays.at("offsets"), header, file);
  tracts.points.resize(std::size_t(header.points));
  readArray<float>(archive, positions,
                   {reinterpret_cast<float*>(tracts.points.data()), 3 * tracts.points.size()}, progress);
  return tracts;
}

}  // namespace

std::optional<TractFile> readSomeOfTrx(const fs::path& file, std::uint64_t most) {
  const ZipArchive archive(file);
  const TrxHeader header = readTrxHeader(archive, file);
  std::optional<TrxArray> positions, offsets;
  for (const ZipEntry& entry : archive.entries())
    if (const auto array = arrayIn(entry); array && array->folder.empty())
      (array->name == "positions" ? positions : offsets) = array;
  if (!positions || !offsets || !ZipArchive::isStored(*positions->entry) || header.lines == 0) return {};
  const std::size_t each = positions->type.bytes();
  requireCount(archive, *positions, 3 * header.points, file);
  const auto first = readOffsets(archive, *offsets, header, file);
  const std::uint64_t step = std::max<std::uint64_t>(1, header.points / std::max<std::uint64_t>(most, 1));
  TractFile read;
  std::vector<char> bytes;
  for (std::size_t line = 0; line < header.lines; line += step) {
    const std::uint64_t count = 3 * (first[line + 1] - first[line]);
    bytes.resize(std::size_t(count * each));
    archive.readPart(*positions->entry, 3 * first[line] * each, bytes);
    std::vector<float> numbers(static_cast<std::size_t>(count));
    convertNumbers(positions->type, bytes.data(), std::span(numbers));
    for (std::size_t i = 0; i < numbers.size(); i += 3)
      read.tracts.points.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
    read.tracts.first.push_back(read.tracts.points.size());
  }
  read.scan = header.scan;
  return read;
}

TractFile readTrx(const fs::path& file, const Progress& progress) {
  const ZipArchive archive(file);
  const TrxHeader header = readTrxHeader(archive, file);
  std::size_t passed = 0;
  const auto arrays = arraysOf(archive, passed, file);
  TractFile read;
  read.tracts = readLines(archive, arrays, header, file, progress);
  Tracts& tracts = read.tracts;
  for (const auto& [path, array] : arrays) {
    progress.throwIfCancelled();
    if (array.folder == "dpv")
      tracts.perPoint.push_back(readData(archive, array, header.points, tracts.perPoint, file));
    else if (array.folder == "dps")
      tracts.perLine.push_back(readData(archive, array, header.lines, tracts.perLine, file));
    else if (array.folder == "groups")
      tracts.groups.push_back(readGroup(archive, array, header.lines, file));
    else if (!array.folder.empty())
      ++passed;
  }
  read.scan = header.scan;
  std::string stored;
  if (const auto positions = arrays.find("positions");
      positions != arrays.end() && positions->second.type.half)
    stored = " Stored in half precision: up to 0.03 mm off within 128 mm of 0, 0, 0.";
  read.notes = {"Points as TRX has them: mm in RAS+ axes of the scanner, no half voxel added." + stored};
  if (!read.scan) read.notes.push_back(Note::warning("the header gives no grid of a scan that can be used."));
  if (passed > 0)
    read.notes.push_back("Left out " + counted(std::int64_t(passed), "file") +
                         " of the archive, such as data of groups.");
  return read;
}

}  // namespace sulcus::io
