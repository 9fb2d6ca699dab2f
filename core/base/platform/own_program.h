#pragma once

#include <filesystem>
#include <string>

namespace sulcus {

/// The file by which the running program is started again, and beside which its siblings (`sulcus-dicom`)
/// lie: what SULCUS_PROGRAM names, which the start scripts of the relocatable package set, since the system's
/// own loader may not be able to start what they start; else the executable itself. Empty when neither can be
/// told.
std::filesystem::path ownProgram();

/// The name of the computer that it runs on, in its network; "" when the system does not say.
std::string hostName();
/// The number of this process.
long processId() noexcept;

}  // namespace sulcus
