#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/io/streams/sink.h"
#include "core/io/tracts/tract_files.h"
#include "core/io/volumes/samples.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>

// The format of TrackVis: a header of 1000 bytes, then for each line its number of points, the points with
// their values, and the values of the line. Points are in mm along the axes of the voxels, from the corner of
// the first voxel, whose center is at half a voxel.
namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTrkHeader = 1000, kMostNames = 10, kNameBytes = 20;
constexpr std::size_t kSizeAt = 6, kSpacingAt = 12, kPointCountAt = 36, kPointNamesAt = 38,
                      kLineCountAt = 238, kLineNamesAt = 240, kMatrixAt = 440, kOrderAt = 948, kCountAt = 988,
                      kVersionAt = 992, kHeaderSizeAt = 996;
constexpr int kMostNumbersEach = 1000;  // per point or line

struct TrkHeader {
  bool swap = false;
  Vec3<std::int64_t> size;
  Vec3<double> spacing;
  std::vector<Tracts::Data> perPoint, perLine;
  int pointNumbers = 0, lineNumbers = 0;
  std::optional<Affine> worldFromVoxel;  ///< of the voxels in the order of the scan's file
  std::string order;                     ///< axes of the voxels that the points refer to, e.g. "LPS"
  std::int64_t count = 0;                ///< number of lines; 0: not stated
};

/// The values that a header names: "fa", or "colors\0" "3" for three that belong together.
std::vector<Tracts::Data> namesIn(const char* bytes, int count) {
  std::vector<Tracts::Data> data;
  int taken = 0;
  for (std::size_t i = 0; taken < count; ++i) {
    Tracts::Data one{"", 1, {}};
    if (i < kMostNames) {
      const std::string_view stored(bytes + i * kNameBytes, kNameBytes);
      const std::size_t end = std::min(stored.find('\0'), stored.size());
      const std::string_view rest = stored.substr(std::min(end + 1, stored.size()));
      if (!rest.empty() && std::isdigit(static_cast<unsigned char>(rest[0])))
        one.components = std::max(1, std::atoi(std::string(rest.substr(0, 4)).c_str()));
      one.name = dataName(stored.substr(0, end), data);
    } else {
      one.name = dataName("", data);
    }
    one.components = std::min(one.components, count - taken);
    taken += one.components;
    data.push_back(std::move(one));
  }
  return data;
}

TrkHeader readTrkHeader(ByteSource& source, const fs::path& file) {
  std::array<char, kTrkHeader> bytes;
  source.read(bytes);
  TrkHeader header;
  const auto size = load<std::int32_t>(bytes.data() + kHeaderSizeAt, false);
  header.swap = size != std::int32_t(kTrkHeader);
  if (header.swap && load<std::int32_t>(bytes.data() + kHeaderSizeAt, true) != std::int32_t(kTrkHeader))
    failTracts(file, "its header says that it has " + std::to_string(size) + " bytes instead of 1000");
  const auto whole = [&](std::size_t at) { return load<std::int16_t>(bytes.data() + at, header.swap); };
  const auto real = [&](std::size_t at) { return load<float>(bytes.data() + at, header.swap); };
  for (int i = 0; i < 3; ++i) {
    header.size[i] = std::uint16_t(whole(kSizeAt + 2 * std::size_t(i)));
    header.spacing[i] = double(real(kSpacingAt + 4 * std::size_t(i)));
    if (!(header.spacing[i] > 1e-6 && header.spacing[i] < 1e4))
      failTracts(file, text("its voxels have an edge of ", header.spacing[i], " mm"));
  }
  header.pointNumbers = whole(kPointCountAt);
  header.lineNumbers = whole(kLineCountAt);
  for (const int count : {header.pointNumbers, header.lineNumbers})
    if (count < 0 || count > kMostNumbersEach)
      failTracts(file, "it declares " + std::to_string(count) + " numbers for each line or point");
  header.perPoint = namesIn(bytes.data() + kPointNamesAt, header.pointNumbers);
  header.perLine = namesIn(bytes.data() + kLineNamesAt, header.lineNumbers);
  const auto version = load<std::int32_t>(bytes.data() + kVersionAt, header.swap);
  if (version >= 2 && real(kMatrixAt + 60) != 0) {
    Affine map;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) map.m[i][j] = double(real(kMatrixAt + 4 * (4 * i + j)));
      map.t[int(i)] = double(real(kMatrixAt + 4 * (4 * i + 3)));
    }
    header.worldFromVoxel = map;
  }
  const std::string_view order(bytes.data() + kOrderAt, 3);
  for (const char c : order) header.order += char(std::toupper(static_cast<unsigned char>(c)));
  if (header.order[0] == 0) header.order = "LPS";  // the default of the format
  header.count = load<std::int32_t>(bytes.data() + kCountAt, header.swap);
  if (header.count < 0) failTracts(file, "it declares " + std::to_string(header.count) + " lines");
  requireTractLines(std::uint64_t(header.count), file);
  return header;
}

