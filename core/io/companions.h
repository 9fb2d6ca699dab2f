#pragma once

#include "core/base/provenance.h"
#include "core/image/layer.h"

#include <filesystem>
#include <string>
#include <vector>

// The small files that lie beside a scan.
namespace sulcus::io {

/// File name without its format's extension (".nii.gz" counts as one).
std::string stemOf(const std::filesystem::path& scan);
/// The file of the same folder and stem with another extension (".bval").
std::filesystem::path beside(const std::filesystem::path& scan, const std::string& extension);

/// By the inheritance rule of BIDS: the file with `extension` that applies to `scan` and lies in its folder
/// or one above, up to the data set's root; it has the same suffix (or the one given) and no entity that
/// the scan lacks. Empty path: none.
std::filesystem::path inherited(const std::filesystem::path& scan, const std::string& extension,
                                const std::string& suffix = "");

/// What a JSON file beside a scan says that its header cannot.
struct Sidecar {
  std::string kind;  ///< SulcusKind: "peaks", "labels", …; "" when not ours
  std::string unit;
  std::string space;          ///< of a surface's coordinates: "RAS…" or "LPS…"
  double repetitionTime = 0;  ///< s
  std::vector<std::string> volumeNames;
  std::filesystem::path file;  ///< where it was read from; empty: there is none
};
/// Throws Error when the file is no JSON object.
Sidecar readSidecar(const std::filesystem::path& scan);
/// The JSON text to lie beside a saved layer. Keys of `earlier`, the file that lies there ("" when there is
/// none), are kept unless Sulcus wrote them. Throws Error when that is no JSON object.
std::string sidecarJson(const Layer& layer, const std::filesystem::path& earlier = {});

/// The texts of an FSL pair for these gradients on this grid: the inverse of readFslGradients.
struct FslTexts {
  std::string bval, bvec;
};
FslTexts fslTexts(const GradientTable& gradients, const Grid& grid);

}  // namespace sulcus::io
