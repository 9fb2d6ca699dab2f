#pragma once

#include <QString>
#include <QWidget>
#include <vector>

namespace sulcus::ui::widgets {

/// A stop of the guide: a part of the window, and a sentence about it.
struct GuideStop {
  QWidget* part = nullptr;
  QString title, text;
};

/// Guides the user through a window, one framed part at a time. *Next* and *Skip* are buttons; Return and
/// Space continue, Escape skips. Hidden parts are skipped. Deletes itself at the end.
///
/// @param window the window containing the parts, which may be destroyed meanwhile
void showGuide(QWidget* window, std::vector<GuideStop> stops);

}  // namespace sulcus::ui::widgets
