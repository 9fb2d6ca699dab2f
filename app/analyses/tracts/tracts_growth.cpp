#include "app/analyses/tracts/tracts_growth.h"

#include "app/analyses/tracts/tract_inputs.h"
#include "core/tracts/growth.h"
#include "gpu/tracts/tracts.h"

#include <memory>
#include <optional>
#include <utility>

namespace sulcus::app::analyses {
namespace {

using tracts::TractOptions;

constexpr const char* kRegions = "seed-regions";
constexpr const char* kPainted = "seed-mask";
constexpr std::int64_t kUsualSeeds = 10'000;

class Growing {
 public:
  explicit Growing(tracts::HoldPlan& hold) : hold_(hold) {}

  Analysis::Growth::Lines step(const AnalysisInputs& inputs, const OptionValues& values, double seconds,
                               const Progress& progress) {
    AnalysisInputs field = inputs;
    OptionValues kept = values;
    field.erase(kPainted);
    kept.erase(kRegions);
    const bool isSamePlan = plan_ && field == field_ && kept == kept_;
    if (!growth_ || !isSamePlan || inputs != inputs_ || values != values_) {
      growth_.reset();
      auto options = optionsFrom<TractOptions>(values);
      tracts::TractInput seeds = seedInput(inputs);
      if (!isSamePlan) {
        held_ = {};
        plan_.reset();
        tracts::TractInput whole = tractInput(inputs, options);
        auto own = options;
        takeLabelRegions(inputs, own, &whole);
        plan_ = std::make_shared<const tracts::TractPlan>(planTracts(whole, own, progress));
        held_ = hold_(plan_);
        field_ = std::move(field);
        kept_ = std::move(kept);
      }
      takeLabelRegions(inputs, options, &seeds);
      growth_.emplace(held_, seedsFor(*plan_, seeds, options), options.lines);
      inputs_ = inputs;
      values_ = values;
    }
    growth_->growFor(seconds, progress);
    Analysis::Growth::Lines grown;
    grown.layer.content = TractsLayer{std::make_shared<const Tracts>(growth_->lines()), plan_->grid};
    grown.followed = growth_->followed();
    grown.seeds = growth_->isComplete() ? grown.followed : growth_->seeds();
    return grown;
  }

 private:
  tracts::HoldPlan& hold_;
  AnalysisInputs field_, inputs_;
  OptionValues kept_, values_;
  std::shared_ptr<const tracts::TractPlan> plan_;
  tracts::HeldPlan held_;
  std::optional<tracts::LineGrowth> growth_;
};

}  // namespace

Analysis::Growth tractsGrowth() {
  Analysis::Growth growth;
  growth.regions = kRegions;
  growth.painted = kPainted;
  growth.options = {{"seeds", kUsualSeeds}};
  growth.begin = [](Backend backend) -> Analysis::Growth::Step {
    const auto growing =
        std::make_shared<Growing>(backend == Backend::gpu ? gpu::tracts::holdPlan : tracts::holdPlan);
    return [growing](const AnalysisInputs& inputs, const OptionValues& values, double seconds,
                     const Progress& progress) { return growing->step(inputs, values, seconds, progress); };
  };
  return growth;
}

}  // namespace sulcus::app::analyses
