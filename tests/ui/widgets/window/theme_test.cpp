#include "ui/widgets/window/theme.h"

#include <QApplication>
#include <QFile>
#include <QImage>
#include <QPalette>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

/// Relative luminance and contrast by the Web Content Accessibility Guidelines 2.1.
double luminance(const QColor& color) {
  const auto linear = [](double part) {
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}
double contrast(const QColor& a, const QColor& b) {
  const auto [low, high] = std::minmax({luminance(a), luminance(b)});
  return (high + 0.05) / (low + 0.05);
}

TEST(ThemeTest, CanBeReadInDarkAndInLight) {
  for (const Theme* theme : {&darkTheme(), &lightTheme()}) {
    for (const QColor& ground :
         {theme->window, theme->panel, theme->field, theme->raised, theme->hover, theme->selected}) {
      EXPECT_GE(contrast(theme->text, ground), 4.5)
          << theme->text.name().toStdString() << " on " << ground.name().toStdString();
      EXPECT_GE(contrast(theme->warning, ground), 4.5)
          << theme->warning.name().toStdString() << " on " << ground.name().toStdString();
      EXPECT_GE(contrast(theme->quiet, ground), 4.5)
          << theme->quiet.name().toStdString() << " on " << ground.name().toStdString();
    }
    EXPECT_GE(contrast(theme->onAccent, theme->accent), 4.5);
    for (const QColor& ground : {theme->window, theme->panel, theme->field})
      EXPECT_GE(contrast(theme->focus, ground), 3) << "what has the keys is seen";
  }
}

TEST(ThemeTest, DressesTheProgramAndNamesNoColorTwice) {
  applyAppearance(Appearance::light);
  EXPECT_EQ(QApplication::palette().color(QPalette::Window), lightTheme().panel);
  EXPECT_FALSE(qApp->styleSheet().contains('@')) << "a color of the sheet has no value";
  applyAppearance(Appearance::dark);
  EXPECT_EQ(QApplication::palette().color(QPalette::Window), darkTheme().panel);
  EXPECT_FALSE(qApp->styleSheet().isEmpty());
  QFile sheet(QStringLiteral(":/sulcus/window/window.qss"));
  ASSERT_TRUE(sheet.open(QIODevice::ReadOnly));
  EXPECT_FALSE(QString::fromUtf8(sheet.readAll()).contains(QRegularExpression("#[0-9a-fA-F]{6}\\b")))
      << "colors have their names in theme.cpp";
}

TEST(ThemeTest, DrawsIconsInTheColorOfTheText) {
  for (const Appearance appearance : {Appearance::light, Appearance::dark}) {
    applyAppearance(appearance);
    const QImage icon = themeIcon(QStringLiteral("grid")).pixmap(32, 32).toImage();
    ASSERT_FALSE(icon.isNull());
    int inked = 0;
    for (int y = 0; y < icon.height(); ++y)
      for (int x = 0; x < icon.width(); ++x)
        if (icon.pixelColor(x, y).alpha() == 255) {
          ++inked;
          EXPECT_LT(std::abs(icon.pixelColor(x, y).green() - theme().text.green()), 4);
        }
    EXPECT_GT(inked, 40);
  }
}

}  // namespace
}  // namespace sulcus::ui::widgets
