#include "core/base/error.h"
#include "ui/jobs/picture_note.h"
#include "ui/model/comparison/comparison_model.h"
#include "ui/model/layers/chart_text.h"
#include "ui/model/session/file_names.h"
#include "ui/model/text/localize.h"
#include "ui/widgets/commands/commands.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/panels/plots_panel.h"
#include "ui/widgets/views/chart_view.h"
#include "ui/widgets/window/status_line.h"

namespace sulcus::ui::widgets {

void savePlot(WindowParts& window, const QString& format) {
  const model::PlotsModel& plots = window.workspace.evaluation().plots;
  const QString name = model::fileStem(plots.current()) + QLatin1Char('.') + format;
  const std::string note = jobs::plotNote(plots.current().toStdString(), plots.runs());
  if (format == QStringLiteral("png"))
    return savePicture(window, name, window.plotsPanel->chart()->printed(2), note);
  try {
    QByteArray bytes;
    if (format == QStringLiteral("csv"))
      bytes = model::chartCsv(plots.charts()).toUtf8();
    else
      bytes = format == QStringLiteral("svg") ? window.plotsPanel->chart()->svg()
                                              : window.plotsPanel->chart()->pdf();
    window.dialogs.askSave(QObject::tr("Save plot"), name,
                           QStringLiteral("%1 (*.%2)").arg(format.toUpper(), format),
                           [&window, bytes, note](const QString& file) {
                             window.files.saveBytes([bytes] { return bytes.toStdString(); }, file, note);
                           });
  } catch (const Error& fault) {
    showError(&window.widget, QObject::tr("Save plot"), model::localizeForWindow(fault.message()));
  }
}

/// Shows the lines of a cell of a connectome alone; all of them if these are shown already.
void showLinesBetween(WindowParts& window, const QString& first, const QString& second) {
  model::Dissection& dissection = window.workspace.editing().dissection;
  const std::string name = (first + QLatin1Char('-') + second).toStdString();
  for (const model::RunPtr& run : window.workspace.evaluation().plots.runs())
    for (const model::LayerId id : run->layers) {
      const auto& shown = dissection.shownGroup();
      if (shown && shown->layer == id && shown->name == name) {
        dissection.showAll();
        return window.status->showNote({});
      }
      if (!dissection.showGroup(id, name)) continue;
      window.layers.setVisible(id, true);
      window.view.lookAt(shown->place);
      return window.status->showNote(QObject::tr("%1 lines between %2 and %3; another click shows all lines")
                                         .arg(model::formatNumber(double(shown->lines)), first, second));
    }
  window.status->showNote(QObject::tr("No lines are open between %1 and %2").arg(first, second));
}

void addPlotCommands(WindowParts& window) {
  const std::tuple<const char*, QString, const char*> formats[] = {
      {"plot.savePng", QObject::tr("Save p&lot as PNG…"), "png"},
      {"plot.saveSvg", QObject::tr("Save plot as S&VG…"), "svg"},
      {"plot.savePdf", QObject::tr("Save plot as P&DF…"), "pdf"},
      {"plot.saveCsv", QObject::tr("Save plot as &numbers (CSV)…"), "csv"}};
  for (const auto& [name, text, format] : formats)
    window.commands.add(
        name, text, "", [&window, format = QLatin1String(format)] { savePlot(window, format); },
        [&window] { return !window.workspace.evaluation().plots.charts().empty(); });
}

}  // namespace sulcus::ui::widgets
