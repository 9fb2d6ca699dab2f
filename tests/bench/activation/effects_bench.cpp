#include "tests/bench/activation/effects_bench.h"

#include "core/activation/results/shown_voxels.h"
#include "tests/bench/cases.h"
#include "tests/bench/format.h"

namespace sulcus::bench {
namespace {

using namespace activation;

constexpr double kFalseShare = 0.05;

struct Setting {
  const char* text;
  OptionValues values;
};
const std::vector<Setting>& settings() {
  static const std::vector<Setting> all{{"--noise white", {{"noise", std::string("white")}}},
                                        {"default", {}}};
  return all;
}

template <class Kind>
struct Named {
  const char* name;
  Kind kind;
};
constexpr Named<test::Paradigm> kParadigms[] = {{"blocks", test::Paradigm::blocks},
                                                {"events", test::Paradigm::events}};
/// S.d. of the noise by paradigm and noise, percent: chosen so that about 60 % of the effects are found.
constexpr double kSpread[][4] = {{1.9, 1.25, 1.4, 1.85}, {1.2, 1.1, 1.15, 1.7}};
constexpr Named<test::SeriesNoise> kNoises[] = {{"white", test::SeriesNoise::white},
                                                {"AR(1), ρ 0.4", test::SeriesNoise::ar1},
                                                {"AR(1), ρ 0–0.6 by voxel", test::SeriesNoise::mixed},
                                                {"1/f", test::SeriesNoise::pink}};

struct Maps {
  ShownVoxels probable, byShare;
};

Maps mapsOf(const test::EffectsScan& scan, const ActivationOptions& options) {
  const auto result = analyzeActivation(scan.input, options, {});
  Contrast task{"task", std::vector<double>(std::size_t(result.regressors()), 0.0)};
  task.weights[1] = 1;
  ActivationOptions byShare = options;
  byShare.fdr = kFalseShare;
  return {shownVoxels(result, task, options), shownVoxels(result, task, byShare)};
}

test::ShownScore scoreOf(const ShownVoxels& map, const std::vector<bool>& active) {
  std::vector<bool> shown;
  for (const float p : map.probability) shown.push_back(p >= float(map.threshold));
  return test::scoreShown(shown, active);
}

EffectsRow measure(const EffectsBenchOptions& options, const test::EffectsScanOptions& kind,
                   const Setting& setting) {
  ActivationOptions analysis = optionsFrom<ActivationOptions>(setting.values);
  analysis.draws = options.draws;
  analysis.fdr = 0;
  EffectsRow row;
  for (int i = 0; i < options.scans; ++i) {
    test::EffectsScanOptions scan = kind;
    scan.seed = options.seed + std::uint64_t(i);
    const Maps none = mapsOf(test::effectsScan(scan), analysis);
    row.nullProbable += double(none.probable.count) / double(none.probable.probability.size());
    row.nullShown += none.byShare.count > 0;
    scan.effect = 1;
    const auto withEffect = test::effectsScan(scan);
    const Maps maps = mapsOf(withEffect, analysis);
    const auto byShare = scoreOf(maps.byShare, withEffect.active),
               probable = scoreOf(maps.probable, withEffect.active);
    row.falseShare += byShare.falseShare, row.power += byShare.power;
    row.probableFalse += probable.falseShare, row.probablePower += probable.power;
    row.expected += probable.shown > 0 ? maps.probable.expectedFalse : 0;
  }
  for (double EffectsRow::*value :
       {&EffectsRow::nullProbable, &EffectsRow::nullShown, &EffectsRow::falseShare, &EffectsRow::power,
        &EffectsRow::probableFalse, &EffectsRow::probablePower, &EffectsRow::expected})
    row.*value /= options.scans;
  return row;
}

}  // namespace

EffectsMeasurements runEffectsBench(const EffectsBenchOptions& options,
                                    const std::function<void(const std::string&)>& tell) {
  EffectsMeasurements measured{thisMachine(), {}};
  for (const auto& [paradigmName, paradigm] : kParadigms)
    for (const auto& [noiseName, noise] : kNoises)
      for (const Setting& setting : settings()) {
        const std::string name = format("%s, %s, %s", paradigmName, noiseName, setting.text);
        if (!isWanted(name, options.only)) continue;
        test::EffectsScanOptions scan = options.scan;
        scan.paradigm = paradigm, scan.noise = noise, scan.sd = kSpread[int(paradigm)][int(noise)];
        EffectsRow row = measure(options, scan, setting);
        row.paradigm = paradigmName, row.noise = noiseName, row.setting = setting.text, row.sd = scan.sd;
        tell(name + format(": null P > 0.95 %.4f; false share %.3f, power %.2f; of P > 0.95 %.3f, %.2f",
                           row.nullProbable, row.falseShare, row.power, row.probableFalse,
                           row.probablePower));
        measured.rows.push_back(std::move(row));
      }
  return measured;
}

Report reportOf(const EffectsMeasurements& measured) {
  using Row = EffectsRow;
  return {
      measured,
      "Activation: what the maps hold",
      {{"rows",
        "4800 voxels, 200 scans of 2 s, noise of the s.d. given in percent of the mean signal, an effect of "
        "1 % "
        "in 5 % of the "
        "voxels; means over the scans. null P > 0.95: share of the voxels of scans without effect. null "
        "shown: scans without effect of which --fdr 0.05 shows a voxel. false, power: share of the voxels "
        "shown with --fdr 0.05 that have no effect, and of those with effect that are shown. The same of "
        "P > 0.95, and the false share that its map states.",
        tableOf<Row>(measured.rows, {{"paradigm", "paradigm", &Row::paradigm},
                                     {"noise", "noise", &Row::noise},
                                     {"sd", "s.d.", &Row::sd, kTwoDigits},
                                     {"setting", "setting", &Row::setting},
                                     {"nullProbable", "null P > 0.95", &Row::nullProbable, kFourDigits},
                                     {"nullShown", "null shown", &Row::nullShown, kTwoDigits},
                                     {"falseShare", "false", &Row::falseShare, kThreeDigits},
                                     {"power", "power", &Row::power, kTwoDigits},
                                     {"probableFalse", "P > 0.95: false", &Row::probableFalse, kThreeDigits},
                                     {"expected", "stated", &Row::expected, kThreeDigits},
                                     {"probablePower", "power", &Row::probablePower, kTwoDigits}})}}};
}

}  // namespace sulcus::bench
