#pragma once

#include <QDialogButtonBox>
#include <QFrame>
#include <QIcon>
#include <QLabel>
#include <QMimeData>
#include <QStringList>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <utility>

class QComboBox;
class QDialog;
class QSpinBox;
class QToolButton;

namespace sulcus::ui::widgets {

class ElidedComboBox;
class NumberEdit;

/// A widget or an action under the name by which tests and style sheets find it; `label` is its accessible
/// name.
template <class Object>
Object* named(const char* name, Object* object, const QString& label = {}, const QString& tip = {}) {
  object->setObjectName(QLatin1String(name));
  if constexpr (requires { object->setAccessibleName(label); })
    if (!label.isEmpty()) object->setAccessibleName(label);
  if constexpr (requires { object->setToolTip(tip); })
    if (!tip.isEmpty()) object->setToolTip(tip);
  return object;
}

/// A dialog or a menu that is deleted when it is closed.
template <class Window>
Window* deletedOnClose(Window* window) {
  window->setAttribute(Qt::WA_DeleteOnClose);
  return window;
}

/// A layout without margins; the spacing is that of the style unless given.
template <class Layout>
Layout* tight(QWidget* parent = nullptr, int spacing = -1) {
  auto* layout = new Layout(parent);
  layout->setContentsMargins(0, 0, 0, 0);
  if (spacing >= 0) layout->setSpacing(spacing);
  return layout;
}

/// A layout with these margins and this spacing.
template <class Layout>
Layout* padded(QWidget* parent, const QMargins& margins, int spacing) {
  auto* layout = new Layout(parent);
  layout->setContentsMargins(margins);
  layout->setSpacing(spacing);
  return layout;
}

/// Widgets side by side; sliders and number fields share the room that is left.
QWidget* rowOf(std::initializer_list<QWidget*> widgets);
/// A title inside a panel.
QLabel* heading(const QString& text);
/// The name of a part of a panel: small, muted capitals.
QLabel* sectionHeading(const QString& text);
/// A flat button with only an icon, see themeIcon(); `tip` is also its accessible name.
QToolButton* iconButton(const QString& icon, const QString& tip);
/// A button with a text, by which it is also called.
QToolButton* toolButton(const char* name, const QString& text, const QString& tip);
/// A button with a text; `tip` is also its accessible name.
QToolButton* textButton(const QString& text, const QString& tip, const char* name);
/// A flat textButton() in a bar of tools, which a click does not give the focus.
QToolButton* barButton(const QString& text, const QString& tip, const char* name, bool checkable = false);
/// A combo box with these entries, see guardWheel().
QComboBox* comboBox(const char* name, const QString& label, const QString& tip = {},
                    const QStringList& entries = {});
/// A combo box for names, which may be long: it asks only for the room of `letters`.
ElidedComboBox* nameBox(const char* name, const QString& label, const QString& tip, int letters);
/// A field for a number in a range, with its unit.
NumberEdit* numberEdit(const char* name, const QString& label, const QString& tip,
                       std::pair<double, double> range, const QString& suffix = {});
/// A field for an integer in a range, with its unit, see guardWheel().
QSpinBox* spinBox(const char* name, const QString& label, const QString& tip, std::pair<int, int> range,
                  const QString& suffix = {});
/// Buttons that accept and reject a dialog.
QDialogButtonBox* dialogButtons(QDialog* dialog, QDialogButtonBox::StandardButtons buttons);
/// A wrapping, selectable label in the palette's muted color.
QLabel* quietLabel(const QString& text);
/// `text` with positions where a label may break long words: after '_', and after twenty letters.
QString breakable(QString text);
/// A thin horizontal line.
QFrame* rule();
/// A button "More" that shows and hides `folded`, which is hidden initially.
QToolButton* foldButton(QWidget* folded);
/// A patch of a color.
QIcon colorIcon(const std::array<std::uint8_t, 3>& rgb);
/// The local files and folders of a drop.
QStringList localFiles(const QMimeData& data);
/// Shows an error in a dialog whose message can be selected and copied; returns at once. While the dialog is
/// open, further errors of the same parent are listed in it.
void showError(QWidget* parent, const QString& title, const QString& sentence);

}  // namespace sulcus::ui::widgets
