#pragma once

#include "core/base/note.h"
#include "core/surface/band.h"

#include <cstdint>
#include <set>
#include <vector>

namespace sulcus::surface {

/// The connected pieces of the inside of a surface (26 neighbors), each with the part of the band that is
/// nearest to it: preserves their volumes and reports those that changed. Everything is done on the host in a
/// fixed order, so it is the same for CPU and GPU.
class SurfacePieces {
 public:
  /// @param band  of the surface before denoising
  /// @param mask  φ was made from a mask. Its voxels then measure the volume, since a surface half-way
  ///              between voxels cuts corners off.
  SurfacePieces(const Band& band, bool mask);

  /// Moves the surface of each piece evenly until its original volume is restored, as far as noise does not
  /// explain the change. Pieces of which less than half is left are not changed.
  ///
  /// @param phi  one value per element, mm
  void keepVolumes(std::vector<float>& phi) const;

  /// Warnings about pieces that vanished, merged, fell apart or changed their volume by more than noise
  /// explains, and about pieces whose volume is uncertain because noise moved a large part of their voxels.
  ///
  /// @param phi  after denoising, one value per element, mm
  Notes warnings(const std::vector<float>& phi) const;

 private:
  /// Volumes are in voxels.
  struct Piece {
    std::int64_t voxels = 0;        ///< inside before denoising
    std::int64_t deep = 0;          ///< those of them beyond the band
    double deepVolume = 0;          ///< of the cells beyond the band
    double volume = 0, wanted = 0;  ///< before denoising, and the target
  };
  /// The remains of a piece.
  struct Rest {
    std::int64_t inside = 0, changed = 0;  ///< voxels
    double volume = 0;
  };
  /// The cube between eight voxels.
  struct Cell {
    std::int64_t voxel;  ///< its lowest corner
    std::int32_t piece;
    std::int32_t elements[8];  ///< indices in the band, x fastest; −1 beyond it
  };
  /// What became of the pieces: their numbers, and shares of their volumes.
  struct Changes {
    std::int64_t vanished = 0, merged = 0, apart = 0;
    std::int64_t changed = 0;    ///< in volume, by more than noise explains
    std::int64_t uncertain = 0;  ///< in volume, because of noise
    double mostChanged = 0, mostUncertain = 0;

    void addVolume(const Piece& piece, const Rest& rest);
  };
  /// Which pieces have voxels in common with a piece, without those that may be noise.
  struct Overlaps {
    std::vector<std::set<std::int32_t>> ofBefore;  ///< for each piece before denoising, those after it
    std::vector<std::set<std::int32_t>> ofAfter;   ///< for each piece after denoising, those before it
  };
  /// Finds of_ and the voxels of each piece.
  ///
  /// @param element  the index in the band of each voxel of the grid, or −1
  void assignElements(const std::vector<std::int32_t>& element);
  /// Finds cells_ and the cells of each piece beyond the band, with `element` as above.
  void findCells(const std::vector<std::int32_t>& element);
  void addCell(std::int64_t voxel, const std::vector<std::int32_t>& element);
  Overlaps overlapsWith(const std::vector<float>& phi) const;
  Changes changes(const std::vector<float>& phi) const;
  /// The inside volume of the cells of each piece after raising its φ by the given amount, mm.
  std::vector<double> volumesOf(const std::vector<float>& phi, const std::vector<double>& raised) const;
  std::vector<Rest> restsOf(const std::vector<float>& phi) const;

  const Band& band_;
  double edge_;  ///< of a voxel, mm
  std::vector<Piece> pieces_;
  std::vector<Cell> cells_;           ///< cells with an element at a corner
  std::vector<std::int32_t> inside_;  ///< for each voxel of the grid the piece that it lies in, or −1
  std::vector<std::int32_t> of_;      ///< for each element the nearest piece
};

}  // namespace sulcus::surface
