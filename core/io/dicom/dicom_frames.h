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

/// The printable ASCII of a text, so that no header text can disturb a terminal or a label.
std::string dicomText(const std::string& text);

/// The values that order the images at one position of a series, most important first.
struct DicomOrder {
  std::optional<double> instance;  ///< instance number, or frame number in its file
  double acquisition = 0;          ///< acquisition number
  std::string time;                ///< of the acquisition, as a text that sorts by time
  double temporalPosition = 0, echo = 0, echoTime = 0;
  std::optional<double> bValue;
  std::string imageType;

  auto operator<=>(const DicomOrder&) const = default;
};

/// The header information on one picture of a DICOM file.
struct DicomFrame {
  std::filesystem::path file;
  int inFile = 0;                    ///< its number in the file, from 0
  Grid grid;                         ///< mm, RAS+; size.z is 1
  Scaling scaling;                   ///< of its numbers
  std::optional<Gradient> gradient;  ///< from the standard elements, which not all vendors use
  std::vector<std::string> missing;  ///< names of the geometry elements that the header lacks
  bool thicknessKnown = true, distanceKnown = true;  ///< of slices
  DicomOrder order;
  /// Values that all images of a series share, such as the modality and the frame of reference, by their
  /// names in words, if the header has them.
  std::map<std::string, std::string> shared;
};

/// The positions of the pictures of a series.
struct DicomStack {
  Grid grid;  ///< of one volume, with slices ordered along the normal of the pictures
  int volumes = 1;
  /// The instance numbers do not say which images are slices of one volume, or do not run through the slices
  /// in their order, or the positions at one place differ by rounding in the header.
  bool isOrderOpen = false;
  bool oneWeightingEach = true;  ///< the slices of each volume have one b-value, if the headers state it
  /// For slices that do not lie on the grid, which has their mean spacing: the center of each slice's first
  /// voxel, mm, RAS+; see onEvenSlices().
  std::vector<Vec3<double>> origins = {};
  /// How far pictures are from their grid positions, and how those of a volume differ.
  std::vector<std::string> notes = {};
};

/// "echo time 10 ms, image type ORIGINAL\PRIMARY\M"; without an echo time if it is 0.
std::string imageKind(double echoMilliseconds, const std::string& type);

/// The geometry elements that the header of a picture lacks: "position, orientation and pixel spacing".
std::string missingOf(const DicomFrame& frame);

/// Throws Error unless the frames agree in what images of one series share.
void requireTogether(const std::vector<DicomFrame>& frames);

/// Stacks frames by their positions and sorts them, so that slice s of volume v is frame s · volumes + v.
/// Throws Error if they are not parallel, differ in size or have no positions, if slices are missing or
/// duplicated, if those at one place cannot be ordered or are shifted by more than a tenth of a voxel, and if
/// slices are shifted relative to each other by more than two voxels.
DicomStack stackOf(std::vector<DicomFrame>& frames);

}  // namespace sulcus::io
