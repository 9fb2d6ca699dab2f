#pragma once

#include "core/base/parallel/job_queue.h"
#include "ui/model/choices/analysis_presenter.h"

#include <QObject>
#include <QString>
#include <functional>
#include <string>

namespace sulcus::ui::model {

class Workspace;

/// Chooses the GPU for later runs; called on the thread that computes them.
struct ChooseGpu {
  std::function<void(int)> index;                 ///< among the local ones
  std::function<void(const std::string&)> place;  ///< for what this thread does next; "": this machine
  /// Installs the program on a remote machine and reports what is available there; throws Error. Called on
  /// the file thread.
  std::function<std::string(const std::string&, const Progress&)> setUp;
  std::function<void(const std::string&)> check;  ///< throws Error for an invalid place
};

/// The processors that runs may use: those of this machine, and the remote machines of the preferences.
class Processors : public QObject {
  Q_OBJECT
 public:
  /// All must outlive this. `devices` is called on the queue `local`.
  Processors(Workspace& workspace, std::function<DeviceReport()> devices, const ChooseGpu& choose,
             JobQueue& local, JobQueue& remote);

  /// Queries the chosen ones; known() follows. Repeated after every run, which changes the free memory.
  void ask();
  /// Adds a remote machine to the preferences. Throws Error for text that does not name one.
  void addHost(const QString& place);
  /// Removes it; if its GPU was in use, the local one is used instead.
  void removeHost(const QString& place);
  /// GPU runs are made there from now on; "": on this machine.
  void chooseHost(const QString& place);
  /// Installs the program on a remote machine; hostSetUp() or a failure follows.
  void setUpHost(const QString& place);

 signals:
  void known(const QString& processor, const DeviceReport& report);
  void hostSetUp(const QString& found);

 private:
  Workspace& workspace_;
  std::function<DeviceReport()> devices_;
  ChooseGpu choose_;
  JobQueue &local_, &remote_;
};

}  // namespace sulcus::ui::model
