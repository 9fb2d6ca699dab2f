#include "ui/widgets/dialogs/preferences_dialog.h"

#include "core/base/error.h"
#include "ui/model/text/localize.h"
#include "ui/scene/common/colormap.h"
#include "ui/widgets/controls/option_form.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/dialogs/dialogs.h"
#include "ui/widgets/dialogs/remote_hosts_editor.h"
#include "ui/widgets/window/theme.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace sulcus::ui::widgets {

PreferencesDialog::PreferencesDialog(model::Workspace& workspace, QWidget* parent)
    : QDialog(parent), workspace_(workspace) {
  setObjectName(QStringLiteral("preferences"));
  setWindowTitle(tr("Preferences"));
  // Places have their own editor.
  auto options = describeOptions<model::Preferences>();
  std::erase_if(options,
                [](const OptionInfo& option) { return option.name == "places" || option.name == "place"; });
  for (OptionInfo& option : options)
    if (option.name == "scan-colors") option.choices = scene::colormapNames();
  form_ = new OptionForm(options);
  fault_ = named("preferencesFault", quietLabel({}));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close | QDialogButtonBox::RestoreDefaults);
  auto* column = new QVBoxLayout(this);
  column->addWidget(form_);
  column->addWidget(fault_);
  column->addWidget(new RemoteHostsEditor(workspace));
  column->addStretch(1);
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this, [this] {
    model::Preferences fresh;  // except the list of machines, which the user typed
    fresh.places = workspace_.preferences().values().places;
    fresh.place = workspace_.preferences().values().place;
    workspace_.preferences().set(fresh);
  });
  addFolderButton();
  connect(form_, &OptionForm::edited, this, &PreferencesDialog::take);
  connect(form_, &OptionForm::refused, this, [this](const QString&, const QString& typed) {
    fault_->setText(tr("%1 is out of range: the previous number is kept.").arg(typed));
  });
  connect(&workspace_.preferences(), &model::PreferenceStore::changed, this,
          &PreferencesDialog::showPreferences);
  showPreferences();
  resize(460, sizeHint().height());
}

void PreferencesDialog::addFolderButton() {
  auto* field = static_cast<QLineEdit*>(form_->editor("results"));
  field->setPlaceholderText(tr("where something was saved last"));
  QAction* browse = named("chooseResults",
                          field->addAction(themeIcon(QStringLiteral("folder")), QLineEdit::TrailingPosition));
  browse->setToolTip(tr("Choose a folder"));
  connect(browse, &QAction::triggered, this, [this, field] {
    auto* dialog = deletedOnClose(new QFileDialog(this, tr("Folder of results"), field->text()));
    dialog->setFileMode(QFileDialog::Directory);
    dressFileDialog(*dialog);
    connect(dialog, &QFileDialog::fileSelected, field, [field](const QString& folder) {
      field->setText(folder);
      emit field->editingFinished();
    });
    dialog->open();
  });
}

void PreferencesDialog::take() {
  OptionValues values = optionValues(workspace_.preferences().values());
  for (auto& [name, value] : form_->values()) values[name] = value;
  const auto wanted = optionsFrom<model::Preferences>(values);
  const QString results = QString::fromStdString(wanted.results);
  const bool folder = results.isEmpty() || QFileInfo(results).isDir();
  fault_->setText(
      folder ? QString()
             : tr("The folder '%1' does not exist (saving starts there): create it, or choose another.")
                   .arg(results));
  workspace_.preferences().set(wanted);
}

void PreferencesDialog::showPreferences() {
  form_->setValues(optionValues(workspace_.preferences().values()));
}

}  // namespace sulcus::ui::widgets
