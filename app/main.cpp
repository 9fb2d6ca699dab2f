// The window. sulcus [FILES…] [--tour DIR]
#include "app/analyses.h"
#include "app/process.h"
#include "app/tour.h"
#include "core/base/provenance.h"
#include "ui/widgets/main_window.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>
#include <QSurfaceFormat>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string_view>

namespace {

constexpr int kInternalError = 5;  // as sulcus-cli

struct CommandLine : QCommandLineParser {
  const QCommandLineOption tour{
      QStringLiteral("tour"),
      QObject::tr("Runs every demo and the analyses of the files, leaves pictures and "
                  "results in DIR, prints the comparisons, and ends."),
      QStringLiteral("DIR")};
  CommandLine() {
    setApplicationDescription(
        QObject::tr("Scans, analyses on CPU and GPU, results side by side. Research use only."));
    addHelpOption();
    addVersionOption();
    addPositionalArgument(QStringLiteral("files"), QObject::tr("Scans or DICOM folders to open."),
                          QStringLiteral("[FILES…]"));
    addOption(tour);
  }
};

/// Help and version need no display.
bool asksOnly(int count, char** arguments) {
  return std::any_of(arguments + 1, arguments + count, [](const std::string_view argument) {
    return argument == "-h" || argument == "--help" || argument == "--help-all" || argument == "-v" ||
           argument == "--version";
  });
}

int run(QApplication& program) {
  CommandLine line;
  line.process(program);

  if (line.isSet(line.tour)) {
    // A tour looks the same everywhere: it neither reads nor changes the user's settings.
    const QString folder = line.value(line.tour);
    QSettings settings(folder + QStringLiteral("/tour.ini"), QSettings::IniFormat);
    settings.clear();
    sulcus::ui::MainWindow window(sulcus::app::analyses(), sulcus::app::deviceReport, settings);
    return sulcus::app::takeTour(window, sulcus::app::analyses(), folder, line.positionalArguments());
  }
  QSettings settings;
  sulcus::ui::MainWindow window(sulcus::app::analyses(), sulcus::app::deviceReport, settings);
  window.show();
  window.openFiles(line.positionalArguments());
  return QApplication::exec();
}

}  // namespace

int main(int count, char** arguments) {
  sulcus::app::prepareProcess();
  try {
    QCoreApplication::setApplicationName(QStringLiteral("sulcus"));
    QCoreApplication::setOrganizationName(QStringLiteral("sulcus"));
    QCoreApplication::setApplicationVersion(QString::fromStdString(sulcus::sulcusVersion()));
    if (asksOnly(count, arguments)) {
      QCoreApplication program(count, arguments);
      CommandLine().process(program);  // answers and ends
    }
    QSurfaceFormat format = QSurfaceFormat::defaultFormat();
    format.setRenderableType(QSurfaceFormat::OpenGL);
    format.setVersion(3, 2);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(24);
    QSurfaceFormat::setDefaultFormat(format);  // what VTK draws with; before the application is made
    QApplication program(count, arguments);
    QApplication::setApplicationDisplayName(QStringLiteral("Sulcus"));
    return run(program);
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "sulcus: %s\n", fault.what());
    return kInternalError;
  }
}
