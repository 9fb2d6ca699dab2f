#pragma once

#include <QWidget>
#include <utility>
#include <vector>

class QTextBrowser;

namespace sulcus::ui::widgets {

/// Says which page of resources/help explains a widget and what is in it: "fibers", or "window#Layers" for a
/// section.
void setHelpPage(QWidget* widget, const QString& page);

/// Title and name of each page that is part of the program, "Sessions" and "sessions": first what a newcomer
/// reads, then the analyses, then what few need.
const std::vector<std::pair<QString, QString>>& helpPages();

/// A text that shows the help pages which are part of the program, and follows links between them.
QTextBrowser* helpBrowser();

/// Shows a page that is part of the program, "fibers" or "window#Layers"; above it the help of a field, where
/// one is given that has any. Returns at once.
void showHelpPage(QWidget* parent, const QString& page, const QWidget* field = nullptr);

/// Shows the page of what has the keys, a field's own help first; that of the window where nothing has a
/// page. Returns at once.
void showHelpOf(QWidget* parent, const QWidget* focused);

}  // namespace sulcus::ui::widgets
