#pragma once

#include "core/analysis/analysis.h"
#include "core/base/note.h"

#include <string>
#include <vector>

// What is the same for the rows of the table.
namespace sulcus::app::analyses {

/// `analysis` with runs that refuse what does not fit into memory, and whose results carry their total time
/// and provenance: versions, processor, parameters, inputs with the sha256 of their files, the call that
/// recreates them.
Analysis withProvenance(Analysis analysis);

/// Memory that a run takes, what is read included.
MemoryNeed memoryOfRun(const Analysis& analysis, const AnalysisInputs& inputs, const OptionValues& values);

/// sha256 of a file, "" where it is none or cannot be read (then `notes` says so). Computed once for each
/// state of a file, by its time and size: both backends and every rerun ask for the same ones.
std::string checksum(const std::string& path, const Progress& progress, Notes& notes);

/// The same of a file that was read in a state, where that is known; "" where it has changed since, of which
/// `notes` warn.
std::string checksumOfRead(const std::string& path, const FileStamp& read, const Progress& progress,
                           Notes& notes);

/// The name of the processor that a backend computes on.
std::string deviceName(Backend backend);

/// What the provenance says of an input. One that is in no file, as those of a demo are, goes by the name
/// that it would be saved as, as in the command line, and has no checksum.
InputFile inputFile(const std::string& slot, const Layer& layer, const Progress& progress, Notes& notes);

/// Gives all layers of `result` its provenance.
void shareProvenance(RunResult& result);

}  // namespace sulcus::app::analyses
