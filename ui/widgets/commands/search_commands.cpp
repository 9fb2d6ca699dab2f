#include "ui/model/layers/layer_list_model.h"
#include "ui/model/text/localize.h"
#include "ui/widgets/commands/commands.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/controls/option_form.h"
#include "ui/widgets/dialogs/command_palette.h"
#include "ui/widgets/help/help_pages.h"
#include "ui/widgets/panels/analysis_panel.h"
#include "ui/widgets/panels/label_list.h"
#include "ui/widgets/panels/layer_properties.h"
#include "ui/widgets/panels/layers_panel.h"
#include "ui/widgets/panels/plots_panel.h"

#include <QAction>
#include <QCheckBox>
#include <QFormLayout>
#include <QKeySequence>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <map>

namespace sulcus::ui::widgets {
namespace {

/// The titles of the menus that contain actions, "View" and "View, 3D view from", by the name of the action.
void nameMenus(const QMenu& menu, const QString& above, std::map<QString, QString>& menus) {
  const QString title = QString(menu.title()).remove(QLatin1Char('&'));
  const QString path = above.isEmpty() ? title : above + QStringLiteral(", ") + title;
  for (const QAction* action : menu.actions()) {
    if (action->menu()) nameMenus(*action->menu(), path, menus);
    if (!action->objectName().isEmpty()) menus.emplace(action->objectName(), path);
  }
}

/// A field in a row of a form that accepts the keyboard focus.
QWidget* focusable(QWidget* row) {
  if (row->focusPolicy() & Qt::TabFocus) return row;
  for (QWidget* child : row->findChildren<QWidget*>())
    if (child->focusPolicy() & Qt::TabFocus && !child->isHidden()) return child;
  return nullptr;
}

/// Adds the visible rows of a form: switches are toggled, other fields get the focus after `show`.
void addFields(const QFormLayout& form, const QString& kind, const std::function<void()>& show,
               std::vector<model::SearchEntry>& entries) {
  for (int i = 0; i < form.rowCount(); ++i) {
    const QLayoutItem* item = form.itemAt(i, QFormLayout::SpanningRole);
    if (!item) item = form.itemAt(i, QFormLayout::FieldRole);
    QWidget* row = item ? item->widget() : nullptr;
    QWidget* field = row && form.isRowVisible(row) ? focusable(row) : nullptr;
    if (!field) continue;
    const auto* label = qobject_cast<QLabel*>(form.labelForField(row));
    auto* check = qobject_cast<QCheckBox*>(field);
    QString name = label ? label->text() : field->accessibleName();
    if (check) name = check->text();
    entries.push_back({name, kind, {}, [show, check, field] {
                         show();
                         check ? check->click() : field->setFocus(Qt::ShortcutFocusReason);
                       }});
  }
}

using Entries = std::vector<model::SearchEntry>;

void addCommands(WindowParts& window, Entries& entries) {
  std::map<QString, QString> menus;
  for (const QAction* top : window.widget.menuBar()->actions())
    if (top->menu()) nameMenus(*top->menu(), {}, menus);
  for (const model::Command& command : window.commands.all()) {
    if (command.name == QStringLiteral("edit.search")) continue;
    const auto menu = menus.find(command.name);
    const QString keys = QKeySequence(command.shortcut).toString(QKeySequence::NativeText);
    entries.push_back({model::Commands::plainText(command), menu == menus.end() ? QString() : menu->second,
                       keys,
                       [&window, name = command.name] {
                         window.trigger(name);
                         window.menus.refresh();
                       },
                       !command.enabled || command.enabled()});
  }
}

/// An analysis, and the inputs and parameters of the current one.
void addAnalysis(WindowParts& window, AnalysisPanel* panel, Entries& entries) {
  const Analysis& analysis = panel->presenter().analysis();
  const QString title = model::words(analysis.title);
  const bool isEnabled = !window.layers.empty();
  const auto select = [&window, name = QString::fromStdString(analysis.name)] {
    window.selectAnalysis(name);
  };
  entries.push_back({title, QObject::tr("analysis"), {}, select, isEnabled});
  if (&panel->presenter() != window.workspace.presenters().current()) return;
  for (const InputSlot& slot : analysis.inputs)
    entries.push_back({model::words(slot.label),
                       QObject::tr("input of %1").arg(title),
                       {},
                       [select, panel, slot = slot.name] {
                         select();
                         panel->focusInput(slot);
                       },
                       isEnabled});
  for (const OptionInfo& option : analysis.options) {
    if (panel->form()->editor(option.name)->parentWidget()->isHidden()) continue;  // without effect now
    entries.push_back({model::words(option.label),
                       QObject::tr("parameter of %1").arg(title),
                       {},
                       [select, panel, option = option.name] {
                         select();
                         panel->focusOption(option);
                       },
                       isEnabled});
  }
}

/// The layers, the top one first, and then the labels of those that have any.
void addLayers(WindowParts& window, Entries& entries) {
  const auto show = [&window](model::LayerId id) {
    window.sides.setWanted(Side::layers, true);
    window.layers.setCurrent(id);
  };
  const auto& layers = window.layers.layers();
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
    entries.push_back({layer->name,
                       QObject::tr("layer, %1").arg(model::kindText(*layer->layer)),
                       {},
                       [show, id = layer->id] { show(id); }});
  for (const model::LayerState& layer : layers) {
    const auto labels = window.workspace.evaluation().labelLists.of(layer);
    if (!labels) continue;
    for (const model::ListedLabels::Entry& one : labels->labels)
      entries.push_back({one.name,
                         QObject::tr("label of %1").arg(layer.name),
                         {},
                         [&window, show, id = layer.id, label = one.label] {
                           show(id);
                           window.properties->labels().choose(label);
                         }});
  }
}

Entries searchEntries(WindowParts& window) {
  Entries entries;
  addCommands(window, entries);
  for (AnalysisPanel* panel : window.analysisPanels) addAnalysis(window, panel, entries);
  if (const model::LayerState* current = window.current())
    addFields(
        *window.properties->findChild<QFormLayout*>(), QObject::tr("of %1").arg(current->name),
        [&window] { window.sides.setWanted(Side::layers, true); }, entries);
  for (const model::Bookmarks::Entry& place : window.workspace.bookmarks().all())
    entries.push_back(
        {place.name, QObject::tr("bookmark"), {}, [&window, at = place.at] { window.view.lookAt(at); }});
  for (const QString& plot : window.workspace.evaluation().plots.names())
    entries.push_back({model::words(plot.toStdString()), QObject::tr("plot"), {}, [&window, plot] {
                         window.showLower(window.plotsPanel);
                         window.workspace.evaluation().plots.setCurrent(plot);
                       }});
  addLayers(window, entries);
  for (const auto& [title, page] : helpPages())
    entries.push_back(
        {title, QObject::tr("help"), {}, [&window, page = page] { showHelpPage(&window.widget, page); }});
  return entries;
}

}  // namespace

void addSearchCommand(WindowParts& window) {
  auto* palette = new CommandPalette(&window.widget);
  QObject::connect(&window.workspace.evaluation().labelLists, &model::LabelLists::listed, &window.widget,
                   [&window, palette] {
                     if (palette->isVisible()) palette->offer(searchEntries(window));
                   });
  window.commands.add("edit.search", QObject::tr("&Search everything…"), "Ctrl+K",
                      [&window, palette] { palette->open(searchEntries(window)); });
}

}  // namespace sulcus::ui::widgets
