#include "ui/widgets/window/dialogs.h"

#include "core/base/provenance.h"
#include "ui/model/session/file_names.h"
#include "ui/model/text/localize.h"
#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/number_edit.h"
#include "ui/widgets/window/help_pages.h"
#include "ui/widgets/window/theme.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileIconProvider>
#include <QFileInfo>
#include <QKeySequence>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QPixmap>
#include <QPointer>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <memory>
#include <utility>

namespace sulcus::ui::widgets {
namespace {

constexpr int kBesideTitle = 200;  ///< pixels of what else stands in the title bar of a window
constexpr int kPicture = 64;       ///< of a series, pixels

QString row(const QString& left, const QString& right) {
  return QStringLiteral(
             "<tr><td style='padding: 2px 18px 2px 0'><b>%1</b></td><td style='padding: 2px 0'>%2</td></tr>")
      .arg(left.toHtmlEscaped(), right.toHtmlEscaped());
}

QString keysHtml(const model::Commands& commands) {
  // A sheet: the mouse at the left, the keys at the right.
  QString html = QStringLiteral("<table width='100%'><tr><td width='50%'><h3>%1</h3><table>")
                     .arg(QObject::tr("Mouse and keys in a slice"));
  html += row(QObject::tr("Left button"), QObject::tr("move the crosshair"));
  html += row(QObject::tr("Middle drag, Shift or Alt + left drag"), QObject::tr("pan"));
  html += row(QObject::tr("Right drag"), QObject::tr("window and level, or zoom (Preferences)"));
  html += row(QObject::tr("Ctrl + left drag"), QObject::tr("zoom"));
  html += row(QObject::tr("Ctrl + Shift + left drag"), QObject::tr("window and level"));
  html += row(QObject::tr("Wheel, Page Up/Down, ↑ ↓"), QObject::tr("next or previous slice"));
  html += row(QObject::tr("Ctrl + wheel"), QObject::tr("zoom"));
  html += row(QObject::tr("← →"), QObject::tr("previous or next volume of a series"));
  html += row(QObject::tr("Shift + right drag, Shift + arrows"),
              QObject::tr("turn the slices about the crosshair"));
  html += row(QObject::tr("Shift + Page Up/Down"), QObject::tr("turn the slice in its own plane"));
  html += row(QObject::tr("Double click"), QObject::tr("this view alone, or what was there before"));
  html += QStringLiteral("</table><h3>%1</h3><table>").arg(QObject::tr("Mouse in 3D"));
  html += row(QObject::tr("Left drag"), QObject::tr("turn"));
  html += row(QObject::tr("Left click on a surface"), QObject::tr("move the crosshair there"));
  html += row(QObject::tr("Middle drag"), QObject::tr("pan"));
  html += row(QObject::tr("Wheel"), QObject::tr("zoom"));
  html += QStringLiteral("</table><h3>%1</h3><table>").arg(QObject::tr("Mouse in plots"));
  html += row(QObject::tr("Pointer on a curve, bar or cell"), QObject::tr("its values"));
  html += row(QObject::tr("Left click on a voxel's point"), QObject::tr("move the crosshair there"));
  html += row(QObject::tr("Left drag"), QObject::tr("move"));
  html += row(QObject::tr("Wheel, + −"), QObject::tr("zoom; over an axis only along it"));
  html += row(QObject::tr("Double click, Home"), QObject::tr("all again"));
  html += QStringLiteral("</table></td><td><h3>%1</h3><table>").arg(QObject::tr("Keys"));
  for (const auto& command : commands.all())
    if (!command.shortcut.isEmpty())
      html += row(QKeySequence(command.shortcut).toString(QKeySequence::NativeText),
                  model::Commands::plainText(command));
  return html + QStringLiteral("</table></td></tr></table>");
}

void showPage(QWidget* parent, const QString& title, const QString& name, const QString& html) {
  auto* dialog = new QDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(name);
  dialog->setWindowTitle(title);
  QTextBrowser* text = helpBrowser();
  text->setHtml(html);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  auto* column = new QVBoxLayout(dialog);
  column->addWidget(text);
  column->addWidget(buttons);
  dialog->resize(name == QLatin1String("keys") || name == QLatin1String("help") ? QSize(980, 720)
                                                                                : QSize(560, 640));
  dialog->show();
}

}  // namespace

void pickSeries(QWidget* parent, const QString& folder, const std::vector<io::DicomSeries>& series,
                const std::function<void(const io::DicomSeries&)>& chosen,
                const std::function<void(const io::DicomSeries&,
                                         const std::function<void(const io::Thumbnail&)>&)>& lookAt) {
  auto* dialog = new QDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("series"));
  dialog->setWindowTitle(QObject::tr("Choose series"));
  auto* list = new QListWidget;
  list->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list->setAccessibleName(QObject::tr("DICOM series"));
  list->setIconSize({kPicture, kPicture});
  QPixmap none(kPicture, kPicture);  // keeps the rows where they are until the pictures come
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
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel);
  auto* column = new QVBoxLayout(dialog);
  column->addWidget(new Label(QObject::tr("%1 holds %2 series. Which ones?").arg(folder).arg(series.size())));
  column->addWidget(list);
  column->addWidget(buttons);
  QObject::connect(buttons, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  QObject::connect(list, &QListWidget::itemDoubleClicked, dialog, &QDialog::accept);
  QObject::connect(dialog, &QDialog::accepted, parent, [list, series, chosen] {
    for (int i = 0; i < list->count(); ++i)
      if (list->item(i)->isSelected()) chosen(series[std::size_t(i)]);
  });
  dialog->resize(560, 420);
  dialog->open();
}

