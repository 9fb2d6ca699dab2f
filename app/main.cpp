// The window. sulcus [FILES…] [--tour DIR | --screenshot FILE | --page FILE]
#include "app/analyses/devices.h"
#include "app/analyses/table.h"
#include "app/examples/examples.h"
#include "app/remote/window_runs.h"
#include "app/tour/picture.h"
#include "app/tour/tour.h"
#include "app/tour/virtual_display.h"
#include "app/version.h"
#include "core/base/error.h"
#include "core/base/platform/processes/standard_streams.h"
#include "core/base/provenance.h"
#include "core/base/sentence.h"
#include "ui/widgets/window/main_window.h"
#include "ui/widgets/window/theme.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QLibraryInfo>
#include <QLocale>
#include <QOpenGLContext>
#include <QSettings>
#include <QSurfaceFormat>
#include <QTranslator>
#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using sulcus::app::analyses::deviceReport;
using sulcus::app::analyses::table;
using sulcus::ui::model::Workspace;
using sulcus::ui::widgets::MainWindow;

constexpr int kInternalError = 5;  // as in sulcus-cli

std::vector<sulcus::Component> ownComponents() { return {{"Qt", qVersion(), "LGPL-3.0-only"}}; }

struct CommandLine : QCommandLineParser {
  const QCommandLineOption tour{QStringLiteral("tour"),
                                QObject::tr("Runs every demo and the analyses of the files, writes pictures "
                                            "and results to DIR, prints the comparisons, and exits."),
                                QStringLiteral("DIR")};
  const QCommandLineOption session{QStringLiteral("session"),
                                   QObject::tr("A session to open, like one among the files."),
                                   QStringLiteral("FILE")};
  const QCommandLineOption screenshot{
      QStringLiteral("screenshot"),
      QObject::tr("Writes a picture of the views (.png, .tif), shows no window, and ends."),
      QStringLiteral("FILE")};
  const QCommandLineOption saveSession{
      QStringLiteral("save-session"),
      QObject::tr("Writes what was opened as a session, shows no window, and ends."), QStringLiteral("FILE")};
  const QCommandLineOption page{
      QStringLiteral("page"),
      QObject::tr("Writes one HTML page of pictures, plots, tables and runs to share, "
                  "shows no window, and ends."),
      QStringLiteral("FILE")};
  const QCommandLineOption layout{
      QStringLiteral("layout"),
      QObject::tr(
          "Of the picture: four, beside (3D next to the slices), lightbox, axial, coronal, sagittal, 3d, or "
          "compare (default: as in the session)."),
      QStringLiteral("NAME")};
  const QCommandLineOption size{QStringLiteral("size"), QObject::tr("Of the picture, in pixels: 1600x1200."),
                                QStringLiteral("WxH")};
  const QCommandLineOption overwrite{QStringLiteral("overwrite"),
                                     QObject::tr("Replaces a picture, session or page that exists.")};
  CommandLine() {
    setApplicationDescription(
        QObject::tr("Scans, analyses on CPU and GPU, results side by side. Research use only."));
    addHelpOption();
    addVersionOption();
    addPositionalArgument(QStringLiteral("files"), QObject::tr("Scans, DICOM folders or a session to open."),
                          QStringLiteral("[FILES…]"));
    for (const auto& option : {tour, session, screenshot, saveSession, page, layout, size, overwrite})
      addOption(option);
  }
};

/// Whether files are written without a window on screen.
bool makesFiles(const CommandLine& line) {
  return line.isSet(line.screenshot) || line.isSet(line.saveSession) || line.isSet(line.page);
}

/// Help and version need no display.
bool isQueryOnly(int count, char** arguments) {
  return std::any_of(arguments + 1, arguments + count, [](const std::string_view argument) {
    return argument == "-h" || argument == "--help" || argument == "--help-all" || argument == "-v" ||
           argument == "--version";
  });
}

/// Whether the words request files drawn without a window on screen.
bool asksForFiles(int count, char** arguments) {
  return std::any_of(arguments + 1, arguments + count, [](const std::string_view argument) {
    const std::string_view option = argument.substr(0, argument.find('='));
    return option == "--screenshot" || option == "--save-session" || option == "--page" || option == "--tour";
  });
}

/// Sizes of pictures are in pixels, independent of the desktop's scaling.
void disableScaling() {
  qputenv("QT_ENABLE_HIGHDPI_SCALING", "0");
  for (const char* name : {"QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS"}) qunsetenv(name);
}

