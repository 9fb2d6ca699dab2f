#pragma once

#include "core/analysis/analysis.h"
#include "ui/model/choices/analysis_presenter.h"
#include "ui/model/layers/layer_stack.h"

#include <QObject>
#include <QString>
#include <memory>
#include <vector>

namespace sulcus::ui::model {

/// The presenters of all analyses, and which of them is in front. Until the user chooses one, that is the one
/// that can be run and uses most of what is open. Lives on the UI thread.
class Presenters : public QObject {
  Q_OBJECT
 public:
  /// Both must outlive this.
  Presenters(const std::vector<Analysis>& analyses, LayerStack& layers);

  /// One for each analysis, in their order.
  const std::vector<std::unique_ptr<AnalysisPresenter>>& all() const { return all_; }
  /// The presenter of an analysis by its name, or null.
  AnalysisPresenter* named(const QString& analysis) const;
  /// The first of an analysis whose lines grow while the user looks, or null.
  AnalysisPresenter* withGrowth() const;
  /// The one whose tab is in front: it is run, and its inputs are shown. Null only without analyses.
  AnalysisPresenter* current() const { return current_; }
  /// Called when the user chooses an analysis: until everything is closed, opening layers brings no other to
  /// the front.
  void choose(AnalysisPresenter* presenter);
  /// Like choose() with the one in front.
  void keepCurrent();
  /// Until files are opened: an example chose the analysis, not the user.
  void keepForExample();
  /// Files were opened: the one that fits them comes to the front if an example had chosen.
  void endExample();
  /// Uses a table that lies beside a scan wherever the scan is an input and the slot for it is empty.
  ///
  /// @param role the name of that slot
  void takeBeside(LayerId table, const QString& role, LayerId scan);

 signals:
  void currentChanged();
  void chosen();  ///< the user has chosen the one in front, which may have been there before
  /// The one in front was not chosen by the user: its inputs are not shown yet.
  void suggested();

 private:
  void raise(AnalysisPresenter* presenter);
  /// How many of the volumes that were opened are inputs of it; any other layer counts as one.
  int volumesUsed(const AnalysisPresenter& presenter) const;
  void raiseFitting();

  LayerStack& layers_;
  std::vector<std::unique_ptr<AnalysisPresenter>> all_;
  AnalysisPresenter* current_ = nullptr;
  bool kept_ = false, raising_ = false;  ///< the analysis in front was chosen; one that fits will be searched
  bool ofExample_ = false;               ///< an example chose it
};

}  // namespace sulcus::ui::model
