// The texts of the window in another language.
#include "core/base/provenance.h"
#include "tests/ui/rich_analysis.h"
#include "tests/ui/widgets/window_fixture.h"
#include "ui/scene/words.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QRegularExpression>
#include <QTabBar>
#include <QTranslator>

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

/// A language in which every text stands in brackets.
struct Bracketed : QTranslator {
  Bracketed() { QCoreApplication::installTranslator(this); }
  bool isEmpty() const override { return false; }
  QString translate(const char*, const char* text, const char*, int) const override {
    return QStringLiteral("⟦%1⟧").arg(QString::fromUtf8(text));
  }
};

struct Language : WindowFixture {
  Language() : WindowFixture({test::richAnalysis()}) {}

  /// Words on screen that no translator has seen, but for the names of the program and of the processor.
  QStringList untranslated() const {
    static const QRegularExpression kWord(QStringLiteral("[A-Za-z]{3}"));
    QStringList found;
    const auto look = [&](const QString& text) {
      if (!text.contains(QChar(0x27E6)) && text.contains(kWord)) found << text;
    };
    for (const auto* action : window->findChildren<QAction*>()) look(action->text());
    for (const auto* label : window->findChildren<QLabel*>()) look(label->text());
    for (const auto* button : window->findChildren<QAbstractButton*>()) look(button->text());
    for (const auto* tabs : window->findChildren<QTabBar*>())
      for (int i = 0; i < tabs->count(); ++i) look(tabs->tabText(i));
    for (const auto* widget : window->findChildren<QWidget*>()) {
      look(widget->toolTip());
      look(widget->accessibleName());
    }
    found.removeAll(QStringLiteral("Sulcus"));
    found.removeAll(QString::fromStdString(cpuName()));
    return found;
  }

  const Bracketed language;
};

TEST_F(Language, OfEveryTextIsThatOfTheTranslator) {
  open();
  EXPECT_EQ(untranslated(), QStringList()) << untranslated().join('|').toStdString();
  EXPECT_EQ(scene::words("showing 1 in %1 lines", 4), "⟦showing 1 in 4 lines⟧");  // as views say it
  add(test::volumeLayer("T1"));
  run("run.cpu");
  EXPECT_EQ(untranslated(), QStringList()) << untranslated().join('|').toStdString();
}

}  // namespace
}  // namespace sulcus::ui::widgets
