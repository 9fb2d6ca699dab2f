#include "ui/widgets/dialogs/dialogs.h"

#include "ui/model/session/file_names.h"
#include "ui/model/text/localize.h"
#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/number_edit.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/help/help_pages.h"
#include "ui/widgets/window/theme.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileIconProvider>
#include <QFileInfo>
#include <QHeaderView>
#include <QKeySequence>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QPixmap>
#include <QPointer>
#include <QPushButton>
#include <QScreen>
#include <QTextBrowser>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace sulcus::ui::widgets {
namespace {

constexpr int kBesideTitle = 200;  ///< pixels of the other elements in the title bar of a window
constexpr int kPicture = 64;       ///< of a series, pixels

QString row(const QString& left, const QString& right) {
  return QStringLiteral(
             "<tr><td style='padding: 1px 14px 1px 0; white-space: nowrap'><b>%1</b></td>"
             "<td style='padding: 1px 0'>%2</td></tr>")
      .arg(left.toHtmlEscaped(), right.toHtmlEscaped());
}

QString table(const QString& title, const std::vector<std::pair<QString, QString>>& rows) {
  QString html = QStringLiteral("<h4 style='color: %1; margin-bottom: 2px'>%2</h4><table>")
                     .arg(theme().focus.name(), title);
  for (const auto& [left, right] : rows) html += row(left, right);
  return html + QStringLiteral("</table>");
}

/// The mouse gestures.
QString mouseHtml() {
  return table(QObject::tr("Mouse and keys in a slice"),
               {{QObject::tr("Left button"), QObject::tr("move the crosshair")},
                {QObject::tr("Middle drag"), QObject::tr("pan; also Shift or Alt + left drag")},
                {QObject::tr("Right drag"), QObject::tr("window and level, or zoom (Preferences)")},
                {QObject::tr("Right click"), QObject::tr("menu of this place")},
                {QObject::tr("Ctrl + left drag"), QObject::tr("zoom")},
                {QObject::tr("Ctrl + Shift + left drag"), QObject::tr("window and level")},
                {QObject::tr("Wheel, Page Up/Down, ↑ ↓"), QObject::tr("next or previous slice")},
                {QObject::tr("Ctrl + wheel"), QObject::tr("zoom")},
                {QObject::tr("← →"), QObject::tr("previous or next volume of a series")},
                {QObject::tr("Shift + right drag, arrows"), QObject::tr("turn the slices")},
                {QObject::tr("Shift + Page Up/Down"), QObject::tr("turn the slice in its plane")},
                {QObject::tr("Double click"), QObject::tr("this view alone, and back")}}) +
         table(QObject::tr("Mouse in 3D"),
               {{QObject::tr("Left drag"), QObject::tr("turn")},
                {QObject::tr("Left click on a surface"), QObject::tr("move the crosshair there")},
                {QObject::tr("Middle drag"), QObject::tr("pan")},
                {QObject::tr("Wheel"), QObject::tr("zoom")}}) +
         table(QObject::tr("Mouse on a region of a bundle"),
               {{QObject::tr("Left drag"), QObject::tr("move it; the lines follow")},
                {QObject::tr("Shift + wheel"), QObject::tr("change its size")}}) +
         table(QObject::tr("Mouse in plots"),
               {{QObject::tr("Pointer on a curve, bar or cell"), QObject::tr("its values")},
                {QObject::tr("Left click on a voxel's point"), QObject::tr("move the crosshair there")},
                {QObject::tr("Left drag"), QObject::tr("move")},
                {QObject::tr("Wheel, + −"), QObject::tr("zoom; over an axis only along it")},
                {QObject::tr("Double click, Home"), QObject::tr("all again")}});
}

/// A sheet: the mouse on the left, next to it the keys by topic.
QString keysHtml(const model::Commands& commands) {
  struct Group {
    QString title;
    std::vector<const char*> names;  ///< prefixes of the names of its commands; none: all others
    std::vector<std::pair<QString, QString>> keys = {};
  };
  std::vector<Group> groups = {{QObject::tr("Files"), {"file."}},
                               {QObject::tr("Edit and help"), {"edit.", "help."}},
                               {QObject::tr("Layers"), {"layer.", "regions.", "clusters.", "bundles."}},
                               {QObject::tr("Analysis and study"), {"run.", "compare.", "plot.", "study."}},
                               {QObject::tr("Views"), {}}};
  for (const auto& command : commands.all()) {
    if (command.shortcut.isEmpty()) continue;
    auto group = std::ranges::find_if(groups, [&](const Group& one) {
      return std::ranges::any_of(
          one.names, [&](const char* name) { return command.name.startsWith(QLatin1String(name)); });
    });
    if (group == groups.end()) group = std::prev(groups.end());
    group->keys.emplace_back(QKeySequence(command.shortcut).toString(QKeySequence::NativeText),
                             model::Commands::plainText(command));
  }
  QString html =
      QStringLiteral("<table width='100%'><tr><td width='40%'>%1</td><td width='32%'>").arg(mouseHtml());
  for (const Group& group : groups) {
    if (&group == &groups.back()) html += QStringLiteral("</td><td width='28%'>");
    if (!group.keys.empty()) html += table(group.title, group.keys);
  }
  return html + QStringLiteral("</td></tr></table>");
}

void showPage(QWidget* parent, const QString& title, const QString& name, const QString& html, QSize size) {
  auto* dialog = deletedOnClose(new QDialog(parent));
  dialog->setObjectName(name);
  dialog->setWindowTitle(title);
  QTextBrowser* text = helpBrowser();
  text->setHtml(html);
  auto* column = new QVBoxLayout(dialog);
  column->addWidget(text);
  column->addWidget(dialogButtons(dialog, QDialogButtonBox::Close));
  dialog->resize(size.boundedTo(parent->screen()->availableGeometry().size()));
  dialog->show();
}

}  // namespace

