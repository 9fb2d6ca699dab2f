#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/io/tracts/tract_files.h"
#include "core/io/volumes/samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

// TT of DSI Studio: arrays in MATLAB's level 4 format, mostly in gzip. "track" holds the lines consecutively:
// the number of coordinates (32 bits), the first point (3 × 32 bits), then the steps (3 × 8 bits), all in
// 1/32 of a voxel, with integers at the centers of voxels.
namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostArrays = 100'000, kMostSmall = 64;  // numbers in arrays other than lines
constexpr double kStepsPerVoxel = 32;
constexpr std::size_t kLineHead = 16;  // bytes

struct MatlabHead {
  std::uint64_t count = 0;
  SampleType type = SampleType::f64;
  bool swap = false;
  std::string name;
};

/// The head of the next array; nullopt at the end of the file.
std::optional<MatlabHead> nextArray(ByteSource& source, const fs::path& file) {
  static constexpr SampleType kTypes[] = {SampleType::f64, SampleType::f32, SampleType::i32,
                                          SampleType::i16, SampleType::u16, SampleType::u8};
  std::array<char, 20> bytes;
  const std::size_t got = source.readSome(bytes);
  if (got == 0) return {};
  if (got < bytes.size()) failTracts(file, "it ends within the head of an array");
  MatlabHead head;
  head.swap = load<std::uint32_t>(bytes.data(), false) > 0xffff;
  std::array<std::uint32_t, 5> words;  // type, rows, columns, whether complex, bytes of the name
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = load<std::uint32_t>(bytes.data() + 4 * i, head.swap);
  const std::uint32_t precision = words[0] / 10 % 10;
  if (words[0] / 1000 > 1 || words[0] % 10 > 1 || precision > 5 || words[3] != 0 || words[4] == 0 ||
      words[4] > 256)
    failTracts(file, "its arrays are not those of DSI Studio");
  head.type = kTypes[precision];
  head.count = std::uint64_t(words[1]) * words[2];
  std::string name(words[4], '\0');
  source.read(name);
  head.name = name.substr(0, name.find('\0'));
  return head;
}

std::vector<double> smallArray(ByteSource& source, const MatlabHead& head, const fs::path& file) {
  if (head.count > kMostSmall) failTracts(file, "its array '" + head.name + "' is too long");
  std::vector<char> bytes(std::size_t(head.count) * std::size_t(sampleBytes(head.type)));
  source.read(bytes);
  std::vector<double> values(std::size_t(head.count));
  detail::convert<double>(head.type, bytes.data(), head.swap, {}, std::span(values));
  return values;
}

/// Adds the lines of an array, in voxels.
void addLines(ByteSource& source, const MatlabHead& head, Tracts& tracts, const fs::path& file,
              const Progress& progress) {
  if (head.type != SampleType::u8) failTracts(file, "its lines are not stored as bytes");
  source.requireRoomFor(source.position() + head.count);
  std::vector<char> steps;
  for (std::uint64_t left = head.count; left > 0;) {
    std::array<char, kLineHead> begin;
    if (left < begin.size()) failTracts(file, "it ends within a line");
    source.read(begin);
    left -= begin.size();
    const auto numbers = load<std::uint32_t>(begin.data(), head.swap);
    if (numbers < 3 || numbers % 3 != 0 || numbers - 3 > left)
      failTracts(file, "line " + std::to_string(tracts.lines() + 1) + " has " + std::to_string(numbers) +
                           " coordinates");
    const std::uint64_t points = numbers / 3;
    requireTractPoints(tracts.points.size() + points, file);
    Vec3<std::int64_t> at;
    for (int i = 0; i < 3; ++i) at[i] = load<std::int32_t>(begin.data() + 4 * (1 + i), head.swap);
    steps.resize(std::size_t(numbers - 3));
    source.read(steps);
    left -= steps.size();
    for (std::uint64_t p = 0;; ++p) {
      tracts.points.push_back({float(double(at.x) / kStepsPerVoxel), float(double(at.y) / kStepsPerVoxel),
                               float(double(at.z) / kStepsPerVoxel)});
      if (p + 1 == points) break;
      for (int i = 0; i < 3; ++i)
        at[i] += static_cast<signed char>(steps[std::size_t(3 * p) + std::size_t(i)]);
    }
    tracts.first.push_back(tracts.points.size());
    requireTractLines(tracts.lines(), file);
    if (tracts.lines() % 1024 != 0) continue;
    requireMemory(tracts.points.size() * sizeof(Vec3<float>), file);
    progress.update(1 - double(left) / double(head.count));
  }
}

