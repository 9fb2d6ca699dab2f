#include "app/cli/fault.h"

#include "app/cli/cli_context.h"
#include "core/base/error.h"
#include "core/base/file_fault.h"
#include "core/base/sanitized.h"

#include <iostream>
#include <new>
#include <system_error>

namespace sulcus::app::cli {

namespace {

Fault noThreads(const std::string& why) {
  return {"The system starts no more threads or processes (" + why +
              "): end other programs, or raise the limits of this account (ulimit)",
          int(ErrorKind::unavailable)};
}

}  // namespace

Fault currentFault() {
  try {
    throw;
  } catch (const Error& fault) {
    return {fault.what(), int(fault.kind())};
  } catch (const std::bad_alloc&) {
    return {
        "The computer ran out of memory (data and result do not fit together): use a smaller image or mask",
        int(ErrorKind::unavailable)};
  } catch (const std::filesystem::filesystem_error& fault) {
    return {fileFault(fault).what(), int(ErrorKind::badInput)};
  } catch (const std::system_error& fault) {
    return noThreads(fault.code().message());
  } catch (const std::exception& fault) {
    const std::string why = fault.what();
    if (why.starts_with("pthread_")) return noThreads(why);  // from oneTBB, without a type of its own
    return {std::string("Internal error (") + fault.what() + "): please report it with this command line",
            exit_code::internal};
  }
}

void complain(const Fault& fault) {
  std::cerr << "sulcus-cli: " << sanitizedForDisplay(fault.sentence) << std::endl;
}

}  // namespace sulcus::app::cli
