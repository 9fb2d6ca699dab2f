#pragma once

#include "core/base/provenance.h"
#include "core/image/layer.h"

#include <filesystem>
#include <string>
#include <vector>

// The small files next to a scan: the JSON sidecar and the gradients.
namespace sulcus::io {

/// The path without the extension of what it is packed by: .gz, .bz2 or .zst.
std::filesystem::path withoutPacking(const std::filesystem::path& file);
/// The file name without the extension of its format, where ".nii.gz" and ".surf.gii" are one extension.
std::string stemOf(const std::filesystem::path& scan);
/// The file with the same folder and stem and another extension, such as ".bval".
std::filesystem::path beside(const std::filesystem::path& scan, const std::string& extension);

/// The JSON file that is written beside a file: white.stl.json of a surface, so that surfaces of several
/// formats and an image do not clash, scan.json of an image or table, as BIDS names it.
std::filesystem::path sidecarOf(const std::filesystem::path& file);

/// The file with `extension` that applies to `scan` by the inheritance rule of BIDS. It is in the scan's
/// folder or in one above, up to the root of the data set, and it has the scan's suffix, or the one given,
/// and no entity that the scan lacks. Empty when there is none.
std::filesystem::path inherited(const std::filesystem::path& scan, const std::string& extension,
                                const std::string& suffix = "");

/// The sidecars that apply to a scan, the nearest first: those of the scan that a derivative (DATA SET/
/// derivatives/NAME) was made of last, whose name has fewer entities.
std::vector<std::filesystem::path> sidecarsOf(const std::filesystem::path& scan);

/// What the JSON file next to a scan states that its header cannot.
struct Sidecar {
  std::string kind;  ///< the key SulcusKind: "peaks", "labels", …; "" in files of others
  std::string unit;
  std::string space;          ///< of the coordinates of a surface: "RAS…" or "LPS…"
  Notes warnings;             ///< of the notes that it was saved with, and that it is no valid JSON
  double repetitionTime = 0;  ///< s
  std::vector<std::string> volumeNames;
  Display display;             ///< of a map: colors, range and thresholds as it was saved with
  std::filesystem::path file;  ///< the file that was read; empty when there is none
};
/// The sidecar that applies to a scan, or to a surface, whose may be called by its stem alone, too; one that
/// is damaged is passed over, wholly or in part, with a warning.
Sidecar readSidecar(const std::filesystem::path& scan);
/// Gives a layer the warnings that it was saved with, each once.
void addWarnings(const Sidecar& sidecar, Layer& layer);
/// The JSON text of the sidecar of a saved layer. The keys of `earlier`, the sidecar that is there ("" when
/// there is none), are kept unless Sulcus wrote them. Throws Error when it is no JSON object.
std::string sidecarJson(const Layer& layer, const std::filesystem::path& earlier = {});

/// The texts of an FSL pair.
struct FslTexts {
  std::string bval, bvec;
};
/// The texts from which readFslGradients() reads these gradients on this grid.
FslTexts fslTexts(const GradientTable& gradients, const Grid& grid);

}  // namespace sulcus::io
