#include "core/surface/surface_pieces.h"

#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/image/grids/neighbors.h"
#include "core/surface/surface.h"

#include <algorithm>
#include <cmath>

namespace sulcus::surface {
namespace {

/// Of the voxels that noise moved to the other side, this fraction more may have gone one way: outside of a
/// round surface there is more room than inside.
constexpr double kOneSidedShare = 1.0 / 8;
/// The surface half-way between the voxels of a mask encloses less than they do, since it cuts off corners.
/// At most this fraction of the volume is restored.
constexpr double kCornersCut = 0.015;
/// First step by which a surface is moved to measure the effect, largest step, voxels, and number of secant
/// steps.
constexpr double kFirstStep = 0.01, kFurthest = 0.5;
constexpr int kSecants = 4;
/// Relative error of the volume that counts as reached.
constexpr double kReachedWithin = 1e-4;
/// A relative change of volume that merits a warning.
constexpr double kWarnVolumeChange = 0.02;
/// Pieces of at most this many voxels may be noise.
constexpr std::int64_t kNoisePiece = 32;
/// A relative uncertainty of the volume (two standard deviations) that merits a warning.
constexpr double kWarnUncertainty = 0.06;

/// The 26-connected piece of each voxel where φ < 0, in the order of their first voxels; −1 elsewhere.
std::vector<std::int32_t> piecesOf(const Volume<float>& phi, std::int32_t& count) {
  std::vector<std::int32_t> pieces(phi.values.size(), -1);
  const auto isNew = [&](std::int64_t i) { return phi.values[i] < 0 && pieces[i] < 0; };
  count = 0;
  for (std::int64_t i = 0; i < phi.grid.voxels(); ++i) {
    if (!isNew(i)) continue;
    floodFill(phi.grid, i, Connectivity::corners, isNew, [&](std::int64_t voxel) { pieces[voxel] = count; });
    ++count;
  }
  return pieces;
}

/// The voxel at corner i of a cell, x fastest.
std::int64_t cornerOf(std::int64_t voxel, int i, const Vec3<int>& size) {
  return voxel + (i & 1) + size.x * (std::int64_t(i >> 1 & 1) + std::int64_t(size.y) * (i >> 2));
}

/// The fraction of a tetrahedron where the linear function with these values at its corners is below 0.
double partBelow(double a, double b, double c, double d) {
  const auto order = [](double& low, double& high) {
    if (high < low) std::swap(low, high);
  };
  order(a, b);
  order(c, d);
  order(a, c);
  order(b, d);
  order(b, c);
  if (a >= 0) return 0;
  if (b >= 0) return a / (a - b) * (a / (a - c)) * (a / (a - d));
  if (c >= 0) {
    const double ac = a / (a - c), ad = a / (a - d), bc = b / (b - c), bd = b / (b - d);
    return ac * ad + ad * bc * (1 - ac) + bc * bd * (1 - ad);
  }
  if (d >= 0) return 1 - d / (d - a) * (d / (d - b)) * (d / (d - c));
  return 1;
}

/// The fraction of a cube where φ < 0, from six tetrahedra around its diagonal.
///
/// @param phi  at its corners, x fastest
double partInside(const double* phi) {
  int below = 0;
  for (int i = 0; i < 8; ++i) below += phi[i] < 0;
  if (below % 8 == 0) return below / 8;
  constexpr int kMiddle[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
  double sum = 0;
  for (const auto& m : kMiddle) sum += partBelow(phi[0], phi[m[0]], phi[m[1]], phi[7]);
  return sum / 6;
}

}  // namespace

SurfacePieces::SurfacePieces(const Band& band, bool mask) : band_(band), edge_(voxelEdge(band.grid())) {
  std::int32_t count = 0;
  inside_ = piecesOf(band.phi, count);
  pieces_.resize(count);
  const std::vector<std::int32_t> element = elementsOf(band);
  assignElements(element);
  findCells(element);
  const std::vector<double> volumes = volumesOf(onBand(band.phi, band), {});
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    Piece& piece = pieces_[p];
    piece.volume = volumes[p];
    piece.wanted = mask ? std::clamp(double(piece.voxels), piece.volume, (1 + kCornersCut) * piece.volume)
                        : piece.volume;
  }
}

void SurfacePieces::assignElements(const std::vector<std::int32_t>& element) {
  of_.assign(band_.count(), -1);
  std::vector<std::int64_t> front;
  for (std::size_t i = 0; i < inside_.size(); ++i) {
    if (inside_[i] < 0) continue;
    Piece& piece = pieces_[inside_[i]];
    ++piece.voxels;
    if (element[i] < 0) {
      ++piece.deep;
      continue;
    }
    of_[element[i]] = inside_[i];
    front.push_back(std::int64_t(i));
  }
  // Grows outwards by a voxel at a time.
  for (std::vector<std::int64_t> next; !front.empty(); front.swap(next), next.clear())
    for (const std::int64_t at : front)
      forNeighbors(band_.grid(), band_.grid().voxel(at), Connectivity::corners, [&](std::int64_t other) {
        const std::int32_t e = element[other];
        if (e < 0 || of_[e] >= 0) return;
        of_[e] = of_[element[at]];
        next.push_back(other);
      });
}

void SurfacePieces::findCells(const std::vector<std::int32_t>& element) {
  const Vec3<int> n = band_.grid().size;
  for (int z = 0; z + 1 < n.z; ++z)
    for (int y = 0; y + 1 < n.y; ++y)
      for (int x = 0; x + 1 < n.x; ++x) addCell(band_.grid().index(x, y, z), element);
}

void SurfacePieces::addCell(std::int64_t voxel, const std::vector<std::int32_t>& element) {
  Cell cell{voxel, -1, {}};
  bool near = false;
  for (int i = 0; i < 8; ++i) {
    const std::int32_t e = element[cornerOf(voxel, i, band_.grid().size)];
    cell.elements[i] = e;
    near = near || e >= 0;
    if (e >= 0 && cell.piece < 0) cell.piece = of_[e];
  }
  const std::int32_t in = inside_[voxel];
  if (!near && in >= 0) ++pieces_[in].deepVolume;
  if (cell.piece >= 0) cells_.push_back(cell);
}

std::vector<double> SurfacePieces::volumesOf(const std::vector<float>& phi,
                                             const std::vector<double>& raised) const {
  constexpr int kCellsPerBlock = 4096;
  std::vector<double> inside(cells_.size());
  parallelFor(std::ssize(cells_), kCellsPerBlock, {}, [&](std::int64_t c) {
    const Cell& cell = cells_[c];
    const double more = raised.empty() ? 0 : raised[cell.piece];
    double corners[8];
    for (int i = 0; i < 8; ++i) {
      const std::int32_t e = cell.elements[i];
      corners[i] = e < 0 ? double(band_.phi.values[cornerOf(cell.voxel, i, band_.grid().size)])
                         : double(phi[e]) + more;
    }
    inside[c] = partInside(corners);
  });
  std::vector<double> volumes(pieces_.size());
  for (std::size_t p = 0; p < pieces_.size(); ++p) volumes[p] = pieces_[p].deepVolume;
  for (std::size_t c = 0; c < cells_.size(); ++c) volumes[cells_[c].piece] += inside[c];
  return volumes;
}

std::vector<SurfacePieces::Rest> SurfacePieces::restsOf(const std::vector<float>& phi) const {
  std::vector<Rest> rests(pieces_.size());
  const std::vector<double> volumes = volumesOf(phi, {});
  for (std::size_t p = 0; p < pieces_.size(); ++p) rests[p] = {pieces_[p].deep, 0, volumes[p]};
  for (std::size_t e = 0; e < of_.size(); ++e) {
    if (of_[e] < 0) continue;
    Rest& rest = rests[of_[e]];
    rest.inside += phi[e] < 0;
    rest.changed += (phi[e] < 0) != (band_.phi.values[band_.voxels[e]] < 0);
  }
  return rests;
}

void SurfacePieces::keepVolumes(std::vector<float>& phi) const {
  const std::vector<Rest> rests = restsOf(phi);
  const double step = kFirstStep * edge_, most = kFurthest * edge_;
  std::vector<double> wanted(pieces_.size()), raised(pieces_.size()), last(pieces_.size()),
      lastVolume(pieces_.size());
  bool unmet = false;
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    const double noise = kOneSidedShare * double(rests[p].changed), now = rests[p].volume;
    wanted[p] = 2 * rests[p].inside < pieces_[p].voxels
                    ? now
                    : std::clamp(now, pieces_[p].wanted - noise, pieces_[p].wanted + noise);
    lastVolume[p] = now;
    if (wanted[p] == now) continue;
    raised[p] = wanted[p] > now ? -step : step;
    unmet = true;
  }
  for (int i = 0; unmet && i < kSecants; ++i) {  // secant steps on the offset of each piece
    unmet = false;
    const std::vector<double> volumes = volumesOf(phi, raised);
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      const double missing = wanted[p] - volumes[p],
                   slope = (volumes[p] - lastVolume[p]) / (raised[p] - last[p]);
      if (std::abs(missing) <= kReachedWithin * wanted[p] || !(slope < 0)) continue;
      unmet = true;
      last[p] = raised[p];
      lastVolume[p] = volumes[p];
      raised[p] = std::clamp(raised[p] + missing / slope, -most, most);
    }
  }
  for (std::size_t e = 0; e < of_.size(); ++e)
    if (of_[e] >= 0) phi[e] = float(double(phi[e]) + raised[of_[e]]);
}

