#pragma once

#include <QFrame>
#include <QLabel>
#include <QMimeData>
#include <QStringList>

class QToolButton;

namespace sulcus::ui::widgets {

/// A title inside a panel.
QLabel* heading(const QString& text);
/// The name of a part of a panel: small, quiet capitals.
QLabel* sectionHeading(const QString& text);
/// A flat button that shows a drawing alone, see themeIcon(); `tip` is what it is called, too.
QToolButton* iconButton(const QString& icon, const QString& tip);
/// A wrapping, selectable label in the palette's quieter color.
QLabel* quietLabel(const QString& text);
/// `text` with places where a label may break long words: after '_', and after twenty letters.
QString breakable(QString text);
/// A thin horizontal line.
QFrame* rule();
/// A button "More" that shows and hides `folded`, which begins hidden.
QToolButton* foldButton(QWidget* folded);
/// The local files and folders of a drop.
QStringList localFiles(const QMimeData& data);
/// Shows an error in a dialog whose sentence can be selected and copied; returns at once. While the dialog is
/// open, further errors of the same parent are listed in it.
void showError(QWidget* parent, const QString& title, const QString& sentence);

}  // namespace sulcus::ui::widgets
