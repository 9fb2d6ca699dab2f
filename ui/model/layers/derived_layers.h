#pragma once

#include "core/analysis/analysis.h"
#include "core/base/parallel/job_queue.h"
#include "ui/jobs/file_jobs.h"
#include "ui/model/choices/field_application.h"
#include "ui/model/layers/image_overlay.h"
#include "ui/model/layers/layer_stack.h"
#include "ui/model/views/series_player.h"

#include <QObject>
#include <QString>
#include <functional>
#include <vector>

namespace sulcus::ui::model {

/// Makes layers from other layers, as jobs of the window.
class DerivedLayers : public QObject {
  Q_OBJECT
 public:
  /// What it works with; all must outlive this.
  struct Parts {
    const std::vector<Analysis>& analyses;
    LayerStack& layers;
    ImageOverlay& overlay;
    const SeriesPlayer& player;
    jobs::FileJobs& files;
    JobQueue& quick;
  };

  explicit DerivedLayers(const Parts& parts) : parts_(parts), layers_(parts.layers) {}

  /// Changes the convention by which the file of a displacement field was read: reverses x and y of its
  /// vectors.
  void readFieldAs(LayerId id, FieldConvention convention);
  /// Makes a layer of the upper image of the pair minus the lower one.
  void makeDifference();
  /// Makes a table of how well the two agree, and of the voxels that differ most, and passes it to `then`.
  void makeAgreement(const std::function<void(LayerId)>& then = {});
  /// Makes a layer of the mean or the standard deviation over the volumes of the current layer.
  void makeMean();
  void makeDeviation();
  /// Transforms a layer by displacement fields and linear transforms, with Analysis::applyField.
  void applyField(const FieldApplication& wanted);
  /// Makes layers of the fractional anisotropy and the diffusivities of a diffusion tensor.
  void makeDiffusionMaps(LayerId id);

 private:
  void makeOfPair(const QString& job, Layer (*make)(const Layer&, int, const Layer&, int, const Progress&),
                  const std::function<void(LayerId)>& then = {});
  void makeOfSeries(const QString& job, Layer (*make)(const Layer&, const Progress&));

  const Parts parts_;
  LayerStack& layers_;
};

}  // namespace sulcus::ui::model