SurfacePieces::Overlaps SurfacePieces::overlapsWith(const std::vector<float>& phi) const {
  std::int32_t count = 0;
  const std::vector<std::int32_t> after = piecesOf(withBand(band_, phi), count);
  std::vector<std::int64_t> size(count, 0);
  for (const std::int32_t piece : after)
    if (piece >= 0) ++size[piece];
  Overlaps overlaps;
  overlaps.ofBefore.resize(pieces_.size());
  overlaps.ofAfter.resize(size.size());
  for (std::size_t i = 0; i < after.size(); ++i) {
    const std::int32_t a = inside_[i], b = after[i];
    if (a < 0 || b < 0) continue;
    if (pieces_[a].voxels > kNoisePiece) overlaps.ofAfter[b].insert(a);
    if (size[b] > kNoisePiece) overlaps.ofBefore[a].insert(b);
  }
  return overlaps;
}

void SurfacePieces::Changes::addVolume(const Piece& piece, const Rest& rest) {
  const double change = rest.volume - piece.wanted, share = change / piece.volume;
  const double explained = kWarnVolumeChange * piece.volume + kOneSidedShare * double(rest.changed);
  if (std::abs(change) > explained) {
    ++changed;
    if (std::abs(share) > std::abs(mostChanged)) mostChanged = share;
  }
  // Each voxel that noise moved could as well have gone the other way.
  const double doubt = 2 * std::sqrt(double(rest.changed)) / piece.volume;
  if (doubt > kWarnUncertainty) {
    ++uncertain;
    mostUncertain = std::max(mostUncertain, doubt);
  }
}

