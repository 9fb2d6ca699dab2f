#include "ui/widgets/window/theme.h"

#include "core/base/platform/files/memory_file.h"
#include "ui/scene/common/text_font.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QPixmapCache>
#include <QStyleFactory>
#include <QSvgRenderer>
#include <QToolTip>
#include <QWidget>
#include <memory>
#include <string_view>
#include <vector>

namespace sulcus::ui::widgets {
namespace {

QColor rgb(unsigned value) { return QColor::fromRgb(value); }

const Theme* shownTheme = nullptr;

QPalette paletteOf(const Theme& t) {
  QPalette palette;
  const std::pair<QPalette::ColorRole, QColor> colors[] = {{QPalette::Window, t.panel},
                                                           {QPalette::WindowText, t.text},
                                                           {QPalette::Base, t.field},
                                                           {QPalette::AlternateBase, t.panel},
                                                           {QPalette::Text, t.text},
                                                           {QPalette::PlaceholderText, t.quiet},
                                                           {QPalette::Button, t.raised},
                                                           {QPalette::ButtonText, t.text},
                                                           {QPalette::BrightText, t.text},
                                                           {QPalette::ToolTipBase, t.raised},
                                                           {QPalette::ToolTipText, t.text},
                                                           {QPalette::Highlight, t.accent},
                                                           {QPalette::HighlightedText, t.onAccent},
                                                           {QPalette::Link, t.focus},
                                                           {QPalette::LinkVisited, t.focus},
                                                           {QPalette::Light, t.hover},
                                                           {QPalette::Midlight, t.line},
                                                           {QPalette::Mid, t.line},
                                                           {QPalette::Dark, t.edge},
                                                           {QPalette::Shadow, t.between}};
  for (const auto& [role, color] : colors) palette.setColor(role, color);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, t.disabled);
  palette.setColor(QPalette::Disabled, QPalette::Highlight, t.line);
  palette.setColor(QPalette::Disabled, QPalette::HighlightedText, t.disabled);
  return palette;
}

QString styleSheetOf(const Theme& t) {
  QFile file(QStringLiteral(":/sulcus/window/window.qss"));
  file.open(QIODevice::ReadOnly);
  QString sheet = QString::fromUtf8(file.readAll());
  const std::pair<const char*, QColor> names[] = {
      {"@window", t.window}, {"@panel", t.panel},       {"@field", t.field},       {"@raised", t.raised},
      {"@hover", t.hover},   {"@selected", t.selected}, {"@line", t.line},         {"@edge", t.edge},
      {"@text", t.text},     {"@quiet", t.quiet},       {"@disabled", t.disabled}, {"@accent", t.accent},
      {"@focus", t.focus},   {"@onAccent", t.onAccent}, {"@warning", t.warning}};
  for (const auto& [name, color] : names) sheet.replace(QLatin1String(name), color.name());
  return sheet;
}

QByteArray drawingOf(const QString& name) {
  QFile file(QStringLiteral(":/sulcus/window/%1.svg").arg(name));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void renderDrawing(const QByteArray& drawing, QPainter& painter, const QRectF& box, const QColor& color) {
  QSvgRenderer svg(QByteArray(drawing).replace("currentColor", color.name().toLatin1()));
  svg.render(&painter, box);
}

/// Draws in the current palette each time, so that nothing of another theme is kept.
class ThemeIconEngine : public QIconEngine {
 public:
  explicit ThemeIconEngine(const QString& name) : drawing_(drawingOf(name)) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
    renderDrawing(drawing_, *painter, rect, QApplication::palette().color(group, QPalette::ButtonText));
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap made(size);
    if (made.isNull()) return made;  // of a button that has no room yet
    made.fill(Qt::transparent);
    QPainter painter(&made);
    paint(&painter, made.rect(), mode, state);
    return made;
  }
  QIconEngine* clone() const override { return new ThemeIconEngine(*this); }

 private:
  QByteArray drawing_;
};

}  // namespace

