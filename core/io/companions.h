#pragma once

#include "core/base/provenance.h"
#include "core/image/layer.h"

#include <filesystem>
#include <string>
#include <vector>

// The small files next to a scan: the JSON sidecar and the gradients.
namespace sulcus::io {

/// The path without a compression extension: .gz, .bz2 or .zst.
std::filesystem::path withoutPacking(const std::filesystem::path& file);
/// The extension of the path without that of a compression, in lower case.
std::string formatExtension(const std::filesystem::path& file);
/// The file name without the extension of its format, where ".nii.gz" and ".surf.gii" are one extension.
std::string stemOf(const std::filesystem::path& scan);
/// The file in the same folder with the same stem and another extension, such as ".bval".
std::filesystem::path beside(const std::filesystem::path& scan, const std::string& extension);

/// The JSON file that is written beside a file: white.stl.json for a surface, so that surfaces of several
/// formats and an image do not clash, scan.json for an image or table, as BIDS requires.
std::filesystem::path sidecarOf(const std::filesystem::path& file);

/// The file with `extension` that applies to `scan` by the inheritance rule of BIDS. It is in the scan's
/// folder or in one above, up to the root of the data set, and it has the scan's suffix, or the one given,
/// and no entity that the scan lacks. Empty if there is none.
std::filesystem::path inherited(const std::filesystem::path& scan, const std::string& extension,
                                const std::string& suffix = "");

/// The sidecars that apply to a scan, nearest first. Those of the scan from which a derivative was made (DATA
/// SET/derivatives/NAME), whose name has fewer entities, come last.
std::vector<std::filesystem::path> sidecarsOf(const std::filesystem::path& scan);

/// What the JSON file next to a scan states that its header cannot.
struct Sidecar {
  std::string kind;  ///< the key SulcusKind: "peaks", "labels", …; "" in files of other programs
  std::string unit;
  std::string space;          ///< of the coordinates of a surface: "RAS…" or "LPS…"
  Notes notes;                ///< that still hold of those it was saved with, and one if it is not valid JSON
  double repetitionTime = 0;  ///< s
  std::vector<std::string> volumeNames;
  Display display;             ///< of a map: colors, range and thresholds as saved
  std::filesystem::path file;  ///< the file that was read; empty if there is none
};
/// The sidecar of a scan, or of a surface, for which the stem alone is accepted as its name, too. A damaged
/// one is ignored in whole or in part, with a warning.
Sidecar readSidecar(const std::filesystem::path& scan);
/// Adds the notes of a sidecar to those of its layer, each once.
void addNotes(const Sidecar& sidecar, Layer& layer);
/// The JSON text of the sidecar of a saved layer. The keys of `earlier`, the existing sidecar ("" if there is
/// none), are kept unless Sulcus wrote them. Throws Error if it is not a JSON object.
std::string sidecarJson(const Layer& layer, const std::filesystem::path& earlier = {});

/// The texts of an FSL pair.
struct FslTexts {
  std::string bval, bvec;
};
/// The texts that readFslGradients() reads back as these gradients on this grid.
FslTexts fslTexts(const GradientTable& gradients, const Grid& grid);

}  // namespace sulcus::io
