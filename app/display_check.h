#pragma once

#include <QtGlobal>

class QMessageLogContext;
class QString;

// Whether the window can be shown.
namespace sulcus::app {

/// Sizes of pictures are in pixels, independent of the desktop's scaling: before the application is created.
void disableScaling();
/// The OpenGL that VTK needs: before the application is created.
void requestOpenGl();
/// Receives Qt's messages while the application is created. Without a display Qt prints its own message and
/// aborts: this prints ours and exits.
void endWithoutDisplay(QtMsgType type, const QMessageLogContext& context, const QString& text);
/// Throws Error (unavailable) if the views could not draw anything: VTK would crash, or fill the terminal.
void requireOpenGl();

}  // namespace sulcus::app
