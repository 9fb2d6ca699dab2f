#include "app/cli/commands.h"
#include "app/cli/fault.h"
#include "app/cli/progress.h"
#include "core/base/error.h"
#include "core/base/platform/processes/own_program.h"
#include "core/base/platform/processes/standard_streams.h"
#include "core/io/streams/byte_source.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

namespace sulcus::app::cli {
namespace {

/// Ends the program with `code`, unless standard output did not accept everything that was printed; a reader
/// that stops early, such as head, is not an error. Nothing is destroyed first: what must be kept is on disk,
/// and releasing memory and devices one by one takes longer than leaving it to the system.
[[noreturn]] void endAfterPrinting(int code) {
  errno = 0;
  const bool printed = std::cout.flush() && std::fflush(stdout) == 0 && !std::ferror(stdout);
  if (printed || nobodyReads(kStandardOutput)) std::_Exit(code);
  throw Error("The output is incomplete",
              errno ? std::strerror(errno) : "standard output accepts no more data",
              "free some space or choose another folder; files that were asked for are complete");
}

}  // namespace
}  // namespace sulcus::app::cli

int main(int count, char** words) {
  using namespace sulcus;
  using namespace sulcus::app::cli;
  prepareStandardStreams();
  stopOnSignals();
  try {
    char** const given = wordsInUtf8(count, words);
    endAfterPrinting(runProgram(count, given));
  } catch (const Cancelled&) {
    complain({"interrupted, no result was written", exit_code::interrupted});
    return exit_code::interrupted;
  } catch (...) {
    const Fault fault = currentFault();
    complain(fault);
    return fault.code;
  }
}