/// The axis (R/L, A/P, S/I) of a letter and whether it is R, A or S; nullopt for others.
std::optional<std::pair<int, bool>> axisOf(char letter) {
  static constexpr std::string_view kLetters = "RLAPSI";
  const std::size_t at = kLetters.find(letter);
  if (at == kLetters.npos) return {};
  return std::pair(int(at / 2), at % 2 == 0);
}

/// Maps voxels that the points refer to to voxels of the scan, whose axes may be in another order or
/// reversed.
Affine scanFromStored(const TrkHeader& header, const std::string& scanOrder, const fs::path& file) {
  Affine map;
  for (auto& row : map.m) row = {};
  for (int i = 0; i < 3; ++i) {
    const auto wanted = axisOf(scanOrder[std::size_t(i)]);
    int from = -1;
    bool same = true;
    for (int j = 0; j < 3; ++j)
      if (const auto stored = axisOf(header.order[std::size_t(j)]); stored && stored->first == wanted->first)
        from = j, same = stored->second == wanted->second;
    if (from < 0) failTracts(file, "'" + header.order + "' is not an order of voxels");
    map.m[std::size_t(i)][std::size_t(from)] = same ? 1 : -1;
    if (!same) map.t[i] = double(header.size[from] - 1);
  }
  return map;
}

/// The position of the voxels that the points refer to.
Affine worldFromStored(const TrkHeader& header, const fs::path& file, Notes& notes) {
  if (header.worldFromVoxel) {
    Grid scan;
    scan.size = {1, 1, 1}, scan.worldFromVoxel = *header.worldFromVoxel;
    if (!gridOfHeader({1, 1, 1}, scan.worldFromVoxel))
      failTracts(file, "the matrix of its header (vox_to_ras) is invalid");
    const std::string order = orientationCode(scan);
    notes.push_back(
        "Points as TRK of TrackVis has them, from the corner of the first voxel: half a voxel was "
        "taken off, then the header's vox_to_ras led to mm in RAS+ axes of the scanner.");
    if (order != header.order)
      notes.push_back("The points refer to voxels in the order " + header.order + ", the matrix to " + order +
                      ": turned accordingly.");
    return *header.worldFromVoxel * scanFromStored(header, order, file);
  }
  Affine map;
  for (int j = 0; j < 3; ++j) {
    const auto axis = axisOf(header.order[std::size_t(j)]);
    if (!axis) failTracts(file, "'" + header.order + "' is not an order of voxels");
    for (int i = 0; i < 3; ++i) map.m[std::size_t(i)][std::size_t(j)] = 0;
    map.m[std::size_t(axis->first)][std::size_t(j)] = (axis->second ? 1 : -1) * header.spacing[j];
  }
  if (map.determinant() == 0) failTracts(file, "'" + header.order + "' is not an order of voxels");
  notes.push_back(
      Note::warning("the header does not say where the scan lies (vox_to_ras is empty): half a voxel was "
                    "taken off, and the first voxel of the order " +
                    header.order + " was put at 0, 0, 0."));
  return map;
}

class TrkStream : public TractStream {
 public:
  TrkStream(const fs::path& to, const fs::path& file, std::optional<Grid> scan, const Progress& progress)
      : sink_(to, file, progress), file_(file), scan_(std::move(scan)) {}

