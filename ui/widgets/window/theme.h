#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

class QPainter;
class QRectF;
class QWidget;

namespace sulcus::ui::widgets {

/// The appearance of the window: dark, light, or as the desktop was when the program started.
enum class Appearance { dark, light, system };

/// The colors of the window, each named once. Style sheet, palette, icons, views and plots use them.
struct Theme {
  QColor window;    ///< of the frame: menus, rows of tabs, status bar
  QColor panel;     ///< of panels and dialogs
  QColor field;     ///< of input fields and plots
  QColor raised;    ///< of buttons, menus and tooltips
  QColor hover;     ///< under the pointer, or switched on
  QColor selected;  ///< of a selected row
  QColor line;      ///< thin lines between parts
  QColor edge;      ///< around input fields and switches
  QColor text, quiet, disabled;
  QColor accent, onAccent;  ///< the main button, and the text on it
  QColor focus;             ///< around the widget with the keyboard focus
  QColor warning;           ///< of text about what cannot be trusted
  QColor alarm;             ///< of outliers
  QColor between;  ///< between the views, which are dark in both themes: black in the image means black
};
const Theme& darkTheme();
const Theme& lightTheme();

/// The current one.
const Theme& theme();
/// Applies an appearance to the whole program. The application object must exist.
void applyAppearance(Appearance appearance);

/// Makes Inter, which comes with the program, the font of widgets created from now on and of VTK's texts.
void useShippedFont();

/// Styles a widget for print: light in any appearance of the window.
void dressForPrint(QWidget& widget);

/// A drawing in resources/window by its name, in the color of the surrounding text and sharp at every size.
QIcon themeIcon(const QString& name);
/// Paints such a drawing in a color of one's own; nothing if there is none of this name.
void drawThemeIcon(QPainter& painter, const QString& name, const QRectF& box, const QColor& color);

}  // namespace sulcus::ui::widgets
