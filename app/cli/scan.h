#pragma once

#include "app/cli/cli_context.h"
#include "core/base/progress.h"
#include "core/io/files.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace sulcus::app::cli {

/// The files with the gradients of a diffusion series, if not those next to it.
struct GradientFiles {
  std::string bval, bvec;  ///< FSL; both or none
  std::string grad;        ///< MRtrix
  std::string axes = {};   ///< other image axes for the directions, in the format of axesFrom(); or none

  /// Flag and file of those that were given.
  std::vector<std::pair<std::string, std::string>> given() const;
};

/// Opens a file, or the only DICOM series in a folder, or the one of several that is named, see
/// io::openDicomPlace().
Layer openScan(const std::filesystem::path& path, const Progress& progress = {},
               io::UnlabeledData unstated = io::UnlabeledData::judged, const std::string& series = {});

/// Opens a scan, a surface or tracts.
Layer openScanOrSurface(const std::filesystem::path& path, const Progress& progress = {},
                        const std::string& series = {});

/// Its kind and size: "labels of 32 × 32 × 20 voxels of 2 × 2 × 2 mm".
std::string described(const Layer& layer);

/// Prints namedWarningsOf() to standard error; not with --json or --quiet. A run requested by another machine
/// prints them to standard output, which that machine shows.
void printWarnings(const Layer& layer, const CliContext& session);

/// `scan` with the gradients of `files` instead of those found next to it, along other axes if requested;
/// throws Error if they do not fit.
Layer withGradients(Layer scan, const GradientFiles& files);

}  // namespace sulcus::app::cli
