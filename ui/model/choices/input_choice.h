#pragma once

#include "core/analysis/analysis.h"
#include "ui/model/choices/option_choice.h"
#include "ui/model/layers/layer_stack.h"

#include <QObject>
#include <QString>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace sulcus::ui::model {

/// The layers that are chosen for the input slots of an analysis. A layer that is opened is taken by a slot
/// that accepts it and is empty; no layer replaces a choice. Lives on the UI thread.
class InputChoice : public QObject {
  Q_OBJECT
 public:
  /// All must outlive this. `options` say which slots are used.
  InputChoice(const Analysis& analysis, const OptionChoice& options, LayerStack& layers);

  /// The slot of this name, or null.
  const InputSlot* slotNamed(const std::string& name) const;
  /// Layers that a slot accepts, topmost first.
  std::vector<LayerId> fitting(const InputSlot& slot) const;
  /// The first layer chosen for a slot, or 0.
  LayerId first(const std::string& slot) const;
  /// All layers chosen for a slot, in their order.
  std::vector<LayerId> of(const std::string& slot) const;
  /// The layers chosen, by slot; slots without a choice are absent.
  const std::multimap<std::string, LayerId>& ids() const { return chosen_; }
  bool isChosen(LayerId id) const;
  /// Their contents.
  AnalysisInputs contents() const;
  /// The scan being analyzed: the layer of the first slot that has one, or null.
  const LayerState* scan() const;

  /// Chooses a layer that fits, or none with 0; anything else is ignored. Slots that exclude this one are
  /// emptied.
  void choose(const std::string& slot, LayerId id);
  /// Like choose() for a slot that takes several layers; those that do not fit are left out.
  void choose(const std::string& slot, const std::vector<LayerId>& ids);
  /// Adds a layer to a slot that takes several; replaces the layer of any other slot.
  void add(const std::string& slot, LayerId id);
  /// Gives a slot that took its layer automatically another one that fits; false if there is none.
  bool replaceAutomatic(LayerId id);
  /// The slots that took their layer automatically.
  const std::set<std::string>& automatic() const { return automatic_; }
  /// Whether none of the layers was chosen by the user.
  bool isAutomatic() const;
  /// Takes layers that were chosen before, without a signal; those that are gone or do not fit are left out.
  void restore(const std::multimap<std::string, LayerId>& ids, const std::set<std::string>& automatic);
  /// Takes layers for slots whose option was turned on, and empties those that nobody chose where it is off.
  void followOptions();

  /// Which slots must be filled before a run, as a message; "": none.
  QString missing() const;

 signals:
  void changed();         ///< the choice, or the layers that can be chosen
  void contentChanged();  ///< the layers chosen, or their contents

 private:
  using SlotFilter = std::function<bool(const InputSlot&)>;
  /// Puts a layer that is chosen nowhere into the first empty slot that accepts it automatically, among those
  /// that `into` allows.
  bool takeAutomatically(LayerId id, const SlotFilter& into);
  bool takesAutomatically(const InputSlot& slot, const Layer& layer) const;
  void layerAdded(LayerId id);
  void layerChanged(LayerId id);
  void updateLayer(LayerId id);
  /// Whether the option that uses the layers of a slot is on.
  bool isUsed(const InputSlot& slot) const;
  bool belongsToChosen(const InputSlot& slot, const Layer& layer) const;
  /// Whether a slot that excludes this one is filled.
  bool hasAlternative(const InputSlot& slot) const;
  /// By slot: whether it accepts a layer.
  std::vector<bool> acceptedBy(LayerId id) const;
  /// The labels of all slots of which one must be given, as text: "“Design matrix” or “Events”".
  QString labelsOf(const std::string& oneOf) const;

  const Analysis& analysis_;
  const OptionChoice& options_;
  LayerStack& layers_;
  std::multimap<std::string, LayerId> chosen_;
  std::set<std::string> automatic_;
  std::set<std::string> emptied_;  ///< slots that the user emptied
  /// By layer: which slots accept it; determined once per content, since all values of a layer may be
  /// checked.
  std::map<LayerId, std::vector<bool>> accepted_;
  bool offerDiffers_ = false;  ///< whether the available layers have changed since changed()
};

}  // namespace sulcus::ui::model
