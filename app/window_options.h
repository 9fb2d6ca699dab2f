#pragma once

#include "core/base/components.h"

#include <QCommandLineParser>
#include <QStringList>
#include <vector>

// The command line of the window.
namespace sulcus::app {

/// The options of `sulcus`.
struct WindowOptions : QCommandLineParser {
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

  WindowOptions();
  /// Parses, and answers --help and --version. Throws Error (usage).
  void read(const QStringList& arguments);
  /// Whether files are written without a window on screen.
  bool makeFiles() const { return isSet(screenshot) || isSet(saveSession) || isSet(page); }
};

/// Help and version need no display.
bool isQueryOnly(int count, char** arguments);
/// Whether the words request files drawn without a window on screen.
bool asksForFiles(int count, char** arguments);
/// The words without --session before its file, which is opened like other files: Qt would interpret that
/// option itself.
std::vector<char*> argumentsForQt(int count, char** arguments);
/// The libraries that only the window uses.
std::vector<Component> windowComponents();

}  // namespace sulcus::app
