#include "core/tracts/tract_report.h"

#include "core/base/numbers.h"
#include "core/base/sentence.h"

#include <algorithm>

namespace sulcus::tracts {
namespace {

constexpr const char* kVerdictTexts[kVerdicts] = {"lines kept",
                                                  "seeds with nothing to follow",
                                                  "lines that are too short",
                                                  "lines that entered an excluded region",
                                                  "lines that missed a required region",
                                                  "lines that do not end where required"};
constexpr const char* kEndingTexts[kEndings] = {"ends below the cut-off",
                                                "ends at a turn that is too sharp",
                                                "ends at the border of the image",
                                                "ends at the border of the mask",
                                                "ends in a stop region",
                                                "ends at the largest length",
                                                "ends at the border of the cortex",
                                                "ends outside the brain tissue"};

/// Rounded down to a tenth.
double percentOf(double share) { return 0.1 * double(std::int64_t(1000 * share + 0.5)); }

std::string share(std::int64_t part, std::int64_t whole) {
  return whole == 0
             ? ""
             : numberText(0.1 * double(std::int64_t(1000 * double(part) / double(whole) + 0.5))) + " %";
}

}  // namespace

TableLayer countTable(const TractCounts& counts) {
  TableLayer table;
  table.columns = {"what", "count", "share"};
  for (std::size_t n = 0; n < kVerdicts; ++n)
    table.rows.push_back(
        {kVerdictTexts[n], std::to_string(counts.verdicts[n]), share(counts.verdicts[n], counts.seeds)});
  for (std::size_t n = 0; n < kEndings; ++n)
    table.rows.push_back(
        {kEndingTexts[n], std::to_string(counts.endings[n]), share(counts.endings[n], 2 * counts.kept())});
  return table;
}

double lengthOf(const Tracts& tracts, std::size_t line) {
  const auto points = tracts.line(line);
  double length = 0;
  for (std::size_t n = 1; n < points.size(); ++n) {
    const Vec3<double> a{points[n - 1].x, points[n - 1].y, points[n - 1].z},
        b{points[n].x, points[n].y, points[n].z};
    length += norm(b - a);
  }
  return length;
}

Notes tractNotes(const TractResult& result) {
  const TractCounts& counts = result.counts;
  Notes notes{counted(counts.kept(), "line") + " of " + counted(counts.seeds, "seed") + "; steps of " +
              numberText(result.step) + " mm, turns up to " + numberText(result.angle) +
              "° in each, amplitude from " + numberText(result.cutoff)};
  if (result.misfitBefore > 0)
    notes.push_back("Weights: the density of the lines differs from that of the scan by " +
                    numberText(percentOf(result.misfitAfter)) + " %, without weights by " +
                    numberText(percentOf(result.misfitBefore)) + " %");
  for (std::size_t n = 1; n < kVerdicts; ++n)
    if (counts.verdicts[n] > 0) notes.push_back(std::to_string(counts.verdicts[n]) + " " + kVerdictTexts[n]);
  if (counts.kept() == 0) {
    const auto most = std::max_element(counts.verdicts.begin() + 1, counts.verdicts.end());
    notes.push_back(Note::warning("no line was kept; most frequent outcome: " +
                                  std::string(kVerdictTexts[most - counts.verdicts.begin()]) + "."));
  }
  return notes;
}

}  // namespace sulcus::tracts
