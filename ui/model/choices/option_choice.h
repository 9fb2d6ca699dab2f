#pragma once

#include "core/analysis/analysis.h"

#include <QObject>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sulcus::ui::model {

/// The options of an analysis that are chosen, and its presets, those of the user among them. Lives on the UI
/// thread.
class OptionChoice : public QObject {
  Q_OBJECT
 public:
  /// Has the defaults. `analysis` must outlive this.
  explicit OptionChoice(const Analysis& analysis);

  const OptionValues& values() const { return values_; }
  /// Throws Error (usage) for an unknown name, type or a value out of range.
  void set(const std::string& name, const OptionValue& value) { set({{name, value}}); }
  void set(const OptionValues& values);  ///< either all or, if one is invalid, none of them
  /// All options, with these values set; throws like set().
  OptionValues with(const OptionValues& values) const;
  void reset();
  /// Takes values that were chosen before, without a signal.
  void restore(const OptionValues& values) { values_ = values; }

  /// Which preset the options correspond to, see presetOf().
  std::optional<std::string> preset() const;
  /// Sets all options as in the preset of this name ("": all defaults); those it does not name get their
  /// defaults.
  void setPreset(const std::string& name);
  /// Sets all options as in a parameter file for --params; those it does not name get their defaults. Throws
  /// Error for an unknown name or an invalid value, and then changes nothing.
  void takeParameters(const OptionValues& given);
  /// The user's presets, in addition to those of the analysis.
  const std::vector<Preset>& ownPresets() const { return ownPresets_; }
  void setOwnPresets(std::vector<Preset> presets);
  /// Saves the current options under a name, replacing a user preset of that name. Throws Error (usage) for
  /// the name of a preset of the analysis and for an empty name.
  void savePreset(const std::string& name);
  /// Removes a user preset; no effect on others.
  void removePreset(const std::string& name);

 signals:
  /// These options, or any of them if empty, have other values.
  void changed(const std::set<std::string>& names);
  void presetsChanged();

 private:
  const Analysis& analysis_;
  OptionValues values_;
  std::vector<Preset> ownPresets_;
};

/// Which preset the options of an analysis correspond to: its name, "" for the defaults, none for any others.
/// Options marked `adjustable` count only if the preset names them, since changing them on a result is not a
/// different way to compute it.
///
/// @param own the user's presets, in addition to those of the analysis
std::optional<std::string> presetOf(const Analysis& analysis, const OptionValues& options,
                                    const std::vector<Preset>& own = {});
/// Without the options that are applied to a finished result.
OptionValues optionsOfRun(const Analysis& analysis, OptionValues options);
/// The default values of a list of options.
OptionValues defaultsOf(const std::vector<OptionInfo>& options);

}  // namespace sulcus::ui::model
