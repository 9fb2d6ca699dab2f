#pragma once

#include <QString>
#include <QWidget>
#include <vector>

namespace sulcus::ui::widgets {

/// A stop of the guide: a part of the window, and a sentence on it.
struct GuideStop {
  QWidget* part = nullptr;
  QString title, text;
};

/// Leads through a window, a part at a time, which gets a frame. *Next* and *Skip* are buttons; Return and
/// Space go on, Escape skips.
/// Parts that are not shown are passed over. Deletes itself at the end.
///
/// @param window  in which it lies; parts may go meanwhile
void showGuide(QWidget* window, std::vector<GuideStop> stops);

}  // namespace sulcus::ui::widgets
