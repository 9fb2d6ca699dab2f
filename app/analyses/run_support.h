#pragma once

#include "core/analysis/analysis.h"
#include "core/base/note.h"

#include <string>
#include <vector>

// What the rows of the table have in common.
namespace sulcus::app::analyses {

/// `analysis` with runs that refuse what does not fit into memory, and whose results carry their total time
/// and provenance: versions, processor, parameters, inputs with the sha256 of their files, the command line
/// that recreates them.
Analysis withProvenance(Analysis analysis);

/// Memory that a run needs, including reading.
MemoryNeed memoryOfRun(const Analysis& analysis, const AnalysisInputs& inputs, const OptionValues& values);

/// sha256 of a file, "" if it is not a file or cannot be read (then `notes` says so). Computed once for each
/// state of a file, given by its time and size: both backends and every rerun request the same ones.
std::string checksum(const std::string& path, const Progress& progress, Notes& notes);

/// sha256 of a file that was read in a known state; "" if it has changed since, with a warning in `notes`.
std::string checksumOfRead(const std::string& path, const FileStamp& read, const Progress& progress,
                           Notes& notes);

/// The name of the processor on which a backend computes.
std::string deviceName(Backend backend);

/// The provenance entry of an input. One without a file, such as that of a demo, has the name under which it
/// would be saved, as on the command line, and no checksum.
InputFile inputFile(const std::string& slot, const Layer& layer, const Progress& progress, Notes& notes);

/// Gives all layers of `result` its provenance.
void shareProvenance(RunResult& result);

}  // namespace sulcus::app::analyses
