#include "core/analysis/analysis.h"

#include <algorithm>

namespace sulcus {

bool Comparison::agrees() const {
  return reasons.empty() &&
         std::all_of(rows.begin(), rows.end(), [](const AgreementRow& row) { return row.agrees(); });
}

}  // namespace sulcus
