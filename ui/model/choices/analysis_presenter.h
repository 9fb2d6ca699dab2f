#pragma once

#include "core/analysis/analysis.h"
#include "ui/model/choices/input_choice.h"
#include "ui/model/choices/option_choice.h"
#include "ui/model/layers/layer_stack.h"

#include <QObject>
#include <QString>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sulcus::ui::model {

/// The actions of the three run buttons of a panel.
enum class RunChoice { cpu, gpu, both };

/// What is known about GPUs so far: nothing until the first report arrives.
struct DeviceState {
  bool known = false;
  DeviceReport report;
};

/// The choices made on one analysis tab and what follows from them: whether a run is possible, and what it
/// needs. Lives on the UI thread.
class AnalysisPresenter : public QObject {
  Q_OBJECT
 public:
  /// `analysis` and `layers` must outlive this.
  AnalysisPresenter(const Analysis& analysis, LayerStack& layers, QObject* parent = nullptr);

  const Analysis& analysis() const { return analysis_; }

  InputChoice& inputs() { return inputs_; }
  const InputChoice& inputs() const { return inputs_; }
  OptionChoice& options() { return options_; }
  const OptionChoice& options() const { return options_; }

  /// Everything that is chosen.
  struct Choices {
    std::multimap<std::string, LayerId> inputs;
    std::set<std::string> automatic;  ///< slots that took their layer automatically
    OptionValues options;

    friend bool operator==(const Choices&, const Choices&) = default;
  };
  Choices choices() const { return {inputs_.ids(), inputs_.automatic(), options_.values()}; }
  /// Restores earlier choices; layers that are gone or do not fit are left out. No result is adjusted.
  void restore(const Choices& choices);

  /// A scan as it can be recognized in other sessions.
  struct ScanName {
    QString name;  ///< of its layer
    QString file;  ///< "" if it is in no file

    friend bool operator==(const ScanName&, const ScanName&) = default;
  };
  /// The scan that was chosen when the options were set.
  const ScanName& chosenFor() const { return chosenFor_; }
  void setChosenFor(const ScanName& scan) { chosenFor_ = scan; }
  /// The scan whose options, other than the defaults, are still set while another one is chosen; "": none.
  QString keptFrom() const;
  /// Takes the parameters of an example, see OptionChoice::takeParameters(): they give way to the present
  /// ones as soon as there is another scan.
  void takeExampleParameters(const OptionValues& given);
  /// Whether the options are those of an example, which the user did not choose.
  bool areOfExample() const { return example_ && options_.values() == example_->options; }
  /// Bytes of host memory that a run may need; 0: all that are free.
  void setMemoryLimit(double bytes);

  /// Whether a change of the choices reruns the analysis.
  bool live() const { return live_; }
  void setLive(bool on);

  /// Why the inputs cannot be shown as currently interpreted; "": they can. Part of the advice.
  void setInputFault(const Message& fault);
  /// The useful ranges of numbers for these inputs, by option name.
  void setSpans(const std::map<std::string, Range>& spans);
  const std::map<std::string, Range>& spans() const { return spans_; }

  void setDevices(const DeviceState& devices);
  const DeviceState& devices() const { return devices_; }

  /// The place of the GPU, see remote_hosts.h; "": this machine.
  void setGpuHost(const QString& place);
  const QString& gpuHost() const { return gpuHost_; }

  /// Empty if the button can be pressed, else the message to show next to it.
  QString whyNot(RunChoice choice) const;
  /// What the analysis says about the current choice; may be empty.
  QString advice() const;
  /// "Needs 120 MB (GPU: 80 MB of 139 GB free)"; empty until the inputs are chosen.
  QString memoryLine() const;
  /// The equivalent sulcus-cli call; layers without a file appear under the name under which they would be
  /// saved.
  QString commandLine(RunChoice choice) const;
  /// The call that runs the analysis with the current parameters on a whole study.
  QString studyCommandLine(const QString& study) const;

 signals:
  /// The values of adjustable options that changed.
  void adjustableChanged(const OptionValues& changed);
  void spansChanged();
  void liveChanged();
  void readinessChanged();  ///< whyNot, advice or memoryLine may have changed; also when a choice has

 private:
  void optionsChanged(const std::set<std::string>& names);
  void inputsChanged();  ///< or what else a run depends on
  /// The analysis's advice and memory estimate, or why it would refuse to run. Requested once per change,
  /// because it may read whole images.
  struct Validation {
    QString advice, refusal;
    MemoryNeed need;
  };
  const Validation& validation() const;
  void leaveExample();
  ScanName scanName() const;  ///< of the scan being analyzed

  const Analysis& analysis_;
  LayerStack& layers_;
  OptionChoice options_;
  InputChoice inputs_;
  ScanName chosenFor_;
  std::optional<ScanName> restoredFor_;  ///< while values from before an example are restored: their scan
  /// The parameters that an example brought, and those before it.
  struct ExampleParameters {
    OptionValues options, before;
    ScanName chosenFor;
    LayerId scan = 0;
  };
  std::optional<ExampleParameters> example_;
  double memoryLimit_ = 0;
  bool live_ = false;
  DeviceState devices_;
  QString gpuHost_;
  QString inputFault_;
  std::map<std::string, Range> spans_;
  mutable std::optional<Validation> validation_;
};

/// "1.5 GB"
QString formatBytes(double bytes);

}  // namespace sulcus::ui::model
