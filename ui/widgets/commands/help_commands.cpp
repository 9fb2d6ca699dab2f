#include "core/base/about.h"
#include "ui/model/text/localize.h"
#include "ui/widgets/commands/commands.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/dialogs/dialogs.h"
#include "ui/widgets/dialogs/preferences_dialog.h"
#include "ui/widgets/help/help_pages.h"

#include <QApplication>

namespace sulcus::ui::widgets {

void addHelpCommands(WindowParts& window) {
  window.commands.add("edit.preferences", QObject::tr("Pre&ferences…"), "Ctrl+,", [&window] {
    if (auto* open = window.widget.findChild<PreferencesDialog*>()) return open->raise();
    auto* dialog = deletedOnClose(new PreferencesDialog(window.workspace, &window.widget));
    setHelpPage(dialog, QStringLiteral("window#Preferences"));
    dialog->show();
  });
  window.commands.add("help.contents", QObject::tr("&Help"), "F1",
                      [&window] { showHelpOf(&window.widget, QApplication::focusWidget()); });
  window.commands.add("help.pages", QObject::tr("&All pages"), "",
                      [&window] { showHelpPage(&window.widget, QStringLiteral("ten-minutes")); });
  window.commands.add("help.paper", QObject::tr("The &paper"), "", [&window] {
    const auto* analysis = window.workspace.presenters().current();
    showHelpPage(
        &window.widget,
        QStringLiteral("papers#%1").arg(analysis ? model::words(analysis->analysis().title) : QString()));
  });
  window.commands.add("help.keys", QObject::tr("&Keys and mouse"), "H",
                      [&window] { showKeys(&window.widget, window.commands); });
  window.commands.add("help.about", QObject::tr("&About Sulcus"), "",
                      [&window] { showAbout(&window.widget, aboutText(window.components, window.devices)); });
}

}  // namespace sulcus::ui::widgets
