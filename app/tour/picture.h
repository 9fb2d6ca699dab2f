#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

namespace sulcus::ui::widgets {
class MainWindow;
}

namespace sulcus::app::tour {

/// What to make from files without a window on screen.
struct ScreenshotOptions {
  QStringList files;  ///< scans, tables, surfaces, a session
  QString
      layout;  ///< "four", "beside", "lightbox", "axial", "coronal", "sagittal", "3d", "compare"; "": as is
  QSize size;  ///< of all views together, in pixels; empty: as in the window
  QString picture;  ///< PNG or TIFF to write; "" for none
  QString session;  ///< to write; "" for none
  QString page;     ///< HTML to write; "" for none
  bool overwrite = false;
};

/// "1600x1200"; an empty size for other texts and for sizes that a picture cannot have.
QSize sizeFrom(const QString& text);

/// Opens the files, and writes the picture that the window would show, the session, and the page. Returns
/// what could not be opened or saved, as messages; throws Error for a request that cannot be carried out.
QStringList takePicture(ui::widgets::MainWindow& window, const ScreenshotOptions& order);

}  // namespace sulcus::app::tour
