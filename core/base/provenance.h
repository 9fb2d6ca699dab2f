#pragma once

#include "core/base/options.h"

#include <string>
#include <vector>

namespace sulcus {

/// An input of a run, as it is recorded.
struct InputFile {
  std::string slot;    ///< the input slot, e.g. "dwi"
  std::string path;    ///< as the user gave it; for an input without a file, the name to save it as
  std::string sha256;  ///< of the file's bytes; "" if there is no file
};

/// The wall time of a stage of a run, s.
struct StageTime {
  std::string name;
  double seconds = 0;
};

/// How a result was made; written beside every output as JSON.
struct Provenance {
  std::string analysis;  ///< "fibers", …
  std::string version;   ///< of Sulcus
  OptionValues parameters;
  std::string backend;  ///< "cpu" or "gpu"
  std::string device;   ///< name of the processor
  std::vector<InputFile> inputs;
  std::vector<StageTime> stages;
  std::string commandLine;  ///< the sulcus-cli call that reproduces it
  std::string created;      ///< ISO 8601, UTC
};

/// "2026-11-21T05:43:00Z"
std::string utcNow();
/// "AMD EPYC …, 16 threads"
std::string cpuName();
/// Version of Sulcus, e.g. "0.1.0".
std::string sulcusVersion();

}  // namespace sulcus
