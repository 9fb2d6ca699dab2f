#pragma once

#include "core/base/note.h"
#include "core/surface/band.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sulcus::surface {

/// The connected pieces of what lies inside a surface (26 neighbors), each with the part of the band that is
/// nearest to it: what is kept of their volumes, and what is said of those that changed. All of it is done on
/// the host in a fixed order, so it is the same for CPU and GPU.
class SurfacePieces {
 public:
  /// @param band  of the surface before denoising
  /// @param mask  φ was made of a mask. Its voxels then measure the volume, as a surface half-way between
  /// voxels
  ///              cuts corners off.
  SurfacePieces(const Band& band, bool mask);

  /// Moves the surface of each piece, evenly, until its volume is that before, as far as noise does not
  /// explain the change. Pieces of which less than half is left stay as they are.
  ///
  /// @param phi  one value per element, mm
  void keepVolumes(std::vector<float>& phi) const;

  /// Sentences about pieces that vanished, merged, fell apart or changed their volume by more than noise
  /// explains, and about pieces whose volume is uncertain, as noise moved a large part of their voxels.
  ///
  /// @param phi  after denoising, one value per element, mm
  Notes warnings(const std::vector<float>& phi) const;

 private:
  /// Volumes are in voxels.
  struct Piece {
    std::int64_t voxels = 0,
                 deep = 0;          ///< that lie inside before denoising, and those of them beyond the band
    double deepVolume = 0;          ///< of the cells beyond the band
    double volume = 0, wanted = 0;  ///< before denoising, and to be kept
  };
  /// What is left of a piece.
  struct Rest {
    std::int64_t inside = 0, changed = 0;  ///< voxels
    double volume = 0;
  };
  /// The cube between eight voxels.
  struct Cell {
    std::int64_t voxel;  ///< its lowest corner
    std::int32_t piece;
    std::int32_t elements[8];  ///< of the band, x fastest; −1 beyond it
  };
  /// What lies inside in the cells of each piece, φ of which is raised by so many mm.
  std::vector<double> volumesOf(const std::vector<float>& phi, const std::vector<double>& raised) const;
  std::vector<Rest> restsOf(const std::vector<float>& phi) const;

  const Band& band_;
  double edge_;  ///< of a voxel, mm
  std::vector<Piece> pieces_;
  std::vector<Cell> cells_;           ///< with an element in a corner
  std::vector<std::int32_t> inside_;  ///< of each voxel of the grid, the piece that it lies in, or −1
  std::vector<std::int32_t> of_;      ///< of each element, the nearest piece
};

}  // namespace sulcus::surface
