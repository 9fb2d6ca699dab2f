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

/// A scan that comes with the program, and what is done with it: one picture of the start page.
struct Example {
  std::string name;           ///< "surface": also that of its picture
  std::string title;          ///< "White matter"
  std::string summary;        ///< one line: what is seen
  std::string analysis = {};  ///< that is run, by its name; "": none
  OptionValues options = {};  ///< of the run; the others have their defaults
  std::vector<std::string> shown =
      {};                            ///< layers of the result that are seen; none: those that the run shows
  std::string layout = "view.grid";  ///< command of the window
  std::optional<Vec3<double>> place = {};  ///< where the crosshair stands, mm RAS+
  /// The layers by slot, or kOnlyShown. On a worker.
  std::function<AnalysisInputs(const Progress&)> load = {};
};

/// The slot of layers that no analysis takes.
inline constexpr const char kOnlyShown[] = "";

/// Opens examples and runs them. Lives on the UI thread.
class Examples : public QObject {
  Q_OBJECT
 public:
  /// `workspace` must outlive this.
  Examples(Workspace& workspace, std::vector<Example> all);

  const std::vector<Example>& all() const { return all_; }
  /// Loads an example and runs its analysis with the options it names; nothing for another name.
  void open(const QString& name);

 signals:
  void loaded(const sulcus::ui::model::Example& example);  ///< its layers are there, its run begins
  void shown(const sulcus::ui::model::Example& example);   ///< all is there

 private:
  void deliver(const Example& example, const AnalysisInputs& inputs);
  void finished(const Run& run);

  Workspace& workspace_;
  std::vector<Example> all_;
  const Example* running_ = nullptr;  ///< until its run is over
  JobQueue loading_;
};

}  // namespace sulcus::ui::model
