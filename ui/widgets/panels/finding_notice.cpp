#include "ui/widgets/panels/finding_notice.h"

#include "ui/model/text/localize.h"
#include "ui/widgets/controls/widget_help.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace sulcus::ui::widgets {

FindingNotice::FindingNotice(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("finding"));
  text_ = quietLabel({});
  text_->setForegroundRole(QPalette::WindowText);  // but this one should be noticed
  text_->setObjectName(QStringLiteral("findingText"));
  mend_ = named("findingMend", new QPushButton);
  auto* leave = named("findingLeave", new QPushButton(tr("Leave unchanged")));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 6);
  column->addWidget(text_);
  column->addWidget(mend_, 0, Qt::AlignLeft);
  column->addWidget(leave, 0, Qt::AlignLeft);
  connect(mend_, &QPushButton::clicked, this, &FindingNotice::mendRequested);
  connect(leave, &QPushButton::clicked, this, &FindingNotice::dismissed);
}

void FindingNotice::show(const Finding* finding) {
  setVisible(finding != nullptr);
  if (!finding) return;
  text_->setText(model::localizeForWindow(finding->sentence));
  mend_->setText(model::words(finding->remedy));
}

}  // namespace sulcus::ui::widgets
