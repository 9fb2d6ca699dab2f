#pragma once

#include "core/base/parallel/job_queue.h"
#include "core/image/tracts/tract_measures.h"
#include "core/image/tracts/tract_regions.h"
#include "ui/model/layers/layer_stack.h"
#include "ui/model/layers/movable_regions.h"
#include "ui/model/runs/latest_job.h"
#include "ui/model/views/view_state.h"

#include <QObject>
#include <QString>
#include <QTimer>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace sulcus::ui::model {

/// A group of a layer's lines that is shown alone, until something else is chosen. Not part of what is kept.
struct ShownGroup {
  LayerId layer = 0;
  std::string name;
  std::size_t lines = 0;
  Vec3<double> place;  ///< amid one of them, mm RAS+
};

/// Bundles that are cut out of tracts by hand: spheres, boxes and painted labels that lines must meet, must
/// not meet or must end in. What is chosen stands in the layer (TractsLayer::bundles), so that undo, sessions
/// and files have it; while a region is dragged or painted, only what is seen follows. All work on lines is
/// done on the queue, the index of a layer first. Lives on the UI thread.
class Dissection : public QObject, public MovableRegions {
  Q_OBJECT
 public:
  /// All must outlive this. `queue` posts to this thread.
  Dissection(LayerStack& layers, ViewState& view, JobQueue& queue, QObject* parent = nullptr);
  ~Dissection() override;

  /// The layer whose lines are chosen: the current one, else the topmost of tracts, but none that grows; 0:
  /// none.
  LayerId target() const;
  /// Whether the lines of the target can be looked for quickly by now.
  bool isIndexed() const;
  const std::vector<Bundle>& bundles() const { return bundles_; }
  /// The bundle in hand, whose regions are seen; −1: none.
  int bundle() const { return bundle_; }
  int region() const { return region_; }
  /// Of a bundle: what its lines are like; nullopt while that is being computed.
  struct Facts {
    TractSummary summary;
    double volume = 0;  ///< mm³
  };
  std::optional<Facts> facts(int bundle) const;

  void choose(int bundle, int region = -1);
  /// A bundle without regions, which is all lines, and takes it in hand.
  void addBundle();
  void removeBundle(int bundle);
  void rename(int bundle, const QString& name);
  void setVisible(int bundle, bool visible);
  /// To the bundle in hand, which is made where there is none.
  void addRegion(TractRegion::Shape shape, TractRegion::Role role, const Vec3<double>& center, double reach);
  /// Likewise, the voxels of a label of a layer, as they are painted from now on. It goes with its layer.
  void addLabel(LayerId labels, Label label, TractRegion::Role role);
  /// The layer whose label a region is; 0 for other regions.
  LayerId labelsOf(const TractRegion& region) const;
  LayerId regionsLayer() const override { return target(); }
  /// Of the bundle in hand.
  const std::vector<TractRegion>& regions() const override;
  void takeRegion(int region) override { choose(bundle_, region); }
  void changeRegion(int region, const TractRegion& changed, bool done) override;
  void removeRegion(int region);
  /// Whether lines are being looked for.
  bool isFollowing() const { return selecting_.busy() || resting_.isActive(); }

  /// The lines that are shown alone, if any are.
  const std::optional<ShownGroup>& shownGroup() const { return group_; }
  /// False if the layer has no group of this name.
  bool showGroup(LayerId layer, const std::string& name);
  void showAll();
  /// The lines of the group that is shown, as a layer, or null.
  LayerPtr layerOfGroup() const;

  /// The command line that makes a file of the bundle in hand; "" for none and for lines of no file.
  QString commandLine() const;
  /// The lines of a bundle as a layer, or null.
  LayerPtr layerOf(int bundle) const;

 signals:
  void changed();  ///< the target, its bundles or what they hold
  /// Lines were looked for and are shown; seconds that it took.
  void followed(double seconds);

 private:
  struct Cache;
  struct Result;
  void add(TractRegion region);
  void takeLayer();
  void followLabels();
  void publishBundles();
  void indexLayers();
  void submit(bool commit);
  void deliver(const Result& result);
  void publish();
  void show(LayerId id, const std::shared_ptr<const std::vector<Bundle>>& bundles, int bundle, int region);
  void askFacts();

  LayerStack& layers_;
  ViewState& view_;
  JobQueue& queue_;
  LatestJob selecting_, measuring_;
  std::map<LayerId, std::shared_ptr<const TractIndex>> indexes_;
  std::map<LayerId, Ticket> indexing_;
  std::shared_ptr<Cache> cache_;  ///< lines in the regions of late; used on the queue alone
  LayerId taken_ = 0;             ///< the layer that these are of
  std::shared_ptr<const Tracts> tracts_;
  std::shared_ptr<const std::vector<Bundle>> given_;  ///< by the layer
  std::vector<Bundle> bundles_;                       ///< as they are in hand
  std::vector<std::optional<Facts>> facts_;
  int bundle_ = -1, region_ = -1;
  /// Where images of labels were when layers changed last.
  std::map<const Volume<Label>*, LayerId> labels_;
  std::optional<ShownGroup> group_;
  QTimer resting_;      ///< since a label was painted
  bool moves_ = false,  ///< a region is dragged or painted
      giving_ = false;  ///< the layer gets its own bundles
};

}  // namespace sulcus::ui::model