const Theme& darkTheme() {
  static const Theme made{.window = rgb(0x14171d),
                          .panel = rgb(0x1a1e26),
                          .field = rgb(0x11141a),
                          .raised = rgb(0x252b36),
                          .hover = rgb(0x2e3644),
                          .selected = rgb(0x26364f),
                          .line = rgb(0x2a313d),
                          .edge = rgb(0x3a4352),
                          .text = rgb(0xe3e7ee),
                          .quiet = rgb(0x9aa4b4),
                          .disabled = rgb(0x667080),
                          .accent = rgb(0x2b68e0),
                          .onAccent = rgb(0xffffff),
                          .focus = rgb(0x6ea3ff),
                          .warning = rgb(0xffb84d),
                          .alarm = rgb(0xff7a70),
                          .between = rgb(0x2a313d)};
  return made;
}

const Theme& lightTheme() {
  static const Theme made{.window = rgb(0xe9ecf1),
                          .panel = rgb(0xf6f7f9),
                          .field = rgb(0xffffff),
                          .raised = rgb(0xffffff),
                          .hover = rgb(0xdde3ec),
                          .selected = rgb(0xd3e1fb),
                          .line = rgb(0xd5dae2),
                          .edge = rgb(0xb6bfcc),
                          .text = rgb(0x1b2029),
                          .quiet = rgb(0x535d6c),
                          .disabled = rgb(0x99a2af),
                          .accent = rgb(0x1f5bd0),
                          .onAccent = rgb(0xffffff),
                          .focus = rgb(0x1f5bd0),
                          .warning = rgb(0x8f5400),
                          .alarm = rgb(0xb3261e),
                          .between = rgb(0x3a4352)};
  return made;
}

void useShippedFont() {
  static std::vector<std::unique_ptr<const MemoryFile>> files;  // VTK reads fonts from files
  if (!files.empty()) return;
  QString family;
  for (const char* name : {"Inter-Regular.otf", "Inter-SemiBold.otf"}) {
    QFile shipped(QStringLiteral(":/sulcus/fonts/") + QLatin1String(name));
    if (!shipped.open(QIODevice::ReadOnly)) return;
    const QByteArray bytes = shipped.readAll();
    const QStringList families =
        QFontDatabase::applicationFontFamilies(QFontDatabase::addApplicationFontFromData(bytes));
    if (family.isEmpty() && !families.isEmpty()) family = families.front();
    files.push_back(
        std::make_unique<MemoryFile>(name, std::string_view(bytes.constData(), std::size_t(bytes.size()))));
  }
  scene::useFonts(files[0]->path(), files[1]->path());
  if (family.isEmpty()) return;
  QFont font = QApplication::font();
  font.setFamily(family);
  QApplication::setFont(font);
}

const Theme& theme() { return shownTheme ? *shownTheme : darkTheme(); }

void applyAppearance(Appearance appearance) {
  // The desktop's appearance is known until our own palette is first set.
  static const bool darkDesktop = QApplication::palette().color(QPalette::Window).lightness() < 128;
  const bool dark = appearance == Appearance::dark || (appearance == Appearance::system && darkDesktop);
  const Theme& wanted = dark ? darkTheme() : lightTheme();
  if (shownTheme == &wanted) return;
  if (!shownTheme) {
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    // Under a style sheet each button has its own palette and so its own rendered pictures, which stay when
    // it is gone.
    QPixmapCache::setCacheLimit(2048);  // kB
  }
  shownTheme = &wanted;
  QApplication::setPalette(paletteOf(wanted));
  QToolTip::setPalette(paletteOf(wanted));
  qApp->setStyleSheet(styleSheetOf(wanted));
}

void dressForPrint(QWidget& widget) {
  widget.setPalette(paletteOf(lightTheme()));
  widget.setStyleSheet(styleSheetOf(lightTheme()) + QStringLiteral("QWidget { background: white; }"));
}

QIcon themeIcon(const QString& name) { return QIcon(new ThemeIconEngine(name)); }

void drawThemeIcon(QPainter& painter, const QString& name, const QRectF& box, const QColor& color) {
  if (const QByteArray drawing = drawingOf(name); !drawing.isEmpty())
    renderDrawing(drawing, painter, box, color);
}

}  // namespace sulcus::ui::widgets
