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

// The folder that a run is written to, by the command line and by the window.
namespace sulcus::io {

/// The names that the files of a result may have, as StagedFiles::results() takes them.
///
/// @param outputs  stems of layers and text files; `*` stands for any text
std::vector<std::string> resultNames(const std::vector<std::string>& outputs);

/// Which files of a result are written, and how.
struct ResultChoice {
  std::vector<std::string> stems;         ///< of layers and text files, `*` stands for any text; empty: all
  bool compressed = true;                 ///< images in gzip
  std::vector<std::string> outputs = {};  ///< the patterns of all results, of which some name a folder

  /// Whether a layer or text file of this name without ending is written.
  bool takes(const std::string& stem) const;
  /// The ending of a file, such as ".nii.gz", that is usual for its layer.
  std::string extensionOf(const std::string& usual) const;
  /// The file of a result of this name, whose usual extension is given, below the folder of the run.
  std::filesystem::path fileOf(const std::string& stem, const std::string& usual) const;
};

/// Writes layers, several at a time, with the files next to them. `fileOf` says where the layer of an index
/// goes, in a folder that is staged, and is called on any thread.
void writeLayers(const std::vector<const Layer*>& layers,
                 const std::function<std::filesystem::path(std::size_t)>& fileOf, const Progress& progress);

/// Writes the layers of a result by their names, several at a time, its text files, and provenance.json.
///
/// @param folder  inside of the one that is staged
void writeResult(const std::vector<Layer>& layers, const std::vector<ResultFile>& files,
                 const Provenance& provenance, const StagedFiles& outputs,
                 const std::filesystem::path& folder, const Progress& progress,
                 const ResultChoice& choice = {});

/// How the result in a folder came about: analysis, parameters, backend and inputs are filled in.
///
/// @throws Error  when there is no provenance.json of a run
Provenance openProvenance(const std::filesystem::path& folder);

}  // namespace sulcus::io
