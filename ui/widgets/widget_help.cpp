#include "ui/widgets/widget_help.h"

#include <QApplication>
#include <QClipboard>
#include <QMessageBox>
#include <QPushButton>
#include <QUrl>

namespace sulcus::ui {

QLabel* heading(const QString& text) {
  auto* label = new QLabel(text);
  QFont font = label->font();
  font.setBold(true);
  label->setFont(font);
  return label;
}

QLabel* quietLabel(const QString& text) {
  auto* label = new QLabel(text);
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

QStringList localFiles(const QMimeData& data) {
  QStringList paths;
  for (const QUrl& url : data.urls())
    if (url.isLocalFile()) paths << url.toLocalFile();
  return paths;
}

void showError(QWidget* parent, const QString& title, const QString& sentence) {
  auto* box = new QMessageBox(QMessageBox::Warning, title, sentence, QMessageBox::Ok, parent);
  box->setObjectName(QStringLiteral("error"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setTextFormat(Qt::PlainText);
  box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  QPushButton* copy = box->addButton(QMessageBox::tr("Copy"), QMessageBox::ActionRole);
  copy->disconnect();  // copying does not close the dialog
  QObject::connect(copy, &QPushButton::clicked, box,
                   [sentence] { QApplication::clipboard()->setText(sentence); });
  box->open();
}

}  // namespace sulcus::ui
