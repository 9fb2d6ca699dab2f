// The window. sulcus [FILES…] [--tour DIR | --screenshot FILE | --page FILE]
#include "app/analyses/devices.h"
#include "app/analyses/table.h"
#include "app/display_check.h"
#include "app/examples/examples.h"
#include "app/remote/window_runs.h"
#include "app/tour/picture.h"
#include "app/tour/tour.h"
#include "app/tour/virtual_display.h"
#include "app/version.h"
#include "app/window_options.h"
#include "core/base/error.h"
#include "core/base/platform/processes/standard_streams.h"
#include "core/base/provenance.h"
#include "ui/widgets/window/main_window.h"
#include "ui/widgets/window/theme.h"

#include <QApplication>
#include <QFileInfo>
#include <QLibraryInfo>
#include <QLocale>
#include <QSettings>
#include <QTranslator>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <vector>

namespace {

using sulcus::app::WindowOptions;
using sulcus::app::analyses::deviceReport;
using sulcus::app::analyses::table;
using sulcus::ui::model::Workspace;
using sulcus::ui::widgets::MainWindow;

constexpr int kInternalError = 5;  // as in sulcus-cli

/// Throws Error (usage) for a name that would not be recognized as that of a session.
void requireSessionName(const QString& file) {
  if (!file.endsWith(QStringLiteral(".sulcus")))
    throw sulcus::Error("'" + file.toStdString() + "' names no session", "sessions are known by their ending",
                        "end the name in .sulcus", sulcus::ErrorKind::usage);
}

/// Writes a picture, a session or a page for files, with default settings.
int takePicture(const WindowOptions& line, const QStringList& files) {
  const sulcus::app::tour::ScreenshotOptions order{files,
                                                   line.value(line.layout),
                                                   sulcus::app::tour::sizeFrom(line.value(line.size)),
                                                   line.value(line.screenshot),
                                                   line.value(line.saveSession),
                                                   line.value(line.page),
                                                   line.isSet(line.overwrite)};
  if (line.isSet(line.size) && order.size.isEmpty())
    throw sulcus::Error("'" + line.value(line.size).toStdString() + "' is not a size",
                        "a picture has a width and a height", "give --size 1600x1200",
                        sulcus::ErrorKind::usage);
  if (line.isSet(line.saveSession)) requireSessionName(order.session);
  if (line.isSet(line.screenshot) &&
      !QStringList{"png", "tif", "tiff"}.contains(QFileInfo(order.picture).suffix().toLower()))
    throw sulcus::Error("'" + order.picture.toStdString() + "' names no picture",
                        "pictures are written as .png or .tif", "end the name in .png or .tif",
                        sulcus::ErrorKind::usage);
  // A path where no file can exist: nothing is read or written, and nothing is left behind by a signal.
  QSettings settings(QStringLiteral("/dev/null/settings.ini"), QSettings::IniFormat);
  Workspace workspace(table(), deviceReport, settings);
  sulcus::ui::widgets::useShippedFont();
  MainWindow window(workspace, settings);
  const QStringList faults = sulcus::app::tour::takePicture(window, order);
  for (const QString& fault : faults) std::fprintf(stderr, "sulcus: %s\n", qPrintable(fault));
  return faults.isEmpty() ? EXIT_SUCCESS : int(sulcus::ErrorKind::badInput);
}

int run(QApplication& program) {
  WindowOptions line;
  line.read(program.arguments());
  sulcus::app::requireOpenGl();

  if (line.isSet(line.tour)) {
    // A tour looks the same everywhere: it neither reads nor changes the user's settings.
    const QString folder = line.value(line.tour);
    QSettings settings(folder + QStringLiteral("/tour.ini"), QSettings::IniFormat);
    settings.clear();
    Workspace workspace(table(), deviceReport, settings);
    sulcus::ui::widgets::useShippedFont();
    MainWindow window(workspace, settings);
    return sulcus::app::tour::takeTour(window, table(), folder, line.positionalArguments());
  }
  const QStringList sessions = line.values(line.session);
  for (const QString& session : sessions) requireSessionName(session);
  const QStringList files = sessions + line.positionalArguments();
  if (line.makeFiles()) return takePicture(line, files);
  for (const auto& option : {line.layout, line.size, line.overwrite})
    if (line.isSet(option))
      throw sulcus::Error(
          "--" + option.names().front().toStdString() + " applies only when files are written",
          "the window would open", "also give --screenshot, --save-session or --page",
          sulcus::ErrorKind::usage);
  QSettings settings;
  const auto analyses = sulcus::app::remote::movable(table());
  Workspace workspace(
      analyses, sulcus::app::remote::devices, settings,
      {[](int gpu) { sulcus::app::analyses::useDevices({gpu}); }, sulcus::app::remote::usePlace,
       sulcus::app::remote::setUp, sulcus::app::remote::requirePlace});
  sulcus::ui::model::Examples examples(workspace, sulcus::app::examples::all(analyses));
  sulcus::ui::widgets::useShippedFont();
  MainWindow window(workspace, settings);
  window.setExamples(examples);
  window.setComponents(sulcus::app::componentsWith(sulcus::app::windowComponents()));
  window.show();
  workspace.session().autosaveIn(sulcus::ui::jobs::autosaveParent());
  window.start(files);
  return QApplication::exec();
}

}  // namespace

