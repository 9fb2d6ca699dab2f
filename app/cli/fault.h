#pragma once

#include <string>

namespace sulcus::app::cli {

/// Why a command or a run of a study failed.
struct Fault {
  std::string sentence;
  int code;  ///< exit code
};

/// The fault described by the exception being handled; for a `catch (...)`, after Cancelled was handled. What
/// is not a std::exception is rethrown.
Fault currentFault();

/// Prints it on standard error, beginning with the name of the program.
void complain(const Fault& fault);

}  // namespace sulcus::app::cli
