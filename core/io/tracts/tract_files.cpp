#include "core/io/tracts/tract_files.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"
#include "core/image/tracts/tract_measures.h"
#include "core/io/companions.h"
#include "core/io/files.h"
#include "core/io/streams/zip_archive.h"
#include "core/io/volumes/header_text.h"
#include "core/io/volumes/samples.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <new>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostTractPoints = 2'000'000'000, kMostTractLines = 200'000'000;
constexpr float kFarthestPoint = 1e6f;         // mm
constexpr std::size_t kLongestDataName = 100;  // bytes
constexpr std::size_t kTractStart = 1 << 16;   // bytes needed to recognize a format

/// Whether VTK XML begins as PolyData with lines and no polygons.
bool hasLinesAlone(std::string_view xml) {
  const std::size_t piece = xml.find("<Piece");
  if (piece == xml.npos || xml.find("PolyData") == xml.npos) return false;
  const std::string_view tag = xml.substr(piece, xml.find('>', piece) - piece);
  const auto some = [&](std::string_view name) {
    const std::size_t at = tag.find(name);
    if (at == tag.npos) return false;
    const std::string_view value = tag.substr(at + name.size());
    return value.substr(0, value.find('"')).find_first_not_of('0') != value.npos;
  };
  return some("NumberOfLines=\"") && !some("NumberOfPolys=\"") && !some("NumberOfStrips=\"");
}

/// Throws Error unless tracts satisfy the invariants of Tracts, whichever reader made them.
void requireSound(const Tracts& tracts, const fs::path& file) {
  std::atomic<std::int64_t> wrong = -1;
  parallelForBlocks(
      std::int64_t(tracts.points.size()), 1 << 16, {}, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          const auto& p = tracts.points[std::size_t(i)];
          const bool isNear = std::abs(p.x) <= kFarthestPoint && std::abs(p.y) <= kFarthestPoint &&
                              std::abs(p.z) <= kFarthestPoint;
          if (!isNear) wrong = i;
        }
      });
  if (wrong < 0) return;
  const auto line = std::upper_bound(tracts.first.begin(), tracts.first.end(), std::uint64_t(wrong)) -
                    tracts.first.begin() - 1;
  const auto& p = tracts.points[std::size_t(wrong)];
  throw Error(quoted(file) + " has an invalid point",
              text("line ", line + 1, " is at (", p.x, ", ", p.y, ", ", p.z, ") mm"),
              "make or export the lines again, in mm");
}

TractFile readOf(TractFormat format, const fs::path& file, const Progress& progress) {
  switch (format) {
    case TractFormat::tck:
      return readTck(file, progress);
    case TractFormat::trk:
      return readTrk(file, progress);
    case TractFormat::trx:
      return readTrx(file, progress);
    case TractFormat::vtp:
      return readVtpLines(file, progress);
    case TractFormat::vtk:
      return readVtkLines(file, progress);
    case TractFormat::tt:
      return readTt(file, progress);
  }
  return {};
}

Note outsideNote(const Tracts& tracts, const std::optional<Grid>& scan) {
  if (!scan) return "The file does not name the scan of the lines: check their position visually.";
  const Outside outside = outsideOf(tracts, *scan);
  const std::string on =
      "the scan that the file names (" + describeGrid(*scan) + ", " + orientationCode(*scan) + ")";
  if (outside.share == 0) return Note("All lines lie within " + on + ".");
  return Note::warning(text(outside.share < 0.001 ? "less than 0.1" : text(100 * outside.share),
                            " % of the points lie outside of ", on, ", up to ", outside.farthest, " mm."));
}

}  // namespace

void failTracts(const fs::path& file, const std::string& why) {
  throw Error(quoted(file) + " is damaged", why, "copy or make it again");
}

void requireTractPoints(std::uint64_t points, const fs::path& file) {
  if (points > kMostTractPoints)
    throw Error(quoted(file) + " declares " + std::to_string(points) + " points",
                "tracts of more than 2000000000 are not worked with",
                "check that it is complete, or take fewer lines");
}

void requireTractLines(std::uint64_t lines, const fs::path& file) {
  if (lines > kMostTractLines)
    throw Error(quoted(file) + " declares " + std::to_string(lines) + " lines",
                "tracts of more than 200000000 are not worked with",
                "check that it is complete, or take fewer lines");
}