int main(int count, char** arguments) {
  sulcus::prepareStandardStreams();
  try {
    QCoreApplication::setApplicationName(QStringLiteral("sulcus"));
    QCoreApplication::setOrganizationName(QStringLiteral("sulcus"));
    QCoreApplication::setApplicationVersion(QString::fromStdString(sulcus::sulcusVersion()));
    if (sulcus::app::isQueryOnly(count, arguments)) {
      QCoreApplication program(count, arguments);
      WindowOptions line;
      line.read(program.arguments());  // exits, if these were requested
    }
    std::optional<sulcus::app::tour::VirtualDisplay> display;
    if (sulcus::app::asksForFiles(count, arguments)) {
      sulcus::app::disableScaling();
      if (sulcus::app::tour::VirtualDisplay::isNeeded()) display.emplace();
    }
    sulcus::app::requestOpenGl();
    const QtMessageHandler usual = qInstallMessageHandler(sulcus::app::endWithoutDisplay);
    std::vector<char*> words = sulcus::app::argumentsForQt(count, arguments);
    int wordCount = int(words.size());
    words.push_back(nullptr);
    QApplication program(wordCount, words.data());
    qInstallMessageHandler(usual);
    // In the system's language, if there are files for it: those of Qt's own dialogs, then the program's,
    // which is in `bin` where it was built and in `lib/sulcus` where it is installed.
    QTranslator ofQt, texts;
    const QString here = QCoreApplication::applicationDirPath(),
                  shared = QStringLiteral("/share/sulcus/translations");
    const auto install = [](QTranslator& translator, const QString& name, const QStringList& folders) {
      for (const QString& folder : folders)
        if (translator.load(QLocale::system(), name, QStringLiteral("_"), folder)) {
          QCoreApplication::installTranslator(&translator);
          return;
        }
    };
    install(ofQt, QStringLiteral("qtbase"), {QLibraryInfo::path(QLibraryInfo::TranslationsPath)});
    install(texts, QStringLiteral("sulcus"), {here + "/.." + shared, here + "/../.." + shared});
    // Qt sets those of the system: numbers in files, names and fields have a decimal point everywhere.
    std::setlocale(LC_NUMERIC, "C");
    QLocale::setDefault(QLocale::c());
    QApplication::setApplicationDisplayName(QStringLiteral("Sulcus"));
    return run(program);
  } catch (const sulcus::Error& fault) {
    std::fprintf(stderr, "sulcus: %s\n", fault.what());
    return int(fault.kind());
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "sulcus: %s\n", fault.what());
    return kInternalError;
  }
}
