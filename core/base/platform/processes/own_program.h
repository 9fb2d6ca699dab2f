#pragma once

#include <filesystem>
#include <string>

namespace sulcus {

/// The file that restarts the running program; its sibling (`sulcus-dicom`) is in the same folder. It is the
/// value of SULCUS_PROGRAM, which the start scripts of the relocatable package set because the system's own
/// loader may not be able to start the executables in it; else the executable itself. Empty if neither is
/// known.
std::filesystem::path ownProgram();

/// The words that main() was given, in UTF-8: on Windows main() gets them in a code page that lacks most
/// letters. They stay as they are with msvcrt, the C library before Windows 10, which has no UTF-8. `count`
/// may change, since patterns such as *.nii are not expanded.
char** wordsInUtf8(int& count, char** given);

/// The network name of this computer; "" if the system does not say.
std::string hostName();
/// The identifier of this process.
long processId() noexcept;

}  // namespace sulcus
