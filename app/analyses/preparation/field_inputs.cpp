#include "app/analyses/preparation/field_inputs.h"

#include "app/analyses/input_layers.h"
#include "app/analyses/run_support.h"
#include "core/base/sanitized.h"
#include "core/bids/companions.h"
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

/// Why a scan shows no field.
std::string unusable(const Layer& layer, const std::string& units) {
  const std::string cannot = "'" + layer.name + "' cannot be used ";
  if (!units.empty())
    return cannot + "(its JSON file says Units of " + inQuotes(units, 20) +
           "): give a field map in Hz, rad/s or T, and say so there";
  return cannot +
         "(its JSON file has neither Units of Hz, rad/s or T nor PhaseEncodingDirection with "
         "TotalReadoutTime): add "
         "them";
}

std::string unread(const Layer& layer, const std::string& fault) {
  return "It is not known how '" + layer.name + "' was encoded (" + fault +
         "): correct the JSON file beside it";
}

}  // namespace

InputSlot fieldmapSlot(std::string usedWith) {
  InputSlot slot{kFieldmapSlot,
                 "Field map scans",
                 "With Prepare, to correct distortion: an image of opposite phase encoding, or two of both "
                 "directions, or a field map in Hz, rad/s or T. Their JSON files state which "
                 "(PhaseEncodingDirection and TotalReadoutTime, or Units). Those of an opened study are "
                 "taken by IntendedFor or B0FieldSource",
                 false,
                 isVolume,
                 true};
  slot.onAnyGrid = true;
  slot.usedWith = std::move(usedWith);
  slot.belongsTo = [](const Layer& layer, const Layer& scan) {
    return !layer.source.empty() && !scan.source.empty() && bids::isFieldMapOf(layer.source, scan.source);
  };
  return advanced(slot);
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
  const io::DistortionMetadata own = metadataOf(series);
  scans.series = own.encoding;
  if (!own.encoding && !own.fault.empty()) scans.problem = unread(series, own.fault);
  for (const Layer* const layer : layers) {
    const io::DistortionMetadata metadata = metadataOf(*layer);
    Volume<float> mean = preparation::meanOfSeries(*volumeOf(*layer, kFieldmapSlot).series, {});
    if (const double hertz = hertzOf(metadata.units); hertz > 0) {
      for (float& value : mean.values) value = float(value * hertz);
      scans.hertz = std::move(mean);
    } else if (metadata.encoding) {
      scans.epi.push_back({std::move(mean), *metadata.encoding});
    } else {
      scans.problem =
          metadata.fault.empty() ? unusable(*layer, metadata.units) : unread(*layer, metadata.fault);
    }
  }
  return scans;
}

std::optional<int> phaseAxisOf(const Layer& series) {
  if (series.source.empty()) return {};
  return io::readDistortionMetadata(series.source, volumeOf(series, "dwi").series->grid.size).axis;
}

}  // namespace sulcus::app::analyses
