#include "app/analyses/table.h"

#include "app/analyses/activation/activation_analysis.h"
#include "app/analyses/fibers/fibers_analysis.h"
#include "app/analyses/group/group_analysis.h"
#include "app/analyses/preparation/preparation_analysis.h"
#include "app/analyses/registration/registration_analysis.h"
#include "app/analyses/run_support.h"
#include "app/analyses/surface/surface_analysis.h"
#include "app/analyses/template/template_analysis.h"
#include "app/analyses/tracts/tracts_analysis.h"

namespace sulcus::app::analyses {

const std::vector<Analysis>& table() {
  static const std::vector<Analysis> table{
      withProvenance(fibersAnalysis()),       withProvenance(activationAnalysis()),
      withProvenance(registrationAnalysis()), withProvenance(surfaceAnalysis()),
      withProvenance(preparationAnalysis()),  withProvenance(templateAnalysis()),
      withProvenance(groupAnalysis()),        withProvenance(tractsAnalysis()),
  };
  return table;
}

}  // namespace sulcus::app::analyses
