#include "app/analyses/preparation/field_inputs.h"

#include "app/analyses/input_layers.h"
#include "app/analyses/run_support.h"
#include "core/image/display/layer_kinds.h"
#include "core/io/volumes/phase_encoding.h"
#include "core/preparation/mean_volume.h"

#include <numbers>
#include <string>

namespace sulcus::app::analyses {
namespace {

/// Conversion of a unit of field maps to Hz; 0 for unknown units.
double hertzOf(const std::string& unit) {
  constexpr double kHertzPerTesla = 42.577478518e6;  // of protons (CODATA 2018)
  if (unit == "Hz") return 1;
  if (unit == "rad/s") return 0.5 / std::numbers::pi;
  return unit == "T" ? kHertzPerTesla : 0;
}

}  // namespace

InputSlot fieldmapSlot() {
  return advanced(InputSlot{kFieldmapSlot, "Field map scans",
                            "With Prepare, to correct distortion: an image of opposite phase encoding, or "
                            "two of both directions, or a field map in Hz, rad/s or T. Their JSON files "
                            "state which (PhaseEncodingDirection and TotalReadoutTime, or Units)",
                            false, isVolume, true});
}

InputSlot anatomySlot() {
  InputSlot slot{kAnatomySlot, "T1 scan of this head",
                 "With Prepare, without field map scans: distortion is corrected along the phase-encoding "
                 "axis with this scan of the same head. The JSON file of the series states the axis "
                 "(PhaseEncodingDirection and TotalReadoutTime)",
                 false, [](const Layer& layer) {
                   const auto* volume = std::get_if<VolumeLayer>(&layer.content);
                   return volume && !volume->colors && volume->series->count == 1;
                 }};
  slot.unasked = [](const Layer&) { return false; };
  return advanced(slot);
}

preparation::FieldScans fieldScansIn(const AnalysisInputs& inputs, const Layer& series) {
  preparation::FieldScans scans;
  const auto layers = layersOf(inputs, kFieldmapSlot);
  const Layer* const anatomy = layerOf(inputs, kAnatomySlot);
  if (layers.empty() && !anatomy) return scans;
  if (anatomy) scans.anatomy = preparation::meanOfSeries(*volumeOf(*anatomy, kAnatomySlot).series, {});
  const auto metadataOf = [](const Layer& layer) {
    return layer.source.empty()
               ? io::DistortionMetadata()
               : io::readDistortionMetadata(layer.source, volumeOf(layer, kFieldmapSlot).series->grid.size);
  };
  scans.series = metadataOf(series).encoding;
  for (const Layer* const layer : layers) {
    const io::DistortionMetadata metadata = metadataOf(*layer);
    Volume<float> mean = preparation::meanOfSeries(*volumeOf(*layer, kFieldmapSlot).series, {});
    if (const double hertz = hertzOf(metadata.units); hertz > 0) {
      for (float& value : mean.values) value = float(value * hertz);
      scans.hertz = std::move(mean);
    } else if (metadata.encoding) {
      scans.epi.push_back({std::move(mean), *metadata.encoding});
    } else {
      scans.problem = "'" + layer->name +
                      "' cannot be used (its JSON file has neither Units of Hz, rad/s or T nor "
                      "PhaseEncodingDirection with TotalReadoutTime): add them";
    }
  }
  return scans;
}

}  // namespace sulcus::app::analyses
