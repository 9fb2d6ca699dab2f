#pragma once

#include "core/base/progress.h"
#include "core/base/provenance.h"
#include "core/base/result_file.h"
#include "core/image/layer.h"
#include "core/io/streams/staged_files.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

// The output folder of a run, for the command line and the window.
namespace sulcus::io {

/// The names that the files of a result may have, for StagedFiles::results().
///
/// @param outputs  stems of layers and text files; `*` stands for any text
std::vector<std::string> resultNames(const std::vector<std::string>& outputs);

/// Which files of a result are written, and how.
struct ResultChoice {
  std::vector<std::string> stems;         ///< of layers and text files, `*` stands for any text; empty: all
  bool compressed = true;                 ///< images are written in gzip
  std::vector<std::string> outputs = {};  ///< the patterns of all results, of which some name a folder

  /// Whether a layer or text file with this stem is written.
  bool takes(const std::string& stem) const;
  /// The file extension of a layer, whose usual one is given, such as ".nii.gz".
  std::string extensionOf(const std::string& usual) const;
  /// The file of a result of this name, whose usual extension is given, in the folder of the run.
  std::filesystem::path fileOf(const std::string& stem, const std::string& usual) const;
};

/// Writes layers, several at a time, with the files next to them. `fileOf` gives the path of the layer of an
/// index, in a staged folder, and is called on any thread.
void writeLayers(const std::vector<const Layer*>& layers,
                 const std::function<std::filesystem::path(std::size_t)>& fileOf, const Progress& progress);

/// Where a result is written.
struct ResultPlace {
  const StagedFiles& outputs;
  std::filesystem::path folder = {};  ///< within the staged one
  ResultChoice choice = {};
};

/// Writes the layers of a result under their names, several at a time, its text files, and provenance.json.
void writeResult(const std::vector<Layer>& layers, const std::vector<ResultFile>& files,
                 const Provenance& provenance, const ResultPlace& place, const Progress& progress);

/// The provenance of the result in a folder, with analysis, options, backend and inputs.
///
/// @throws Error  if there is no provenance.json of a run
Provenance openProvenance(const std::filesystem::path& folder);

}  // namespace sulcus::io