bool isTrack(const std::string& name) {
  return name.starts_with("track") && name.find_first_not_of("0123456789", 5) == name.npos;
}

/// What a file holds: its lines, in voxels, and what places them.
struct TtFile {
  Tracts tracts;
  std::vector<double> size, spacing, matrix;
};

TtFile readArrays(const fs::path& file, const Progress& progress) {
  ByteSource source(file);
  TtFile read;
  bool anyTrack = false;
  std::uint64_t arrays = 0;
  const std::map<std::string_view, std::vector<double>*> small{
      {"dimension", &read.size}, {"voxel_size", &read.spacing}, {"trans_to_mni", &read.matrix}};
  while (const auto head = nextArray(source, file)) {
    if (++arrays > kMostArrays) failTracts(file, "it has too many arrays");
    if (isTrack(head->name)) {
      anyTrack = true;
      addLines(source, *head, read.tracts, file, progress);
    } else if (const auto found = small.find(head->name); found != small.end()) {
      *found->second = smallArray(source, *head, file);
    } else {
      source.skipTo(source.position() + head->count * std::uint64_t(sampleBytes(head->type)), progress);
    }
  }
  if (!anyTrack || read.size.size() < 3 || read.spacing.size() < 3)
    throw Error(quoted(file) + " holds no lines of DSI Studio",
                "it has no 'track', 'dimension' and 'voxel_size'",
                "save the tracts in DSI Studio as .tt.gz, .trk.gz or .tck");
  return read;
}

/// World coordinates of the voxels, with a note on where they come from.
Affine worldFromVoxels(const TtFile& file, Notes& notes) {
  Affine map;
  if (file.matrix.size() == 16) {
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) map.m[i][j] = file.matrix[4 * i + j];
      map.t[int(i)] = file.matrix[4 * i + 3];
    }
    notes = {
        "Points as DSI Studio has them, in voxels, whole numbers at their middles: no half voxel taken "
        "off, and the file's trans_to_mni led to mm in RAS+ axes, which are those of a template "
        "where DSI Studio had reconstructed in its space."};
    return map;
  }
  for (std::size_t i = 0; i < 3; ++i) map.m[i][i] = (i < 2 ? -1 : 1) * file.spacing[i];
  map.t = {file.spacing[0] * (file.size[0] - 1), file.spacing[1] * (file.size[1] - 1), 0};
  notes = {
      Note::warning("the file does not say where the scan lies (it has no trans_to_mni): the voxels were "
                    "taken as running to the left, to the back and up, the last of the first two at 0.")};
  return map;
}

}  // namespace

TractFile readTt(const fs::path& file, const Progress& progress) {
  TtFile stored = readArrays(file, progress);
  const auto& size = stored.size;
  TractFile read;
  const Affine map = worldFromVoxels(stored, read.notes);
  const bool inBounds = std::ranges::all_of(size, [](double side) { return std::abs(side) < 1e6; });
  if (inBounds)
    read.scan = gridOfHeader({std::int64_t(size[0]), std::int64_t(size[1]), std::int64_t(size[2])}, map);
  if (!read.scan) failTracts(file, "its matrix and size place no voxels");
  if (stored.matrix.size() != 16) read.scan->space = Space::assumed;
  read.tracts = std::move(stored.tracts);
  movePoints(read.tracts, map);
  return read;
}

}  // namespace sulcus::io
