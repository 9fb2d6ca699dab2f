#include "core/base/parallel/parallel_for.h"
#include "tests/bench/measure.h"
#include "tests/bench/papers/power_method_gpu.h"
#include "tests/bench/papers/power_method_kernel.h"

namespace sulcus::bench {
namespace {

template <class TensorAt>
void runAllStarts(const PowerMethodWork& work, const TensorAt& tensorAt, PowerMethodEnds& ends) {
  const std::size_t n = std::size_t(work.n), starts = std::size_t(work.startCount());
  parallelFor(work.tensors, 1, {}, [&](std::int64_t t) {
    for (std::size_t s = 0; s < starts; ++s) {
      float x[kMostDimensions];
      for (std::size_t i = 0; i < n; ++i) x[i] = work.starts[s * n + i];
      const std::size_t end = std::size_t(t) * starts + s;
      ends.values[end] = powerMethod(tensorAt(t), work.alpha, work.steps, x);
      for (std::size_t i = 0; i < n; ++i) ends.vectors[end * n + i] = x[i];
    }
  });
}

}  // namespace

PowerMethodEnds powerMethodOnCpu(const PowerMethodWork& work, bool unrolled) {
  PowerMethodEnds ends;
  ends.values.resize(std::size_t(work.tensors) * std::size_t(work.startCount()));
  ends.vectors.resize(ends.values.size() * std::size_t(work.n));
  const auto entriesOf = [&](std::int64_t t) {
    return work.entries.data() + t * indexClassCount(work.m, work.n);
  };
  ends.seconds = onceOrMedianSeconds(
      [&] {
        if (!unrolled)
          runAllStarts(
              work,
              [&](std::int64_t t) {
                return LoopedTensor{entriesOf(t), work.m, work.n};
              },
              ends);
        else
          withUnrolled(work.m, work.n,
                       [&]<int M, int N>(std::integral_constant<int, M>, std::integral_constant<int, N>) {
                         runAllStarts(
                             work, [&](std::int64_t t) { return UnrolledTensor<M, N>{entriesOf(t)}; }, ends);
                       });
      },
      0.3);
  return ends;
}

}  // namespace sulcus::bench