/// The words without --session before its file, which is opened like other files: Qt would interpret that
/// option itself.
std::vector<char*> argumentsForQt(int count, char** arguments) {
  std::vector<char*> words;
  for (int i = 0; i < count; ++i)
    if (i == 0 || i + 1 == count || std::string_view(arguments[i]) != "--session")
      words.push_back(arguments[i]);
  return words;
}

/// Parses, and answers --help and --version. Throws Error (usage).
void read(CommandLine& line, const QStringList& arguments) {
  if (!line.parse(arguments)) {
    const QStringList unknown = line.unknownOptionNames();
    throw sulcus::Error(unknown.isEmpty() ? line.errorText().toStdString()
                                          : "Unknown option '" + unknown.front().toStdString() + "'",
                        "the command cannot be executed", "see sulcus --help", sulcus::ErrorKind::usage);
  }
  if (line.isSet(QStringLiteral("version"))) {
    std::fputs(sulcus::app::versionText(ownComponents()).c_str(), stdout);
    std::exit(EXIT_SUCCESS);
  }
  if (line.isSet(QStringLiteral("help")) || line.isSet(QStringLiteral("help-all"))) line.showHelp();
}

/// Receives Qt's messages while the application is created. Without a display Qt prints its own message and
/// aborts: this prints ours and exits.
void endWithoutDisplay(QtMsgType type, const QMessageLogContext& context, const QString& text) {
  if (type != QtFatalMsg) {
    const bool leadsToTheFatalOne = std::string_view(context.category).starts_with("qt.qpa");
    if (!leadsToTheFatalOne) std::fprintf(stderr, "%s\n", qPrintable(text));
    return;
  }
  std::vector<std::string> found;
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
    const char* value = std::getenv(name);
    found.push_back(name + (value ? " is '" + std::string(value) + "'" : " is not set"));
  }
  const sulcus::Error fault(
      "There is no display to open the window on", sulcus::joined(found, ", "),
      "start it on a desktop, or use sulcus-cli or app/run --tour, which need none; pictures and "
      "pages need Xvfb (Debian: apt install xvfb)",
      sulcus::ErrorKind::unavailable);
  std::fprintf(stderr, "sulcus: %s\n", fault.what());
  std::_Exit(int(fault.kind()));
}

/// Throws Error (unavailable) if the views could not draw anything: VTK would crash, or fill the terminal.
void requireOpenGl() {
  QOpenGLContext context;
  const QPair<int, int> wanted = QSurfaceFormat::defaultFormat().version();
  // These of Qt's platforms can create a context, but provide none for widgets.
  const bool drawn =
      !QStringList{"offscreen", "minimal", "linuxfb", "vnc"}.contains(QGuiApplication::platformName());
  if (drawn && context.create() && context.format().version() >= wanted) return;
  throw sulcus::Error("The display has no OpenGL 3.2", "the views are drawn by it",
                      "start it on a desktop with a graphics driver, or use sulcus-cli or app/run --tour",
                      sulcus::ErrorKind::unavailable);
}

/// Throws Error (usage) for a name that would not be recognized as that of a session.
void requireSessionName(const QString& file) {
  if (!file.endsWith(QStringLiteral(".sulcus")))
    throw sulcus::Error("'" + file.toStdString() + "' names no session", "sessions are known by their ending",
                        "end the name in .sulcus", sulcus::ErrorKind::usage);
}

/// Writes a picture, a session or a page for files, with default settings.
int takePicture(const CommandLine& line, const QStringList& files) {
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
  CommandLine line;
  read(line, program.arguments());
  requireOpenGl();

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
  if (makesFiles(line)) return takePicture(line, files);
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
  window.setComponents(sulcus::app::componentsWith(ownComponents()));
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
    if (isQueryOnly(count, arguments)) {
      QCoreApplication program(count, arguments);
      CommandLine line;
      read(line, program.arguments());  // exits, if these were requested
    }
    std::optional<sulcus::app::tour::VirtualDisplay> display;
    if (asksForFiles(count, arguments)) {
      disableScaling();
      if (sulcus::app::tour::VirtualDisplay::isNeeded()) display.emplace();
    }
    QSurfaceFormat format = QSurfaceFormat::defaultFormat();
    format.setRenderableType(QSurfaceFormat::OpenGL);
    format.setVersion(3, 2);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(24);
    QSurfaceFormat::setDefaultFormat(format);  // for VTK; must precede the creation of the application
    const QtMessageHandler usual = qInstallMessageHandler(endWithoutDisplay);
    std::vector<char*> words = argumentsForQt(count, arguments);
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