std::string dataName(std::string_view stored, std::span<const Tracts::Data> others) {
  const std::string name = stored.empty() ? "data" : sanitizedForDisplay(stored, kLongestDataName);
  std::string free = name;
  for (int number = 2; std::ranges::any_of(others, [&](const auto& each) { return each.name == free; });
       ++number)
    free = name + "_" + std::to_string(number);
  return free;
}

std::optional<Grid> gridOfHeader(const Vec3<std::int64_t>& size, const Affine& worldFromVoxel) {
  constexpr std::int64_t kLargestSide = 65535;
  Grid grid;
  for (int i = 0; i < 3; ++i) {
    if (size[i] < 1 || size[i] > kLargestSide) return {};
    grid.size[i] = int(size[i]);
    if (!(std::abs(worldFromVoxel.t[i]) < 1e6)) return {};
    for (int j = 0; j < 3; ++j)
      if (!(std::abs(worldFromVoxel.m[std::size_t(i)][std::size_t(j)]) < 1e4)) return {};
  }
  if (!(std::abs(worldFromVoxel.determinant()) > 1e-9)) return {};
  grid.worldFromVoxel = worldFromVoxel;
  return grid;
}

Grid gridAround(const Tracts& lines) {
  const auto [low, high] = boundsOf(lines);
  Grid grid;
  for (int i = 0; i < 3; ++i) {
    grid.worldFromVoxel.t[i] = std::floor(double(low[i])) - 1;
    grid.size[i] = int(std::min(std::ceil(double(high[i])) + 2 - grid.worldFromVoxel.t[i], 65535.0));
  }
  return grid;
}

void readFloats(ByteSource& source, std::span<float> to, bool swap) {
  source.read({reinterpret_cast<char*>(to.data()), to.size_bytes()});
  if (!swap) return;
  for (float& value : to) value = load<float>(reinterpret_cast<const char*>(&value), true);
}

std::optional<TractFormat> tractFormatOf(const fs::path& file) {
  const std::string extension = formatExtension(file);
  std::string start(kTractStart, '\0');
  const bool mayBePacked = extension == ".tck" || extension == ".trk" || extension == ".tt";
  start.resize(mayBePacked ? ByteSource(file).readSome(start) : openData(file).readSome(0, start));
  if (start.starts_with("mrtrix tracks")) return TractFormat::tck;
  if (start.starts_with(std::string_view("TRACK\0", 6))) return TractFormat::trk;
  if (start.starts_with("# vtk DataFile") && extension != ".nii") return TractFormat::vtk;
  if (start.find("<VTKFile") != start.npos)
    return hasLinesAlone(start) ? std::optional(TractFormat::vtp) : std::nullopt;
  if (extension == ".trx" && start.starts_with("PK")) return TractFormat::trx;
  if (extension == ".tt" && start.size() > 20) return TractFormat::tt;
  return {};
}

std::optional<TractFormat> tractFormatToWrite(const fs::path& file) {
  const std::string extension = lowered(file.extension().string());
  if (extension == ".tck") return TractFormat::tck;
  if (extension == ".trk") return TractFormat::trk;
  if (extension == ".trx") return TractFormat::trx;
  if (extension == ".vtp") return TractFormat::vtp;
  if (extension == ".vtk") return TractFormat::vtk;
  return {};
}

TractFile openTractFile(const fs::path& file, const Progress& progress) try {
  const auto format = tractFormatOf(file);
  if (!format)
    throw Error(quoted(file) + " holds no tracts that Sulcus can read",
                "its content is none of TRX, TCK, TRK, VTP, VTK with lines and TT of DSI Studio",
                "check that it is the right file and complete");
  TractFile read = readOf(*format, file, progress.part(0, 0.95, "read"));
  requireSound(read.tracts, file);
  for (Tracts::Group& group : read.tracts.groups) {
    std::ranges::sort(group.lines);
    group.lines.erase(std::ranges::unique(group.lines).begin(), group.lines.end());
  }
  read.notes.push_back(outsideNote(read.tracts, read.scan));
  progress.update(1);
  return read;
} catch (const std::bad_alloc&) {
  throw Error(quoted(file) + " does not fit into memory", "the machine has no room for all of it",
              "close other scans or programs", ErrorKind::unavailable);
}

