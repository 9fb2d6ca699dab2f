#include "core/io/tracts/line_cells.h"

#include "core/image/grids/assumed_sides.h"
#include "core/io/companions.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace sulcus::io {
namespace {

/// Adds the values of `taken`; NaN where a piece of the file lacks them.
void putValues(std::vector<Tracts::Data>& all, const std::vector<CellValues>& more,
               const std::vector<std::size_t>& taken, std::size_t total) {
  constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
  for (const CellValues& values : more) {
    auto data = std::ranges::find(all, values.name, &Tracts::Data::name);
    if (data == all.end()) data = all.insert(all.end(), {values.name, values.components, {}});
    const auto n = std::size_t(data->components);
    if (n != std::size_t(values.components)) continue;
    data->values.resize(n * (total - taken.size()), kMissing);
    for (const std::size_t i : taken)
      for (std::size_t c = 0; c < n; ++c) data->values.push_back(values.numbers[n * i + c]);
  }
  for (Tracts::Data& data : all) data.values.resize(std::size_t(data.components) * total, kMissing);
}

}  // namespace

void LineBuilder::add(const std::vector<float>& places, const LineCells& cells,
                      const std::vector<CellValues>& ofPoints, const std::vector<CellValues>& ofLines) {
  const auto count = std::int64_t(places.size() / 3);
  std::int64_t begin = 0;
  std::vector<std::size_t> taken;
  taken.reserve(cells.points.size());
  for (const std::int64_t end : cells.ends) {
    if (end < begin || end > std::int64_t(cells.points.size()))
      failTracts(file_, "the lengths of its lines do not grow");
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t point = cells.points[std::size_t(i)];
      if (point < 0 || point >= count)
        failTracts(file_, "a line has point " + std::to_string(point) + ", and there are only " +
                              std::to_string(count) + " from 0 on");
      taken.push_back(std::size_t(point));
    }
    tracts_.first.push_back(tracts_.first.back() + std::uint64_t(end - begin));
    begin = end;
  }
  requireTractPoints(tracts_.points.size() + taken.size(), file_);
  requireTractLines(tracts_.lines(), file_);
  for (const std::size_t point : taken)
    tracts_.points.push_back({places[3 * point], places[3 * point + 1], places[3 * point + 2]});
  putValues(tracts_.perPoint, ofPoints, taken, tracts_.points.size());
  std::vector<std::size_t> lines(cells.ends.size());
  std::iota(lines.begin(), lines.end(), std::size_t(0));
  putValues(tracts_.perLine, ofLines, lines, tracts_.lines());
}

TractFile LineBuilder::finished(MeshSpace space) {
  TractFile read;
  read.tracts = std::move(tracts_);
  const Sidecar sidecar = readSidecar(file_);
  std::string by = "what the file says";
  if (const MeshSpace beside = spaceIn("SPACE=" + sidecar.space); beside != MeshSpace::unstated)
    space = beside, by = quoted(sidecar.file);
  if (space == MeshSpace::lps)
    for (auto& p : read.tracts.points) {
      p.x = 0 - p.x;
      p.y = 0 - p.y;
    }
  if (space == MeshSpace::unstated)
    read.notes.push_back(
        assumedSides("Nothing says in which axes its points are: taken as RAS+ mm, as MRtrix writes them; "
                     "dipy and 3D Slicer write LPS. A JSON sidecar can state \"CoordinateSpace\": \"LPS\"."));
  else
    read.notes.push_back("Points in " +
                         std::string(space == MeshSpace::lps ? "LPS+, turned to RAS+ mm," : "RAS+ mm") +
                         " by " + by + ", no half voxel added.");
  return read;
}

std::string wholeTractFile(const std::filesystem::path& file) {
  ByteSource source(file);
  std::string bytes;
  while (true) {
    const std::size_t size = bytes.size(), more = std::max<std::size_t>(size, 1 << 20);
    requireMemory(2 * (size + more), file);
    bytes.resize(size + more);
    const std::size_t got = source.readSome(std::span(bytes).subspan(size));
    if (got == more) continue;
    bytes.resize(size + got);
    return bytes;
  }
}

}  // namespace sulcus::io