void pickSeries(QWidget* parent, const QString& folder, const std::vector<io::DicomSeries>& series,
                const std::function<void(const io::DicomSeries&)>& chosen,
                const std::function<void(const io::DicomSeries&,
                                         const std::function<void(const io::Thumbnail&)>&)>& lookAt) {
  auto* dialog = deletedOnClose(new QDialog(parent));
  dialog->setObjectName(QStringLiteral("series"));
  dialog->setWindowTitle(QObject::tr("Choose series"));
  auto* list = new QListWidget;
  list->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list->setAccessibleName(QObject::tr("DICOM series"));
  list->setIconSize({kPicture, kPicture});
  QPixmap none(kPicture, kPicture);  // keeps the rows in place until the pictures arrive
  none.fill(Qt::transparent);
  for (const auto& one : series) {
    auto* item = new QListWidgetItem(QIcon(none), model::words(one.description), list);
    lookAt(one, [item, list = QPointer(list)](const io::Thumbnail& picture) {
      if (!list) return;
      const QImage image(picture.pixels.data(), picture.width, picture.height, picture.width,
                         QImage::Format_Grayscale8);
      item->setIcon(QIcon(QPixmap::fromImage(image)));
    });
  }
  list->setCurrentRow(0);
  auto* column = new QVBoxLayout(dialog);
  column->addWidget(
      new Label(QObject::tr("%1 contains %2 series. Which ones?").arg(folder).arg(series.size())));
  column->addWidget(list);
  column->addWidget(dialogButtons(dialog, QDialogButtonBox::Open | QDialogButtonBox::Cancel));
  QObject::connect(list, &QListWidget::itemDoubleClicked, dialog, &QDialog::accept);
  QObject::connect(dialog, &QDialog::accepted, parent, [list, series, chosen] {
    for (int i = 0; i < list->count(); ++i)
      if (list->item(i)->isSelected()) chosen(series[std::size_t(i)]);
  });
  dialog->resize(560, 420);
  dialog->open();
}

void dressFileDialog(QFileDialog& dialog) {
  /// Icons by file type only, not by content: Qt's own provider blocks on pipes and devices.
  struct Icons : QFileIconProvider {
    QIcon icon(IconType type) const override {
      if (type == File) return themeIcon(QStringLiteral("file"));
      return themeIcon(type == Computer || type == Drive ? QStringLiteral("computer")
                                                         : QStringLiteral("folder"));
    }
    QIcon icon(const QFileInfo& file) const override { return icon(file.isDir() ? Folder : File); }
    QString type(const QFileInfo& file) const override {
      return file.isDir() ? QObject::tr("Folder") : file.suffix();
    }
  };
  static Icons icons;
  dialog.setIconProvider(&icons);
  for (const auto& [button, icon] : {std::pair("backButton", "back"),
                                     {"forwardButton", "forward"},
                                     {"toParentButton", "up"},
                                     {"newFolderButton", "folder-new"},
                                     {"listModeButton", "list"},
                                     {"detailModeButton", "details"}})
    if (auto* found = dialog.findChild<QToolButton*>(QLatin1String(button)))
      found->setIcon(themeIcon(QLatin1String(icon)));
  if (const auto* files = dialog.findChild<QTreeView*>(QStringLiteral("treeView"))) {
    files->header()->setResizeContentsPrecision(100);
    files->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    files->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  }
  constexpr QSize kRoom(860, 540);
  dialog.resize(dialog.size().expandedTo(kRoom));
}

