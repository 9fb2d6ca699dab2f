// The window. sulcus [FILES…] [--tour DIR]
#include "app/analyses.h"
#include "app/tour.h"
#include "core/base/provenance.h"
#include "ui/widgets/main_window.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>
#include <QSurfaceFormat>
#include <cstdio>
#include <exception>

namespace {

constexpr int kInternalError = 5;  // as sulcus-cli

int run(QApplication& program) {
  QCommandLineParser line;
  line.setApplicationDescription(
      QObject::tr("Scans, analyses on CPU and GPU, results side by side. Research use only."));
  line.addHelpOption();
  line.addVersionOption();
  line.addPositionalArgument(QStringLiteral("files"), QObject::tr("Scans or DICOM folders to open."),
                             QStringLiteral("[FILES…]"));
  const QCommandLineOption tourOption(
      QStringLiteral("tour"),
      QObject::tr("Runs every demo and the analyses of the files, leaves pictures and "
                  "results in DIR, prints the comparisons, and ends."),
      QStringLiteral("DIR"));
  line.addOption(tourOption);
  line.process(program);

  if (line.isSet(tourOption)) {
    // A tour looks the same everywhere: it neither reads nor changes the user's settings.
    const QString folder = line.value(tourOption);
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
  try {
    QSurfaceFormat format = QSurfaceFormat::defaultFormat();
    format.setRenderableType(QSurfaceFormat::OpenGL);
    format.setVersion(3, 2);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(24);
    QSurfaceFormat::setDefaultFormat(format);  // what VTK draws with; before the application is made
    QApplication program(count, arguments);
    QApplication::setApplicationName(QStringLiteral("sulcus"));
    QApplication::setOrganizationName(QStringLiteral("sulcus"));
    QApplication::setApplicationDisplayName(QStringLiteral("Sulcus"));
    QApplication::setApplicationVersion(QString::fromStdString(sulcus::sulcusVersion()));
    return run(program);
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "sulcus: %s\n", fault.what());
    return kInternalError;
  }
}
