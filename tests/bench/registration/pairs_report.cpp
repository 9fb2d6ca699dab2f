#include "tests/bench/registration/pairs_bench.h"

namespace sulcus::bench {

Report reportOf(const PairMeasurements& measured) {
  using Row = PairRow;
  return {measured,
          "Registration: labeled pairs",
          {{"rows",
            "Dice: mean over all labels of either image, 0 for one that an image lacks; before: under the "
            "pre-alignment alone. log J: of the nonlinear part. Seconds without the pre-alignment.",
            tableOf<Row>(measured.rows, {{"pair", "pair", &Row::pair},
                                         {"setting", "setting", &Row::setting},
                                         {"processor", "on", &Row::processor},
                                         {"diceBefore", "Dice before", &Row::before, kThreeDigits},
                                         {"diceAfter", "after", &Row::after, kThreeDigits},
                                         {"sdLogJ", "s.d. of log J", &Row::sdLogJ, kThreeDigits},
                                         {"smallestLogJ", "smallest", &Row::smallestLogJ, kTwoDigits},
                                         {"foldedCells", "folded cells", &Row::foldedCells},
                                         {"iterations", "iterations", &Row::iterations},
                                         {"seconds", "s", &Row::seconds, {"%.3g"}}})}}};
}

}  // namespace sulcus::bench
