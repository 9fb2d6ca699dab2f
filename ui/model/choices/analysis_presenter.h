#pragma once

#include "core/analysis/analysis.h"
#include "ui/model/layers/layer_stack.h"

#include <QObject>
#include <QString>
#include <functional>
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

/// The choices made on one analysis tab and what follows from them. Lives on the UI thread.
class AnalysisPresenter : public QObject {
  Q_OBJECT
 public:
  /// `analysis` and `layers` must outlive this.
  AnalysisPresenter(const Analysis& analysis, LayerStack& layers, QObject* parent = nullptr);

  const Analysis& analysis() const { return analysis_; }

  /// Layers that a slot accepts, topmost first.
  std::vector<LayerId> fitting(const InputSlot& slot) const;
  /// The first layer chosen for a slot, or 0.
  LayerId input(const std::string& slot) const;
  /// All layers chosen for a slot, in their order.
  std::vector<LayerId> inputsOf(const std::string& slot) const;
  /// Chooses a layer that fits, or none with 0; anything else is ignored. Slots that exclude this one are
  /// emptied.
  void setInput(const std::string& slot, LayerId id);
  /// Like setInput() for a slot that takes several layers; those that do not fit are left out.
  void setInputs(const std::string& slot, const std::vector<LayerId>& ids);
  /// Gives a slot that took its layer automatically another one that fits; false if there is none.
  bool takeInstead(LayerId id);
  /// Adds a layer to a slot that takes several; replaces the layer of any other slot.
  void addInput(const std::string& slot, LayerId id);
  /// The chosen layers; slots without a choice are absent.
  AnalysisInputs inputs() const;
  std::multimap<std::string, LayerId> inputIds() const { return chosen_; }
  /// Whether none of them was chosen by the user.
  bool takesUnasked() const;

  /// Everything that is chosen.
  struct Choices {
    std::multimap<std::string, LayerId> inputs;
    std::set<std::string> unasked;  ///< slots that took their layer automatically
    OptionValues options;

    friend bool operator==(const Choices&, const Choices&) = default;
  };
  Choices choices() const { return {chosen_, unasked_, options_}; }
  /// Restores earlier choices; layers that are gone or do not fit are left out. No result is adjusted.
  void restore(const Choices& choices);

  const OptionValues& options() const { return options_; }
  /// Throws Error (usage) for an unknown name, type or a value out of range.
  void setOption(const std::string& name, const OptionValue& value);
  void setOptions(const OptionValues& values);  ///< either all or, if one is invalid, none of them
  /// All options, with these values set; throws like setOption().
  OptionValues optionsWith(const OptionValues& values) const;
  void resetOptions();
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
  /// Which preset the options correspond to: its name, "" for the defaults, none for any others. Options
  /// marked `adjustable` count only if the preset names them, since changing them on a result is not a
  /// different way to compute it.
  std::optional<std::string> preset() const;
  /// Sets all options as in the preset of this name ("": all defaults); those it does not name get their
  /// defaults.
  void setPreset(const std::string& name);
  /// Sets all options as in a parameter file for --params; those it does not name get their defaults. Throws
  /// Error for an unknown name or an invalid value, and then changes nothing.
  void takeParameters(const OptionValues& given);
  /// Like takeParameters(), for the parameters of an example: they give way to the present ones as soon as
  /// there is another scan.
  void takeExampleParameters(const OptionValues& given);
  /// Whether the options are those of an example, which the user did not choose.
  bool areOfExample() const { return example_ && options_ == example_->options; }
  /// The user's presets, in addition to those of the analysis.
  const std::vector<Preset>& ownPresets() const { return ownPresets_; }
  void setOwnPresets(std::vector<Preset> presets);
  /// Saves the current options under a name, replacing a user preset of that name. Throws Error (usage) for
  /// the name of a preset of the analysis and for an empty name.
  void savePreset(const std::string& name);
  /// Removes a user preset; no effect on others.
  void removePreset(const std::string& name);
  /// Bytes of host memory that a run may need; 0: all that are free.
  void setMemoryLimit(double bytes);

  /// Whether a change of the choices reruns the analysis.
  bool live() const { return live_; }
  void setLive(bool on);

  /// Why the inputs cannot be shown as currently interpreted; "": they can. Part of the advice.
  void setInputFault(const QString& sentence);
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
  void inputsChanged();  ///< the choice, or the layers that can be chosen
  void optionsChanged();
  /// The values of adjustable options that changed; follows optionsChanged.
  void adjustableChanged(const OptionValues& changed);
  void spansChanged();
  void presetsChanged();
  void liveChanged();
  void readinessChanged();  ///< whyNot, advice or memoryLine may have changed; also follows the other two

 private:
  /// Puts a layer that is chosen nowhere into the first empty slot that accepts it automatically, among those
  /// that `into` allows.
  bool takeUnasked(LayerId id, const std::function<bool(const InputSlot&)>& into);
  void layerAdded(LayerId id);
  void layerGone(LayerId id);
  void contentChanged(LayerId id);
  const InputSlot* slotNamed(const std::string& name) const;
  bool takesUnasked(const InputSlot& slot, const Layer& layer) const;
  /// Whether the option that uses the layers of a slot is on.
  bool isUsed(const InputSlot& slot) const;
  /// Takes layers for slots whose option was turned on, and empties those that nobody chose where it is off.
  void followOptions();
  bool belongsToChosen(const InputSlot& slot, const Layer& layer) const;
  /// The slots that exclude this one.
  std::vector<const InputSlot*> insteadOf(const InputSlot& slot) const;
  std::vector<bool> fitsOf(LayerId id) const;
  QString missingInput() const;
  /// The labels of all slots of which one must be given, as text: "“Design matrix” or “Events”".
  QString labelsOf(const std::string& oneOf) const;
  /// The analysis's advice and memory estimate, or why it would refuse to run. Requested once per change,
  /// because it may read whole images.
  struct Validation {
    QString advice, refusal;
    MemoryNeed need;
  };
  const Validation& validation() const;
  void changed();
  void leaveExample();
  /// The scan being analyzed: the layer of the first slot that has one.
  ScanName scan() const;
  const LayerState* scanned() const;  ///< its layer; null if there is none

  const Analysis& analysis_;
  LayerStack& layers_;
  std::multimap<std::string, LayerId> chosen_;
  std::set<std::string> unasked_;    ///< slots that took their layer automatically
  std::set<std::string> leftEmpty_;  ///< slots that the user emptied
  /// By layer: which slots accept it; determined once per content, since all values of a layer may be
  /// checked.
  std::map<LayerId, std::vector<bool>> fits_;
  OptionValues options_;
  ScanName chosenFor_;
  /// The parameters that an example brought, and those before it.
  struct ExampleParameters {
    OptionValues options, before;
    ScanName chosenFor;
    LayerId scan = 0;
  };
  std::optional<ExampleParameters> example_;
  std::vector<Preset> ownPresets_;
  double memoryLimit_ = 0;
  bool live_ = false;
  DeviceState devices_;
  QString gpuHost_;
  QString inputFault_;
  std::map<std::string, Range> spans_;
  mutable std::optional<Validation> validation_;
  bool offerDiffers_ = false;  ///< whether the available layers have changed since inputsChanged()
};

/// Without the options that are applied to a finished result.
OptionValues optionsOfRun(const Analysis& analysis, OptionValues options);
/// The default values of a list of options.
OptionValues defaultsOf(const std::vector<OptionInfo>& options);
/// "1.5 GB"
QString formatBytes(double bytes);

}  // namespace sulcus::ui::model
