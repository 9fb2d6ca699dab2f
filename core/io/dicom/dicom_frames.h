#pragma once

#include "core/image/diffusion/gradients.h"
#include "core/image/grid.h"
#include "core/io/volumes/samples.h"

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sulcus::io {

inline constexpr std::uint32_t kDicomInstance = 0x00200013, kDicomPosition = 0x00200032;

/// The printable ASCII of a text, so that no text of a header can upset a terminal or a label.
std::string dicomText(const std::string& text);

/// The values that order the images at one position of a series, the most important first.
struct DicomOrder {
  std::optional<double> instance;  ///< instance number, or the number of the frame in its file
  double acquisition = 0;          ///< acquisition number
  std::string time;                ///< of the acquisition, as a text that sorts by time
  double temporalPosition = 0, echo = 0, echoTime = 0;
  std::optional<double> bValue;
  std::string imageType;

  auto operator<=>(const DicomOrder&) const = default;
};

/// What the header of a DICOM file says of one of its pictures.
struct DicomFrame {
  std::filesystem::path file;
  int inFile = 0;                    ///< its number in the file, from 0
  Grid grid;                         ///< mm, RAS+; size.z is 1
  Scaling scaling;                   ///< of its numbers
  std::optional<Gradient> gradient;  ///< by the standard's own elements, which not all vendors use
  std::vector<std::string> missing;  ///< names of the parts of its geometry that the header lacks
  bool thicknessKnown = true, distanceKnown = true;  ///< of slices
  DicomOrder order;
  /// Values that all images of a series share, by their names in words, such as the modality and the frame of
  /// reference, when the header has them.
  std::map<std::string, std::string> shared;
};

/// Where the pictures of a series lie.
struct DicomStack {
  Grid grid;  ///< of one volume, its slices ordered along the normal of the pictures
  int volumes = 1;
  /// Only the order of the frames distinguishes volumes, or places their slices: the instance numbers do
  /// not, or the positions at one place differ by what a header rounds away.
  bool needsOrder = false;
  bool oneWeightingEach = true;  ///< the slices of each volume have one b-value, where headers say it
  /// Of each slice where these do not lie on the grid, which has their mean distance: the middle of the first
  /// voxel, mm, RAS+; see onEvenSlices().
  std::vector<Vec3<double>> origins;
  std::vector<std::string>
      notes;  ///< how far pictures lie off their places, and how those of a volume differ
};

/// The parts of its geometry that the header of a picture lacks: "position, orientation and pixel spacing".
std::string missingOf(const DicomFrame& frame);

/// Throws Error unless the frames share what images of one series share.
void requireTogether(const std::vector<DicomFrame>& frames);

/// Stacks frames by their positions and sorts them, so that slice s of volume v is frame s · volumes + v.
/// Throws Error when they are not parallel, differ in size or have no positions, when slices are missing or
/// doubled, when those at one place cannot be ordered or are shifted by more than a tenth of a voxel, and
/// when slices are shifted against each other by more than two voxels.
DicomStack stackOf(std::vector<DicomFrame>& frames);

}  // namespace sulcus::io
