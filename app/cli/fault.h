#pragma once

#include <string>

namespace sulcus::app::cli {

/// Why a command or a run of a study failed.
struct Fault {
  std::string sentence;
  int code;  ///< exit code
};

/// What the exception says that is being handled; for a `catch (...)`, after Cancelled was dealt with. What
/// is no std::exception is thrown on.
Fault currentFault();

/// Says it on standard error, beginning with the name of the program.
void complain(const Fault& fault);

}  // namespace sulcus::app::cli
