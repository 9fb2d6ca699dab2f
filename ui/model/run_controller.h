#pragma once

#include "core/analysis/analysis.h"
#include "core/base/job_queue.h"
#include "ui/model/analysis_presenter.h"
#include "ui/model/job_list_model.h"
#include "ui/model/layer_stack.h"

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace sulcus::ui {

/// A finished run: what it was given, what it gave, and where that is on screen.
struct Run {
  int id = 0;
  const Analysis* analysis = nullptr;
  Backend backend = Backend::cpu;
  int number = 1;  ///< among the runs on this backend whose results are there
  QString title;   ///< "CPU", "GPU", "CPU 2"
  AnalysisInputs inputs;
  std::map<std::string, LayerId> inputIds;
  OptionValues options;
  std::shared_ptr<const RunResult> result;
  std::vector<LayerId> layers;  ///< in the order of result->layers
};
using RunPtr = std::shared_ptr<const Run>;

/// Two runs of one analysis held against each other.
struct ComparedRuns {
  RunPtr a, b;
  Comparison comparison;
  std::vector<AgreementRow> truthA, truthB;  ///< empty without truth
  LayerId difference = 0;
};
using ComparedPtr = std::shared_ptr<const ComparedRuns>;

/// Starts analyses on the computing queue and puts their results on the stack. Lives on the UI thread.
class RunController : public QObject {
  Q_OBJECT
 public:
  /// All three must outlive this; the queue must post to this thread.
  RunController(LayerStack& layers, JobListModel& jobs, JobQueue& computing, QObject* parent = nullptr);

  /// Runs with the present choices; for `both` also compares. Call only when whyNot(choice) is empty.
  void start(const AnalysisPresenter& presenter, RunChoice choice);
  /// Compares two finished runs of the same analysis.
  void compare(RunPtr a, RunPtr b);

  const std::vector<RunPtr>& runs() const { return runs_; }
  RunPtr run(int id) const;
  /// The run that made a layer, or null.
  RunPtr runOf(LayerId id) const;
  /// Runs and comparisons that are not over.
  int pending() const { return pending_; }

 signals:
  void finished(sulcus::ui::RunPtr run);
  /// runs() is longer or shorter: a run goes when the last of its layers is removed.
  void runsChanged();
  void compared(sulcus::ui::ComparedPtr comparison);
  /// Once per failed job; the sentence is fit for a dialog.
  void failed(const QString& jobName, const QString& sentence);
  /// pending() has become 0.
  void idle();

 private:
  struct Order;
  void submit(std::shared_ptr<const Order> order);
  /// Runs `recipe` with what is now on the stack under its input ids.
  void again(const Run& recipe);
  void forget(LayerId removed);
  bool inputsUnchanged(const Run& run) const;
  /// Null when the result had to be dropped.
  RunPtr deliver(const Order& order, JobId job, RunResult result);
  void over(JobId job, const QString& name, const JobReport& report);

  LayerStack& layers_;
  JobListModel& jobs_;
  JobQueue& computing_;
  std::vector<RunPtr> runs_;
  int nextRun_ = 1;
  int pending_ = 0;
};

}  // namespace sulcus::ui
