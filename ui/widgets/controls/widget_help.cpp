#include "ui/widgets/controls/widget_help.h"

#include "ui/widgets/controls/elided_combo_box.h"
#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/number_edit.h"
#include "ui/widgets/window/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QHBoxLayout>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <QUrl>

namespace sulcus::ui::widgets {
namespace {

constexpr QLatin1String kErrorName("error");
constexpr const char* kSentences = "sentences";  ///< property of an error dialog: all its messages
constexpr int kMostShown = 8;                    ///< more would not fit on a screen

QMessageBox* newErrorBox(QWidget* parent) {
  auto* box = new QMessageBox(QMessageBox::NoIcon, {}, {}, QMessageBox::Ok, parent);
  box->setIconPixmap(themeIcon(QStringLiteral("warning")).pixmap(32, 32));
  box->setObjectName(kErrorName);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setTextFormat(Qt::PlainText);
  box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  QPushButton* copy = box->addButton(QMessageBox::tr("Copy"), QMessageBox::ActionRole);
  // Copying must not close the dialog. Only this signal is disconnected: the style sheet listens to others,
  // such as the last.
  QObject::disconnect(copy, &QPushButton::clicked, nullptr, nullptr);
  box->setEscapeButton(QMessageBox::Ok);  // with two buttons Qt chooses none itself, and Escape has no effect
  QObject::connect(copy, &QPushButton::clicked, box, [box] {
    QApplication::clipboard()->setText(box->property(kSentences).toStringList().join(QLatin1Char('\n')));
  });
  return box;
}

}  // namespace

QString breakable(QString text) {
  static const QRegularExpression places(QStringLiteral("([^\\s_-]{20}|_)(?=[^\\s-])"));
  return text.replace(places, QStringLiteral("\\1\u200B"));
}

QLabel* heading(const QString& text) {
  auto* label = new Label(text);
  QFont font = label->font();
  font.setBold(true);
  label->setFont(font);
  return label;
}

QLabel* sectionHeading(const QString& text) {
  auto* label = new Label(text);
  QFont font = label->font();
  font.setPointSizeF(font.pointSizeF() * 0.85);
  font.setWeight(QFont::DemiBold);
  font.setCapitalization(QFont::AllUppercase);
  font.setLetterSpacing(QFont::PercentageSpacing, 106);
  label->setFont(font);
  label->setForegroundRole(QPalette::PlaceholderText);
  return label;
}

QToolButton* iconButton(const QString& icon, const QString& tip) {
  auto* button = new QToolButton;
  button->setIcon(themeIcon(icon));
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

QToolButton* toolButton(const char* name, const QString& text, const QString& tip) {
  auto* button = named(name, new QToolButton, {}, tip);
  button->setText(text);
  button->setFocusPolicy(Qt::StrongFocus);
  return button;
}

QToolButton* textButton(const QString& text, const QString& tip, const char* name) {
  QToolButton* button = toolButton(name, text, tip);
  button->setAccessibleName(tip);
  return button;
}

QToolButton* barButton(const QString& text, const QString& tip, const char* name, bool checkable) {
  QToolButton* button = textButton(text, tip, name);
  button->setCheckable(checkable);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

QComboBox* comboBox(const char* name, const QString& label, const QString& tip, const QStringList& entries) {
  auto* box = named(name, new QComboBox, label, tip);
  box->addItems(entries);
  guardWheel(box);
  return box;
}

ElidedComboBox* nameBox(const char* name, const QString& label, const QString& tip, int letters) {
  auto* box = named(name, new ElidedComboBox, label, tip);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(letters);
  guardWheel(box);
  return box;
}

NumberEdit* numberEdit(const char* name, const QString& label, const QString& tip,
                       std::pair<double, double> range, const QString& suffix) {
  auto* edit = named(name, new NumberEdit, label, tip);
  edit->setRange(range.first, range.second);
  edit->setSuffix(suffix);
  return edit;
}

QSpinBox* spinBox(const char* name, const QString& label, const QString& tip, std::pair<int, int> range,
                  const QString& suffix) {
  auto* edit = named(name, new QSpinBox, label, tip);
  edit->setRange(range.first, range.second);
  edit->setSuffix(suffix);
  guardWheel(edit);
  return edit;
}

QDialogButtonBox* dialogButtons(QDialog* dialog, QDialogButtonBox::StandardButtons buttons) {
  auto* box = new QDialogButtonBox(buttons);
  QObject::connect(box, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
  QObject::connect(box, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  return box;
}

QWidget* rowOf(std::initializer_list<QWidget*> widgets) {
  auto* row = new QWidget;
  auto* line = tight<QHBoxLayout>(row, 4);
  for (QWidget* widget : widgets)
    line->addWidget(widget, qobject_cast<QSlider*>(widget) || qobject_cast<NumberEdit*>(widget) ? 1 : 0);
  return row;
}

QLabel* quietLabel(const QString& text) {
  auto* label = new Label(text);
  label->setWordWrap(true);
  label->setForegroundRole(QPalette::PlaceholderText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

QFrame* rule() {
  auto* line = new QFrame;
  line->setFrameShape(QFrame::HLine);
  line->setFrameShadow(QFrame::Plain);
  line->setForegroundRole(QPalette::Midlight);
  return line;
}

QToolButton* foldButton(QWidget* folded) {
  auto* fold = new QToolButton;
  fold->setText(QToolButton::tr("More"));
  fold->setCheckable(true);
  fold->setAutoRaise(true);
  // The style's own arrows stay in Qt's pixmap cache, under a separate name for each button ever created.
  fold->setIcon(themeIcon(QStringLiteral("more")));
  fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  fold->setFocusPolicy(Qt::StrongFocus);
  folded->hide();
  QObject::connect(fold, &QToolButton::toggled, folded, [fold, folded](bool open) {
    fold->setIcon(themeIcon(open ? QStringLiteral("fold") : QStringLiteral("more")));
    folded->setVisible(open);
  });
  return fold;
}

QIcon colorIcon(const std::array<std::uint8_t, 3>& rgb) {
  QPixmap patch(12, 12);
  patch.fill(QColor(rgb[0], rgb[1], rgb[2]));
  return patch;
}

QStringList localFiles(const QMimeData& data) {
  QStringList paths;
  for (const QUrl& url : data.urls())
    if (url.isLocalFile()) paths << url.toLocalFile();
  return paths;
}

void showError(QWidget* parent, const QString& title, const QString& sentence) {
  // A dialog over a dialog would block the keyboard for the first one: errors that come while one is open are
  // added to it.
  auto* box = parent->findChild<QMessageBox*>(kErrorName, Qt::FindDirectChildrenOnly);
  if (!box || !box->isVisible()) box = newErrorBox(parent);
  QStringList sentences = box->property(kSentences).toStringList();
  if (sentences.contains(sentence)) return;
  sentences << sentence;
  box->setProperty(kSentences, sentences);
  box->setWindowTitle(sentences.size() == 1 ? title : QMessageBox::tr("%1 problems").arg(sentences.size()));
  QStringList shown = sentences.mid(0, kMostShown);
  if (sentences.size() > kMostShown)
    shown << QMessageBox::tr("… and %1 more: Copy includes them all.").arg(sentences.size() - kMostShown);
  box->setText(shown.join(QStringLiteral("\n\n")));
  box->open();
}

}  // namespace sulcus::ui::widgets