void dressFileDialog(QFileDialog& dialog) {
  /// Icons by what a thing is, not by what is in it: Qt's own waits for pipes and devices.
  struct Icons : QFileIconProvider {
    QIcon icon(IconType type) const override {
      return themeIcon(type == File                        ? QStringLiteral("file")
                       : type == Computer || type == Drive ? QStringLiteral("computer")
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
  constexpr QSize kRoom(860, 540);
  dialog.resize(dialog.size().expandedTo(kRoom));
}

void askAmong(QWidget* parent, const QString& title, const QString& question,
              const std::vector<Answer>& answers, const std::function<void()>& cancelled) {
  auto* box = new QMessageBox(QMessageBox::NoIcon, title, question, QMessageBox::Cancel, parent);
  box->setObjectName(QStringLiteral("question"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setTextFormat(Qt::PlainText);
  for (const Answer& answer : answers) {
    auto* button = box->addButton(answer.text, QMessageBox::ActionRole);
    button->setObjectName(QLatin1String(answer.name));
    QObject::connect(button, &QAbstractButton::clicked, parent, [act = answer.act] { act(); });
  }
  box->setDefaultButton(QMessageBox::Cancel);
  if (cancelled)
    QObject::connect(box, &QDialog::finished, parent, [box, cancelled] {
      // None was clicked where the question was closed.
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
  auto* dialog = new QDialog(parent);
  dialog->setObjectName(QStringLiteral("askNumber"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(title);
  auto* number = new NumberEdit;
  number->setAccessibleName(question);
  number->setRange(range.low, range.high);
  number->setValue(value);
  number->selectAll();
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  // A number beyond the range gives way to the one before, which is not to be taken for it.
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
  auto* dialog = new QFileDialog(parent, title, QFileInfo(suggested).path(), filter);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dressFileDialog(*dialog);
  dialog->selectFile(QFileInfo(suggested).fileName());
  QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                   [parent, dialog, title, filter, chosen](const QString& file) {
                     const QString whole = model::withEnding(file, filter, dialog->selectedNameFilter());
                     // The dialog has asked already whether a file of the typed name may be replaced; of the
                     // longer name it knows nothing.
                     if (whole == file || !QFileInfo::exists(whole)) return chosen(whole);
                     askFirst(parent, title, QObject::tr("%1 exists. Replace it?").arg(whole),
                              QObject::tr("Replace"), [whole, chosen] { chosen(whole); });
                   });
  dialog->open();
}

void showKeys(QWidget* parent, const model::Commands& commands) {
  showPage(parent, QObject::tr("Keys and mouse"), QStringLiteral("keys"), keysHtml(commands));
}

void showAbout(QWidget* parent, const std::string& about) {
  showPage(parent, QObject::tr("About Sulcus"), QStringLiteral("about"),
           QStringLiteral("<p style='white-space: pre-wrap'>%1</p>")
               .arg(QString::fromStdString(about).toHtmlEscaped()));
}

void showHelp(QWidget* parent, const model::Commands& commands) {
  QString html = QStringLiteral("<h2>Sulcus %1</h2>").arg(QString::fromStdString(sulcusVersion()));
  QStringList pages;
  for (const auto& [title, page] : helpPages())
    pages << QStringLiteral("<a href='qrc:/sulcus/help/%1.md'>%2</a>").arg(page, title.toHtmlEscaped());
  html += QObject::tr("<p>F1 shows the page of the field that has the focus. All pages: %1.</p>")
              .arg(pages.join(QStringLiteral(" · ")));
  html += QObject::tr(
      "<p>Open scans (NIfTI, NRRD, MetaImage, MGH, DICOM) and surfaces (VTP, PLY, STL, OBJ, GIFTI; drop "
      "files "
      "or folders anywhere), choose them as inputs on a tab at the right, and run. Results become layers at "
      "the left; a run on both processors opens the "
      "compare layout with the two results, their difference, and a table of times and differences.</p>"
      "<p>Every parameter says in its tooltip what it does to the result. <i>Copy command line</i> gives the "
      "sulcus-cli call that does the same without a window.</p>"
      "<p><i>Save run</i> writes all files of a run into a folder, as sulcus-cli does. <i>Open run</i> opens "
      "the inputs it was made of, where they are as they were, and makes it again, so that its sliders and "
      "plots are there, too.</p>"
      "<p><i>Save session</i> keeps all that is open, results included, to be opened again as it was. What "
      "has "
      "changed is saved every 30 seconds besides; after a crash the next start offers it. "
      "The page <i>Sessions</i> tells more.</p>"
      "<p>A file that cannot be trusted is refused with a sentence that names it; what is odd or had to be "
      "assumed is noted on its layer's card. A page lists what is refused and noted.</p>"
      "<p>Inside, positions are millimetres in the scanner, right, anterior and superior positive. The "
      "display "
      "is radiological at first: the patient's right is at the left of the screen; the letters say so.</p>"
      "<p><b>Research use only.</b> Not for diagnosis or treatment.</p>");
  showPage(parent, QObject::tr("Help"), QStringLiteral("help"), html + keysHtml(commands));
}

}  // namespace sulcus::ui::widgets
