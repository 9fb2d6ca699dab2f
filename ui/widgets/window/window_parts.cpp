#include "ui/widgets/window/window_parts.h"

#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/panels/analysis_panel.h"
#include "ui/widgets/panels/table_window.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QLineEdit>
#include <QTabWidget>

namespace sulcus::ui::widgets {

void WindowParts::takeTyped() {
  QWidget* const field = QApplication::focusWidget();
  if (auto* number = qobject_cast<QAbstractSpinBox*>(field))
    number->interpretText();
  else if (auto* line = qobject_cast<QLineEdit*>(field); line && line->isModified())
    emit line->editingFinished();
}

bool WindowParts::trigger(const QString& command) {
  takeTyped();
  return commands.trigger(command);
}

AnalysisPanel* WindowParts::panelOf(const QString& analysis) const {
  for (AnalysisPanel* panel : analysisPanels)
    if (QString::fromStdString(panel->presenter().analysis().name) == analysis) return panel;
  return nullptr;
}

void WindowParts::selectAnalysis(const QString& analysis) {
  if (AnalysisPanel* wanted = panelOf(analysis)) {
    workspace.presenters().keepCurrent();
    sides.setWanted(Side::analysis, true);
    analysisTabs->setCurrentWidget(wanted);
  }
}

void WindowParts::showLower(QWidget* page) {
  sides.setWanted(Side::lower, true);
  lower->open(page);
}

void WindowParts::showTableOf(model::LayerId id) {
  showTable(&widget, layers, workspace.bookmarks(), id,
            [this](const Vec3<double>& place) { view.lookAt(place); });
}

}  // namespace sulcus::ui::widgets
