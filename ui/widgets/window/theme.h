#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

class QWidget;

namespace sulcus::ui::widgets {

/// How the window looks: dark, light, or as the desktop was when the program started.
enum class Appearance { dark, light, system };

/// The colors of the window, each named once. Style sheet, palette, icons, views and plots take them from
/// here.
struct Theme {
  QColor window;    ///< of the frame: menus, rows of tabs, status bar
  QColor panel;     ///< of panels and dialogs
  QColor field;     ///< of what is typed into, and of plots
  QColor raised;    ///< of buttons, menus and tooltips
  QColor hover;     ///< under the pointer, or switched on
  QColor selected;  ///< of a chosen row
  QColor line;      ///< thin lines between parts
  QColor edge;      ///< around what is typed into or switched
  QColor text, quiet, disabled;
  QColor accent, onAccent;  ///< the one thing to press, and the text on it
  QColor focus;             ///< around what has the keys
  QColor warning;           ///< of words about what cannot be trusted
  QColor alarm;             ///< of figures far from the others
  QColor between;  ///< between the views, which are dark in both: what an image says by black is black
};
const Theme& darkTheme();
const Theme& lightTheme();

/// The one that is shown.
const Theme& theme();
/// Dresses the whole program. The application must be there.
void applyAppearance(Appearance appearance);

/// Makes Inter, which comes with the program, the typeface of widgets that are made from now on and of what
/// VTK writes.
void useShippedFont();

/// Dresses a widget for print: light, whatever the window looks like.
void dressForPrint(QWidget& widget);

/// A drawing of resources/window by its name, in the color of the text around it and sharp at every size.
QIcon themeIcon(const QString& name);

}  // namespace sulcus::ui::widgets