void askAmong(QWidget* parent, const QString& title, const QString& question,
              const std::vector<Answer>& answers, const std::function<void()>& cancelled) {
  auto* box = deletedOnClose(
      named("question", new QMessageBox(QMessageBox::NoIcon, title, question, QMessageBox::Cancel, parent)));
  box->setTextFormat(Qt::PlainText);
  for (const Answer& answer : answers) {
    auto* button = box->addButton(answer.text, QMessageBox::ActionRole);
    button->setObjectName(QLatin1String(answer.name));
    QObject::connect(button, &QAbstractButton::clicked, parent, [act = answer.act] { act(); });
  }
  box->setDefaultButton(QMessageBox::Cancel);
  if (cancelled)
    QObject::connect(box, &QDialog::finished, parent, [box, cancelled] {
      // None was clicked if the question was closed.
      if (!box->clickedButton() || box->clickedButton() == box->button(QMessageBox::Cancel)) cancelled();
    });
  box->open();
}

void askFirst(QWidget* parent, const QString& title, const QString& question, const QString& yes,
              const std::function<void()>& act) {
  askAmong(parent, title, question, {{"agree", yes, act}});
}

void askNumber(QWidget* parent, const QString& title, const QString& question, double value, Range range,
               const std::function<void(double)>& taken) {
  auto* dialog = deletedOnClose(named("askNumber", new QDialog(parent)));
  dialog->setWindowTitle(title);
  auto* number = new NumberEdit;
  number->setAccessibleName(question);
  number->setRange(range.low, range.high);
  number->setValue(value);
  number->selectAll();
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  // A number beyond the range is replaced by the previous one, which must not be mistaken for it.
  const auto refused = std::make_shared<bool>(false);
  QObject::connect(number, &NumberEdit::refused, dialog, [refused] { *refused = true; });
  QObject::connect(buttons, &QDialogButtonBox::accepted, dialog, [dialog, number, refused] {
    number->interpretText();
    if (!std::exchange(*refused, false)) return dialog->accept();
    number->setFocus();
    number->selectAll();
  });
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  QObject::connect(dialog, &QDialog::accepted, parent, [number, taken] { taken(number->value()); });
  auto* column = new QVBoxLayout(dialog);
  column->addWidget(new Label(question));
  column->addWidget(number);
  column->addWidget(buttons);
  dialog->setMinimumWidth(dialog->fontMetrics().horizontalAdvance(title) + kBesideTitle);
  dialog->open();
}

void askSaveName(QWidget* parent, const QString& title, const QString& suggested, const QString& filter,
                 const std::function<void(const QString&)>& chosen) {
  auto* dialog = deletedOnClose(new QFileDialog(parent, title, QFileInfo(suggested).path(), filter));
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dressFileDialog(*dialog);
  dialog->selectFile(QFileInfo(suggested).fileName());
  QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                   [parent, dialog, title, filter, chosen](const QString& file) {
                     const QString whole = model::withEnding(file, filter, dialog->selectedNameFilter());
                     // The dialog has already asked whether a file of the typed name may be replaced, but not
                     // about the longer name.
                     if (whole == file || !QFileInfo::exists(whole)) return chosen(whole);
                     askFirst(parent, title, QObject::tr("%1 exists. Replace it?").arg(whole),
                              QObject::tr("Replace"), [whole, chosen] { chosen(whole); });
                   });
  dialog->open();
}

void showKeys(QWidget* parent, const model::Commands& commands) {
  showPage(parent, QObject::tr("Keys and mouse"), QStringLiteral("keys"), keysHtml(commands),
           QSize(1160, 860));
}

void showAbout(QWidget* parent, const std::string& about) {
  showPage(parent, QObject::tr("About Sulcus"), QStringLiteral("about"),
           QStringLiteral("<p style='white-space: pre-wrap'>%1</p>")
               .arg(QString::fromStdString(about).toHtmlEscaped()),
           QSize(560, 640));
}

}  // namespace sulcus::ui::widgets
