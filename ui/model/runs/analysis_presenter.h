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

/// What the three run buttons of a panel do.
enum class RunChoice { cpu, gpu, both };

/// What is known about GPUs so far: nothing until the first report has come.
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

  /// Layers a slot accepts, top of the stack first.
  std::vector<LayerId> fitting(const InputSlot& slot) const;
  /// The first layer chosen for a slot, or 0.
  LayerId input(const std::string& slot) const;
  /// All layers chosen for a slot, in their order.
  std::vector<LayerId> inputsOf(const std::string& slot) const;
  /// Chooses a layer that fits, or none by 0; anything else is ignored. Slots that cannot be given beside
  /// this one are emptied.
  void setInput(const std::string& slot, LayerId id);
  /// As setInput() for a slot that takes many layers; those that do not fit are left out.
  void setInputs(const std::string& slot, const std::vector<LayerId>& ids);
  /// Gives a slot that took its layer unasked another one that fits; false where there is none.
  bool takeInstead(LayerId id);
  /// Adds a layer to a slot that takes many; replaces the layer of any other.
  void addInput(const std::string& slot, LayerId id);
  /// The chosen layers; slots without a choice are absent.
  AnalysisInputs inputs() const;
  std::multimap<std::string, LayerId> inputIds() const { return chosen_; }
  /// Whether the user chose none of them.
  bool takesUnasked() const;

  /// All that is chosen.
  struct Choices {
    std::multimap<std::string, LayerId> inputs;
    std::set<std::string> unasked;  ///< slots that took their layer without being asked
    OptionValues options;

    friend bool operator==(const Choices&, const Choices&) = default;
  };
  Choices choices() const { return {chosen_, unasked_, options_}; }
  /// Takes choices that were made before; layers that are gone or do not fit are left out. No result is
  /// adjusted.
  void restore(const Choices& choices);

  const OptionValues& options() const { return options_; }
  /// Throws Error (usage) for an unknown name, type or a value out of range.
  void setOption(const std::string& name, const OptionValue& value);
  void setOptions(const OptionValues& values);  ///< all or, when one is wrong, none of them
  /// All options with these values in them; throws as setOption() does.
  OptionValues optionsWith(const OptionValues& values) const;
  void resetOptions();
  /// A scan as it is known in other sessions, too.
  struct ScanName {
    QString name;  ///< of its layer
    QString file;  ///< "" of one that no file holds

    friend bool operator==(const ScanName&, const ScanName&) = default;
  };
  /// The scan in view of which the options were chosen.
  const ScanName& chosenFor() const { return chosenFor_; }
  void setChosenFor(const ScanName& scan) { chosenFor_ = scan; }
  /// Which scan's options, other than the defaults, are still set while another one is chosen; "": none.
  QString keptFrom() const;
  /// Which preset the options are: its name, "" for the defaults, nothing for any others. Options marked
  /// `afterwards` count only where the preset names them: looking at a result is no other way to get it.
  std::optional<std::string> preset() const;
  /// All options as in the preset of this name ("": all defaults); those it does not name get their defaults.
  void setPreset(const std::string& name);
  /// All options as a parameter file has them, as --params takes it; those that it does not name get their
  /// defaults. Throws Error for a name or a value that there is not, and changes nothing then.
  void takeParameters(const OptionValues& given);
  /// The user's presets, beside those of the analysis.
  const std::vector<Preset>& ownPresets() const { return ownPresets_; }
  void setOwnPresets(std::vector<Preset> presets);
  /// Keeps the present options under a name, in the place of an own preset of that name. Throws Error (usage)
  /// for the name of a preset of the analysis, and for none.
  void savePreset(const std::string& name);
  /// Removes an own preset; others stay.
  void removePreset(const std::string& name);
  /// bytes that a run may need on the computer; 0: all that are free.
  void setMemoryLimit(double bytes);

  /// Whether a change of the choices runs the analysis again.
  bool live() const { return live_; }
  void setLive(bool on);

  /// Why the inputs cannot be shown as the present choice takes them; "": they can. Part of the advice.
  void setInputFault(const QString& sentence);
  /// The ranges in which numbers are worth choosing for these inputs, by option name.
  void setSpans(const std::map<std::string, Range>& spans);
  const std::map<std::string, Range>& spans() const { return spans_; }

  void setDevices(const DeviceState& devices);
  const DeviceState& devices() const { return devices_; }

  /// Where the GPU stands, see remote_hosts.h; "": here.
  void setGpuHost(const QString& place);
  const QString& gpuHost() const { return gpuHost_; }

  /// Empty when the button can be pressed, else the sentence to show beside it.
  QString whyNot(RunChoice choice) const;
  /// What the analysis says about the present choice; may be empty.
  QString advice() const;
  /// "Needs 120 MB (GPU: 80 MB of 139 GB free)"; empty until the inputs are chosen.
  QString memoryLine() const;
  /// The sulcus-cli call that does the same; layers without a file appear under the name they would be saved
  /// as.
  QString commandLine(RunChoice choice) const;
  /// The call that runs the analysis with the present parameters on all of a study.
  QString studyCommandLine(const QString& study) const;

 signals:
  void inputsChanged();  ///< a choice, or what there is to choose from
  void optionsChanged();
  /// Options that are marked so, those that changed; follows optionsChanged.
  void adjustableChanged(const OptionValues& changed);
  void spansChanged();
  void presetsChanged();
  void liveChanged();
  void readinessChanged();  ///< whyNot, advice or memoryLine may differ; follows the other two as well

 private:
  /// Puts a layer that is chosen nowhere into the first empty slot that takes it unasked, of those that
  /// `into` allows.
  bool takeUnasked(LayerId id, const std::function<bool(const InputSlot&)>& into);
  void layerAdded(LayerId id);
  void layerGone(LayerId id);
  void contentChanged(LayerId id);
  const InputSlot* slotNamed(const std::string& name) const;
  /// The slots that cannot be given beside this one.
  std::vector<const InputSlot*> insteadOf(const InputSlot& slot) const;
  std::vector<bool> fitsOf(LayerId id) const;
  QString missingInput() const;
  /// The labels of all slots of which one must be given, in words: "“Design matrix” or “Events”".
  QString labelsOf(const std::string& oneOf) const;
  /// What the analysis says of advice and memory, or why it would refuse to run. It is asked once per change,
  /// because it may read whole images.
  struct Validation {
    QString advice, refusal;
    MemoryNeed need;
  };
  const Validation& validation() const;
  void changed();
  /// What is worked on: the layer of the first slot that has one.
  ScanName scan() const;

  const Analysis& analysis_;
  LayerStack& layers_;
  std::multimap<std::string, LayerId> chosen_;
  std::set<std::string> unasked_;    ///< slots that took their layer without being asked
  std::set<std::string> leftEmpty_;  ///< slots that were emptied by choice
  /// By slot: which layers are offered for which; known once for each content, as all numbers of a layer may
  /// be checked.
  std::map<LayerId, std::vector<bool>> fits_;
  OptionValues options_;
  ScanName chosenFor_;
  std::vector<Preset> ownPresets_;
  double memoryLimit_ = 0;
  bool live_ = false;
  DeviceState devices_;
  QString gpuHost_;
  QString inputFault_;
  std::map<std::string, Range> spans_;
  mutable std::optional<Validation> validation_;
  bool offerDiffers_ = false;  ///< what there is to choose from, since inputsChanged()
};

/// Without the options of an analysis that are applied to a finished result.
OptionValues optionsOfRun(const Analysis& analysis, OptionValues options);
/// The default values of a list of options.
OptionValues defaultsOf(const std::vector<OptionInfo>& options);
/// "1.5 GB"
QString formatBytes(double bytes);

}  // namespace sulcus::ui::model
