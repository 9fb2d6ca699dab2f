#include "app/window_options.h"

#include "app/version.h"
#include "core/base/error.h"

#include <QObject>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace sulcus::app {

std::vector<Component> windowComponents() { return {{"Qt", qVersion(), "LGPL-3.0-only"}}; }

WindowOptions::WindowOptions() {
  setApplicationDescription(
      QObject::tr("Scans, analyses on CPU and GPU, results side by side. Research use only."));
  addHelpOption();
  addVersionOption();
  addPositionalArgument(QStringLiteral("files"), QObject::tr("Scans, DICOM folders or a session to open."),
                        QStringLiteral("[FILES…]"));
  for (const auto& option : {tour, session, screenshot, saveSession, page, layout, size, overwrite})
    addOption(option);
}

void WindowOptions::read(const QStringList& arguments) {
  if (!parse(arguments)) {
    const QStringList unknown = unknownOptionNames();
    throw Error(unknown.isEmpty() ? errorText().toStdString()
                                  : "Unknown option '" + unknown.front().toStdString() + "'",
                "the command cannot be executed", "see sulcus --help", ErrorKind::usage);
  }
  if (isSet(QStringLiteral("version"))) {
    std::fputs(versionText(windowComponents()).c_str(), stdout);
    std::exit(EXIT_SUCCESS);
  }
  if (isSet(QStringLiteral("help")) || isSet(QStringLiteral("help-all"))) showHelp();
}

bool isQueryOnly(int count, char** arguments) {
  return std::any_of(arguments + 1, arguments + count, [](const std::string_view argument) {
    return argument == "-h" || argument == "--help" || argument == "--help-all" || argument == "-v" ||
           argument == "--version";
  });
}

bool asksForFiles(int count, char** arguments) {
  return std::any_of(arguments + 1, arguments + count, [](const std::string_view argument) {
    const std::string_view option = argument.substr(0, argument.find('='));
    return option == "--screenshot" || option == "--save-session" || option == "--page" || option == "--tour";
  });
}

std::vector<char*> argumentsForQt(int count, char** arguments) {
  std::vector<char*> words;
  for (int i = 0; i < count; ++i)
    if (i == 0 || i + 1 == count || std::string_view(arguments[i]) != "--session")
      words.push_back(arguments[i]);
  return words;
}

}  // namespace sulcus::app