std::string lostIn(TractFormat format, const Tracts& tracts) {
  const bool data = format != TractFormat::tck, groups = format == TractFormat::trx;
  std::vector<std::string> lost;
  if (!data && !tracts.perLine.empty())
    lost.push_back(counted(std::int64_t(tracts.perLine.size()), "number") + " per line");
  if (!data && !tracts.perPoint.empty())
    lost.push_back(counted(std::int64_t(tracts.perPoint.size()), "number") + " per point");
  if (!groups && !tracts.groups.empty()) lost.push_back(counted(std::int64_t(tracts.groups.size()), "group"));
  return joined(lost, " and ");
}

std::optional<TractFile> someLinesOf(const fs::path& file, const Progress& progress) {
  constexpr std::uint64_t kLargeFile = 100'000'000, kSomePoints = 1'000'000;
  if (openData(file).size() < kLargeFile) return {};
  const auto format = tractFormatOf(file);
  std::optional<TractFile> some;
  if (format == TractFormat::tck) some = readTck(file, progress, kSomePoints);
  if (format == TractFormat::trk) some = readTrk(file, progress, kSomePoints);
  if (format == TractFormat::trx) some = readSomeOfTrx(file, kSomePoints);
  if (some) requireSound(some->tracts, file);
  return some;
}

void movePoints(Tracts& tracts, const Affine& worldFromStored) {
  parallelFor(std::int64_t(tracts.points.size()), 1 << 16, {}, [&](std::int64_t i) {
    auto& p = tracts.points[std::size_t(i)];
    const Vec3<double> moved = worldFromStored.point({p.x, p.y, p.z});
    p = {float(moved.x), float(moved.y), float(moved.z)};
  });
}

bool holdsTracts(const fs::path& file) { return tractFormatOf(file).has_value(); }

Layer openTracts(const fs::path& file, const Progress& progress, const FirstVolume& first) {
  Layer layer;
  layer.name = stemOf(file);
  layer.source = file.string();
  layer.stamp = stampOf(file);
  if (first)
    if (auto some = someLinesOf(file, progress.part(0, 0, ""))) {
      Layer begun = layer;
      begun.notes = {"Some of the lines; the others are being read."};
      begun.content = TractsLayer{std::make_shared<const Tracts>(std::move(some->tracts)), some->scan};
      first(std::move(begun));
    }
  TractFile read = openTractFile(file, progress);
  layer.notes = std::move(read.notes);
  addNotes(readSidecar(file), layer);
  layer.content = TractsLayer{std::make_shared<const Tracts>(std::move(read.tracts)), read.scan};
  return layer;
}

struct TractWriter::State {
  std::unique_ptr<TractStream> stream;
};

TractWriter::TractWriter(const TractTarget& target, const Progress& progress)
    : state_(std::make_unique<State>()) {
  const auto& [to, file, scan, half] = target;
  const auto format = tractFormatToWrite(file);
  if (format == TractFormat::tck) state_->stream = tckStream(to, file, progress);
  if (format == TractFormat::trk) state_->stream = trkStream(to, file, scan, progress);
  if (format == TractFormat::trx) state_->stream = trxStream(to, file, scan, half, progress);
  if (!state_->stream)
    throw Error("Lines cannot be streamed to " + quoted(file),
                "the format of its extension does not support streaming",
                "end the name in .trx, .tck or .trk", ErrorKind::usage);
}

TractWriter::~TractWriter() = default;

void TractWriter::append(const Tracts& lines) { state_->stream->append(lines); }
void TractWriter::close(std::span<const Tracts::Group> groups) { state_->stream->close(groups); }

void writeTracts(const Tracts& tracts, std::span<const Tracts::Group> groups, const TractTarget& target,
                 const Progress& progress) {
  const auto format = tractFormatToWrite(target.file);
  if (format == TractFormat::vtp && !target.half)
    return writeVtpLines(tracts, target.to, target.file, progress);
  if (format == TractFormat::vtk && !target.half)
    return writeVtkLines(tracts, target.to, target.file, progress);
  TractWriter writer(target, progress);
  writer.append(tracts);
  writer.close(groups);
}

}  // namespace sulcus::io
