#include "ui/widgets/dialogs/remote_hosts_editor.h"

#include "core/base/error.h"
#include "ui/model/choices/remote_hosts.h"
#include "ui/model/text/localize.h"
#include "ui/widgets/controls/widget_help.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace sulcus::ui::widgets {

RemoteHostsEditor::RemoteHostsEditor(model::Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace) {
  list_ =
      named("places", new QListWidget, tr("Machines"),
            tr("Machines on which runs can be made. The menu Analysis, GPU to run on, chooses one of them."));
  list_->setFixedHeight(list_->fontMetrics().lineSpacing() * 5);
  remove_ = named("places.remove", new QPushButton(tr("Remove")));
  setUp_ = named("places.setUp", new QPushButton(tr("Set up")), {},
                 tr("Checks the machine, and installs Sulcus there where it is missing."));
  said_ = named("places.said", quietLabel({}));
  auto* buttons = new QVBoxLayout;
  buttons->addWidget(setUp_);
  buttons->addWidget(remove_);
  buttons->addStretch(1);
  auto* row = new QHBoxLayout;
  row->addWidget(list_, 1);
  row->addLayout(buttons);
  auto* column = tight<QVBoxLayout>(this);
  column->addWidget(sectionHeading(tr("Remote hosts")));
  column->addLayout(row);
  column->addWidget(makeNewRow());
  column->addWidget(said_);
  const auto showButtons = [this] {
    remove_->setEnabled(!chosen().isEmpty());
    setUp_->setEnabled(!chosen().isEmpty());
  };
  connect(list_, &QListWidget::currentRowChanged, this, showButtons);
  connect(remove_, &QPushButton::clicked, this, [this] { workspace_.processors().removeHost(chosen()); });
  connect(setUp_, &QPushButton::clicked, this, [this] {
    said_->setText(tr("Looking at %1…").arg(model::remoteHostTitle(chosen())));
    workspace_.processors().setUpHost(chosen());
  });
  connect(&workspace_.processors(), &model::Processors::hostSetUp, said_, &QLabel::setText);
  connect(&workspace_, &model::Workspace::failed, said_,
          [this](const QString&, const QString& sentence) { said_->setText(sentence); });
  connect(&workspace_.preferences(), &model::PreferenceStore::changed, this, &RemoteHostsEditor::showPlaces);
  showPlaces();
  showButtons();
}

QWidget* RemoteHostsEditor::makeNewRow() {
  kind_ = named("places.kind", new QComboBox, tr("how it is reached"),
                tr("ssh: a run starts at once. Slurm: it is submitted to Slurm on that machine."));
  kind_->addItem(tr("ssh"), QStringLiteral("ssh:"));
  kind_->addItem(tr("Slurm"), QStringLiteral("slurm:"));
  host_ = named("places.host", new QLineEdit, tr("host"),
                tr("As ssh takes it: a name, me@server.lab.org, or a host of ~/.ssh/config."));
  host_->setPlaceholderText(tr("host"));
  uses_ = named("places.uses", new QComboBox, tr("processor"),
                tr("The device used there; the CPU if there is no GPU."));
  uses_->addItem(tr("GPU"), QStringLiteral("gpu"));
  uses_->addItem(tr("CPU"), QStringLiteral("cpu"));
  partition_ = named("places.partition", new QLineEdit, tr("partition"),
                     tr("Slurm partition; empty: the cluster's default."));
  partition_->setPlaceholderText(tr("partition"));
  partition_->setMaximumWidth(100);
  auto* add = named("places.add", new QPushButton(tr("Add")));
  add->setAutoDefault(false);
  auto* holder = new QWidget;
  auto* row = tight<QHBoxLayout>(holder);
  row->addWidget(kind_);
  row->addWidget(host_, 1);
  row->addWidget(uses_);
  row->addWidget(partition_);
  row->addWidget(add);
  const auto showPartition = [this] { partition_->setVisible(kind_->currentIndex() == 1); };
  connect(kind_, &QComboBox::currentIndexChanged, this, showPartition);
  connect(add, &QPushButton::clicked, this, &RemoteHostsEditor::add);
  showPartition();
  return holder;
}

QString RemoteHostsEditor::chosen() const {
  const QListWidgetItem* item = list_->currentItem();
  return item ? item->data(Qt::UserRole).toString() : QString();
}

void RemoteHostsEditor::showPlaces() {
  const QString before = chosen();
  list_->clear();
  for (const QString& place : model::remoteHostsIn(workspace_.preferences().values().places)) {
    auto* item = new QListWidgetItem(model::remoteHostTitle(place), list_);
    item->setData(Qt::UserRole, place);
    if (place == before) list_->setCurrentItem(item);
  }
  for (QWidget* ofPlaces : std::initializer_list<QWidget*>{list_, remove_, setUp_})
    ofPlaces->setVisible(list_->count() > 0);
}

void RemoteHostsEditor::add() {
  QString place = kind_->currentData().toString() + host_->text().trimmed();
  const QString partition = kind_->currentIndex() == 1 ? partition_->text().trimmed() : QString();
  if (uses_->currentIndex() > 0 || !partition.isEmpty())
    place += QLatin1Char('/') + uses_->currentData().toString();
  if (!partition.isEmpty()) place += QLatin1Char('/') + partition;
  try {
    workspace_.processors().addHost(place);
    said_->clear();
    host_->clear();
    list_->setCurrentRow(list_->count() - 1);
  } catch (const Error& fault) {
    said_->setText(model::localizeForWindow(fault.message()));
  }
}

}  // namespace sulcus::ui::widgets
