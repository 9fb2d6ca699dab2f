// What the palette offers: every action, every analysis with its inputs and parameters, what can be changed
// of the current layer, every plot, layer and label, every page of the help.
#include "ui/model/layers/layer_list_model.h"
#include "ui/model/text/localize.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/panels/analysis_panel.h"
#include "ui/widgets/panels/label_list.h"
#include "ui/widgets/panels/layer_properties.h"
#include "ui/widgets/panels/layers_panel.h"
#include "ui/widgets/panels/plots_panel.h"
#include "ui/widgets/window/command_palette.h"
#include "ui/widgets/window/help_pages.h"
#include "ui/widgets/window/main_window.h"

#include <QAction>
#include <QCheckBox>
#include <QFormLayout>
#include <QKeySequence>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>

namespace sulcus::ui::widgets {
namespace {

/// The titles of the menus in which actions stand, "View" and "View, 3D view from", by the name of the
/// action.
void nameMenus(const QMenu& menu, const QString& above, std::map<QString, QString>& menus) {
  const QString title = QString(menu.title()).remove(QLatin1Char('&'));
  const QString path = above.isEmpty() ? title : above + QStringLiteral(", ") + title;
  for (const QAction* action : menu.actions()) {
    if (action->menu()) nameMenus(*action->menu(), path, menus);
    if (!action->objectName().isEmpty()) menus.emplace(action->objectName(), path);
  }
}

/// A field that takes the keys, of a row of a form.
QWidget* focusable(QWidget* row) {
  if (row->focusPolicy() & Qt::TabFocus) return row;
  for (QWidget* child : row->findChildren<QWidget*>())
    if (child->focusPolicy() & Qt::TabFocus && !child->isHidden()) return child;
  return nullptr;
}

/// Rows of a form that are there: switches are switched, other fields get the keys after `show`.
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
    entries.push_back({check   ? check->text()
                       : label ? label->text()
                               : field->accessibleName(),
                       kind,
                       {},
                       [show, check, field] {
                         show();
                         check ? check->click() : field->setFocus(Qt::ShortcutFocusReason);
                       }});
  }
}

}  // namespace

void MainWindow::addSearchCommand() {
  palette_ = new CommandPalette(this);
  connect(&workspace_.labelLists(), &model::LabelLists::listed, this, [this] {
    if (palette_->isVisible()) palette_->offer(searchEntries());
  });
  commands_.add({QStringLiteral("edit.search"), tr("&Search everything…"), QStringLiteral("Ctrl+K"),
                 [this] { palette_->open(searchEntries()); }});
}

std::vector<model::SearchEntry> MainWindow::searchEntries() {
  std::vector<model::SearchEntry> entries;
  std::map<QString, QString> menus;
  for (const QAction* top : menuBar()->actions())
    if (top->menu()) nameMenus(*top->menu(), {}, menus);
  for (const model::Command& command : commands_.all()) {
    if (command.name == QStringLiteral("edit.search")) continue;
    const auto menu = menus.find(command.name);
    const QString keys = QKeySequence(command.shortcut).toString(QKeySequence::NativeText);
    entries.push_back({model::Commands::plainText(command), menu == menus.end() ? QString() : menu->second,
                       keys,
                       [this, name = command.name] {
                         trigger(name);
                         refreshActions();
                       },
                       !command.enabled || command.enabled()});
  }
  for (AnalysisPanel* panel : panels_) {
    const Analysis& analysis = panel->presenter().analysis();
    const QString title = model::words(analysis.title), name = QString::fromStdString(analysis.name);
    const auto select = [this, name] { selectAnalysis(name); };
    entries.push_back({title, tr("analysis"), {}, select, !layers_.empty()});
    if (&panel->presenter() != workspace_.current()) continue;
    for (const InputSlot& slot : analysis.inputs)
      entries.push_back({model::words(slot.label),
                         tr("input of %1").arg(title),
                         {},
                         [select, panel, slot = slot.name] {
                           select();
                           panel->focusInput(slot);
                         },
                         !layers_.empty()});
    for (const OptionInfo& option : analysis.options)
      entries.push_back({model::words(option.label),
                         tr("parameter of %1").arg(title),
                         {},
                         [select, panel, option = option.name] {
                           select();
                           panel->focusOption(option);
                         },
                         !layers_.empty()});
  }
  if (const model::LayerState* current = layers_.find(layers_.current()))
    addFields(
        *properties_->findChild<QFormLayout*>(), tr("of %1").arg(current->name),
        [this] { setWanted(layersSide_, true); }, entries);
  for (const model::Bookmarks::Place& place : workspace_.bookmarks().places())
    entries.push_back({place.name, tr("kept place"), {}, [this, at = place.at] { view_.lookAt(at); }});
  for (const QString& plot : workspace_.plots().names())
    entries.push_back({model::words(plot.toStdString()), tr("plot"), {}, [this, plot] {
                         setWanted(bottomSide_, true);
                         bottom_->open(plotsPanel_);
                         workspace_.plots().setCurrent(plot);
                       }});
  const auto& layers = layers_.layers();
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
    entries.push_back(
        {layer->name, tr("layer, %1").arg(model::kindText(*layer->layer)), {}, [this, id = layer->id] {
           setWanted(layersSide_, true);
           layers_.setCurrent(id);
         }});
  for (const model::LayerState& layer : layers_.layers()) {
    const auto labels = workspace_.labelLists().of(layer);
    if (!labels) continue;
    for (const model::ListedLabels::One& one : labels->labels)
      entries.push_back(
          {one.name, tr("label of %1").arg(layer.name), {}, [this, id = layer.id, label = one.label] {
             setWanted(layersSide_, true);
             layers_.setCurrent(id);
             properties_->labels().choose(label);
           }});
  }
  for (const auto& [title, page] : helpPages())
    entries.push_back({title, tr("help"), {}, [this, page = page] { showHelpPage(this, page); }});
  return entries;
}

}  // namespace sulcus::ui::widgets