SurfacePieces::Changes SurfacePieces::changes(const std::vector<float>& phi) const {
  const Overlaps overlaps = overlapsWith(phi);
  const std::vector<Rest> rests = restsOf(phi);
  Changes changes;
  for (const auto& before : overlaps.ofAfter)
    if (before.size() > 1) changes.merged += std::int64_t(before.size());
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    if (pieces_[p].voxels <= kNoisePiece) continue;
    if (2 * rests[p].inside < pieces_[p].voxels) {
      ++changes.vanished;
      continue;
    }
    changes.apart += overlaps.ofBefore[p].size() > 1;
    changes.addVolume(pieces_[p], rests[p]);
  }
  return changes;
}

Notes SurfacePieces::warnings(const std::vector<float>& phi) const {
  const Changes found = changes(phi);
  const auto percent = [](double share) { return std::to_string(std::lround(100 * share)); };
  const auto pieces = [](std::int64_t n) { return counted(n, "piece"); };
  Notes notes;
  const auto warn = [&](std::string what, const char* remedy = "") {
    notes.push_back(Note::warning(std::move(what), remedy));
  };
  if (found.vanished > 0)
    warn(text(pieces(found.vanished), " of the surface vanished completely or mostly."),
         "Take fewer iterations or finer voxels.");
  if (found.merged > 0)
    warn(text(pieces(found.merged), " of the surface merged with another."), "Take fewer iterations.");
  if (found.apart > 0)
    warn(text(pieces(found.apart), " of the surface fell apart."), "Take fewer iterations or finer voxels.");
  if (found.changed > 0)
    warn(text(pieces(found.changed), " changed in volume by more than noise explains, by up to ",
              found.mostChanged > 0 ? "+" : "−", percent(std::abs(found.mostChanged)), " %."),
         "Take fewer iterations or finer voxels.");
  if (found.uncertain > 0)
    warn(text("noise is a large part of ", pieces(found.uncertain), ": the volume is uncertain by up to ±",
              percent(found.mostUncertain), " %."));
  return notes;
}

}  // namespace sulcus::surface
