#include "app/tour/virtual_display.h"

#include "core/base/platform/files/descriptor.h"
#include "core/base/platform/processes/pipe.h"
#include "core/base/platform/processes/processes.h"
#include "core/base/platform/processes/standard_streams.h"

#include <QByteArray>
#include <cstdlib>
#include <string>

namespace sulcus::app::tour {
namespace {

constexpr int kStartMilliseconds = 30000;

/// The first line from a pipe; "" if none arrives in time.
std::string lineFrom(int pipe) {
  std::string line;
  while (waitToRead(pipe, kStartMilliseconds) > 0) {
    char c = 0;
    if (readSome(pipe, {&c, 1}) <= 0) return {};
    if (c == '\n') return line;
    line += c;
  }
  return {};
}

}  // namespace

bool VirtualDisplay::isNeeded() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
    if (const char* value = std::getenv(name); value && *value) return false;
  return true;
}

VirtualDisplay::VirtualDisplay() {
  int number[2];
  if (makePipe(number) != 0) return;
  ProgramStart how;
  how.output = number[1];
  how.complaint = ProgramStart::kNothing;
  startBoundProgram({"Xvfb", "-displayfd", std::to_string(kStandardOutput), "-screen", "0", "4096x4096x24",
                     "-nolisten", "tcp"},
                    how, server_);
  closeDescriptor(number[1]);
  const std::string display = server_ > 0 ? lineFrom(number[0]) : std::string();
  closeDescriptor(number[0]);
  if (!display.empty()) qputenv("DISPLAY", QByteArray::fromStdString(":" + display));
}

VirtualDisplay::~VirtualDisplay() {
  if (server_ <= 0) return;
  askToEnd(server_);
  awaitEnd(server_);
}

}  // namespace sulcus::app::tour