  void append(const Tracts& lines) override {
    if (!begun_) begin(lines);
    std::string part;
    const auto put = [&](const auto& value) {
      part.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    for (std::size_t i = 0; i < lines.lines(); ++i) {
      const std::uint64_t first = lines.first[i], end = lines.first[i + 1];
      put(std::int32_t(end - first));
      for (std::uint64_t p = first; p < end; ++p) {
        const auto& at = lines.points[std::size_t(p)];
        const Vec3<double> stored = storedFromWorld_.point({at.x, at.y, at.z});
        for (int axis = 0; axis < 3; ++axis) put(float(stored[axis]));
        putNumbers(part, lines.perPoint, p);
      }
      putNumbers(part, lines.perLine, i);
      if (part.size() <= (1 << 20)) continue;
      sink_.write(part);
      part.clear();
    }
    sink_.write(part);
    count_ += lines.lines();
    if (count_ > 2'000'000'000)
      throw Error("More lines than TRK can count", "it has 32 bits for their number", "end the name in .trx",
                  ErrorKind::usage);
  }

  void close(std::span<const Tracts::Group>) override {
    if (!begun_) begin({});
    const auto count = std::int32_t(count_);
    sink_.replace(kCountAt, {reinterpret_cast<const char*>(&count), sizeof count});
    sink_.close();
  }

 private:
  static void putNumbers(std::string& part, const std::vector<Tracts::Data>& all, std::uint64_t index) {
    for (const Tracts::Data& data : all)
      part.append(reinterpret_cast<const char*>(data.values.data() + index * std::size_t(data.components)),
                  sizeof(float) * std::size_t(data.components));
  }

  void begin(const Tracts& lines) {
    begun_ = true;
    const Grid grid = scan_ ? *scan_ : gridAround(lines);
    const Vec3<double> spacing = grid.spacing();
    Affine cornerFromVoxel;
    for (int i = 0; i < 3; ++i) {
      cornerFromVoxel.m[std::size_t(i)][std::size_t(i)] = spacing[i];
      cornerFromVoxel.t[i] = spacing[i] / 2;
    }
    storedFromWorld_ = cornerFromVoxel * grid.worldFromVoxel.inverse();
    std::string head(kTrkHeader, '\0');
    const auto put = [&](std::size_t at, const auto& value) {
      head.replace(at, sizeof value, reinterpret_cast<const char*>(&value), sizeof value);
    };
    head.replace(0, 5, "TRACK");
    for (int i = 0; i < 3; ++i) {
      put(kSizeAt + 2 * std::size_t(i), std::uint16_t(grid.size[i]));
      put(kSpacingAt + 4 * std::size_t(i), float(spacing[i]));
      for (int j = 0; j < 3; ++j)
        put(kMatrixAt + 4 * std::size_t(4 * i + j),
            float(grid.worldFromVoxel.m[std::size_t(i)][std::size_t(j)]));
      put(kMatrixAt + 4 * std::size_t(4 * i + 3), float(grid.worldFromVoxel.t[i]));
    }
    put(kMatrixAt + 60, 1.0f);
    putNames(head, kPointCountAt, kPointNamesAt, lines.perPoint, "point");
    putNames(head, kLineCountAt, kLineNamesAt, lines.perLine, "line");
    head.replace(kOrderAt, 3, orientationCode(grid));
    put(kVersionAt, std::int32_t(2));
    put(kHeaderSizeAt, std::int32_t(kTrkHeader));
    sink_.write(head);
  }

  void putNames(std::string& head, std::size_t countAt, std::size_t namesAt,
                const std::vector<Tracts::Data>& all, const char* each) {
    if (all.size() > kMostNames)
      throw Error(quoted(file_) + " cannot hold " + std::to_string(all.size()) + " numbers per " + each,
                  "TRK has names for 10", "end the name in .trx", ErrorKind::usage);
    int count = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::string number = all[i].components > 1 ? std::to_string(all[i].components) : "";
      std::string name = all[i].name.substr(0, kNameBytes - 1 - (number.empty() ? 0 : number.size() + 1));
      if (!number.empty()) name += '\0' + number;
      head.replace(namesAt + i * kNameBytes, name.size(), name);
      count += all[i].components;
    }
    const auto stored = std::int16_t(count);
    head.replace(countAt, 2, reinterpret_cast<const char*>(&stored), 2);
  }

  Sink sink_;
  fs::path file_;
  std::optional<Grid> scan_;
  Affine storedFromWorld_;
  bool begun_ = false;
  std::uint64_t count_ = 0;
};

/// Moves the next numbers to the data that they are values of.
void takeNumbers(const float*& from, std::vector<Tracts::Data>& all) {
  for (Tracts::Data& data : all) {
    data.values.insert(data.values.end(), from, from + data.components);
    from += data.components;
  }
}

/// Adds the next line, as stored, and returns false at the end of the file.
///
/// @param numbers  of the line; passed to be used again
bool readLine(ByteSource& source, const TrkHeader& header, std::vector<float>& numbers, Tracts& tracts,
              const fs::path& file) {
  std::array<char, 4> word;
  const std::size_t got = source.readSome(word);
  if (got == 0) return false;
  const auto points = got == 4 ? load<std::int32_t>(word.data(), header.swap) : -1;
  if (points < 0) failTracts(file, "line " + std::to_string(tracts.lines() + 1) + " has no number of points");
  const std::uint64_t values =
      std::uint64_t(points) * std::size_t(3 + header.pointNumbers) + std::uint64_t(header.lineNumbers);
  source.requireRoomFor(source.position() + 4 * values);
  requireTractPoints(tracts.points.size() + std::uint64_t(points), file);
  requireMemory(8 * values, file);
  numbers.resize(std::size_t(values));
  readFloats(source, numbers, header.swap);
  const float* from = numbers.data();
  for (std::int32_t i = 0; i < points; ++i) {
    tracts.points.push_back({from[0], from[1], from[2]});
    from += 3;
    takeNumbers(from, tracts.perPoint);
  }
  takeNumbers(from, tracts.perLine);
  tracts.first.push_back(tracts.points.size());
  requireTractLines(tracts.lines(), file);
  return true;
}

}  // namespace

