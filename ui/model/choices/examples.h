#pragma once

#include "core/analysis/analysis.h"
#include "core/base/parallel/job_queue.h"

#include <QObject>
#include <QString>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sulcus::ui::model {

class Workspace;
struct Run;

/// A scan that comes with the program, and what to do with it: one picture on the start page.
struct Example {
  std::string name;                        ///< "surface": also the name of its picture
  std::string title;                       ///< "White matter"
  std::string summary;                     ///< one line: what there is to see
  std::string analysis = {};               ///< name of the analysis to run; "": none
  OptionValues options = {};               ///< for the run; the others have their defaults
  std::vector<std::string> shown = {};     ///< visible layers of the result; empty: those that the run shows
  std::string layout = "view.grid";        ///< layout command of the window
  std::optional<Vec3<double>> place = {};  ///< crosshair position, mm RAS+
  /// Loads the layers by slot, or under kOnlyShown. Called on a worker.
  std::function<AnalysisInputs(const Progress&)> load = {};
};

/// The slot of layers that are not an input of any analysis.
inline constexpr const char kOnlyShown[] = "";

/// Opens examples and runs their analyses. Lives on the UI thread.
class Examples : public QObject {
  Q_OBJECT
 public:
  /// `workspace` must outlive this.
  Examples(Workspace& workspace, std::vector<Example> all);

  const std::vector<Example>& all() const { return all_; }
  /// Loads an example and runs its analysis with the options it names; no effect for an unknown name.
  void open(const QString& name);

 signals:
  void loaded(const sulcus::ui::model::Example& example);  ///< its layers are loaded, its run starts
  void shown(const sulcus::ui::model::Example& example);   ///< everything is on screen

 private:
  void deliver(const Example& example, const AnalysisInputs& inputs);
  void finished(const Run& run);

  Workspace& workspace_;
  std::vector<Example> all_;
  const Example* running_ = nullptr;  ///< until its run is over
  JobQueue loading_;
};

}  // namespace sulcus::ui::model
