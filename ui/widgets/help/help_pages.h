#pragma once

#include <QWidget>
#include <utility>
#include <vector>

class QTextBrowser;

namespace sulcus::ui::widgets {

/// Sets the page of resources/help that explains a widget and its children: "fibers", or "window#Layers" for
/// a section.
void setHelpPage(QWidget* widget, const QString& page);

/// Title and name of each page that is part of the program, "Sessions" and "sessions": first what a beginner
/// reads, then the analyses, then what few need.
const std::vector<std::pair<QString, QString>>& helpPages();

/// A text browser for the help pages that are part of the program; it follows links between them.
QTextBrowser* helpBrowser();

/// Shows a page that is part of the program, "fibers" or "window#Layers"; above it the help of a field, if
/// one is given that has any. Returns at once.
void showHelpPage(QWidget* parent, const QString& page, const QWidget* field = nullptr);

/// Shows the page of the focused widget, a field's own help first; that of the window if there is no page.
/// Returns at once.
void showHelpOf(QWidget* parent, const QWidget* focused);

}  // namespace sulcus::ui::widgets