TractFile readTrk(const fs::path& file, const Progress& progress, std::uint64_t wanted) {
  ByteSource source(file);
  const TrkHeader header = readTrkHeader(source, file);
  TractFile read;
  Tracts& tracts = read.tracts;
  tracts.perPoint = header.perPoint;
  tracts.perLine = header.perLine;
  const std::uint64_t size = source.compressed() ? 0 : source.storedSize(),
                      most = size / (4 * std::uint64_t(3 + header.pointNumbers));
  requireMemory(size, file);
  tracts.points.reserve(std::size_t(std::min(most, wanted)));
  tracts.first.reserve(std::size_t(std::min<std::uint64_t>(std::uint64_t(header.count), size / 4)) + 1);
  std::vector<float> numbers;
  while (tracts.points.size() < wanted && readLine(source, header, numbers, tracts, file)) {
    if (tracts.lines() % 1024 != 0) continue;
    if (source.compressed()) requireMemory(tracts.points.size() * sizeof(Vec3<float>), file);
    progress.update(size > 0 ? double(source.position()) / double(size) : 0.5);
  }
  if (tracts.points.size() < wanted && header.count > 0 && std::uint64_t(header.count) != tracts.lines())
    throw Error(quoted(file) + " declares " + std::to_string(header.count) + " lines and has " +
                    std::to_string(tracts.lines()),
                "it was cut off, or the program that made it did not come to its end",
                "copy it or track again");
  const Affine worldFromVoxel = worldFromStored(header, file, read.notes);
  Affine voxelFromCorner;
  for (int i = 0; i < 3; ++i) {
    voxelFromCorner.m[std::size_t(i)][std::size_t(i)] = 1 / header.spacing[i];
    voxelFromCorner.t[i] = -0.5;
  }
  movePoints(tracts, worldFromVoxel * voxelFromCorner);
  read.scan = gridOfHeader(header.size, worldFromVoxel);
  if (!header.worldFromVoxel && read.scan) read.scan->space = Space::assumed;
  return read;
}

std::unique_ptr<TractStream> trkStream(const fs::path& to, const fs::path& file, std::optional<Grid> scan,
                                       const Progress& progress) {
  return std::make_unique<TrkStream>(to, file, std::move(scan), progress);
}

}  // namespace sulcus::io
