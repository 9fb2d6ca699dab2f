#include "tests/bench/papers/neighboring_streams.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace sulcus::bench {
namespace {

constexpr int kSweeps = 20'000;
using FourWords = std::array<std::uint32_t, 4>;

/// @param wordsOf  the first words of a voxel in a sweep
template <class WordsOf>
StreamCorrelation correlationOf(const WordsOf& wordsOf) {
  StreamCorrelation range{1, -1};
  std::vector<FourWords> first, second;
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    first.push_back(wordsOf(100, sweep)), second.push_back(wordsOf(101, sweep));
  for (std::size_t w = 0; w < 4; ++w) {
    double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      const double a = first[std::size_t(sweep)][w] * 0x1p-32, b = second[std::size_t(sweep)][w] * 0x1p-32;
      sa += a, sb += b, saa += a * a, sbb += b * b, sab += a * b;
    }
    const double n = kSweeps,
                 correlation = (sab - sa * sb / n) / std::sqrt((saa - sa * sa / n) * (sbb - sb * sb / n));
    range.lowest = std::min(range.lowest, correlation), range.highest = std::max(range.highest, correlation);
  }
  return range;
}

/// Each sweep takes the first words of a stream with another seed.
template <class Generator>
StreamCorrelation sequentialCorrelation() {
  return correlationOf([](std::uint32_t voxel, int sweep) {
    std::vector<std::uint32_t> state(std::size_t(Generator::kWords));
    seedStream<Generator>(state.data(), 1, PhiloxKey(std::uint64_t(sweep) + (std::uint64_t(7) << 32)), voxel,
                          0);
    FourWords words;
    std::uint32_t out[4];
    Generator::next4(state.data(), 1, out, true);
    std::copy(out, out + 4, words.begin());
    return words;
  });
}

}  // namespace

StreamCorrelation seededCorrelation(RandomGenerator generator) {
  switch (generator) {
    case RandomGenerator::multicarry:
      return sequentialCorrelation<Multicarry>();
    case RandomGenerator::xorgens:
      return sequentialCorrelation<Xorgens>();
    case RandomGenerator::mt19937:
      return sequentialCorrelation<MersenneTwister>();
    default:
      return correlationOf([](std::uint32_t voxel, int sweep) {
        PhiloxStream<std::uint32_t> stream{PhiloxKey(7), voxel, std::uint32_t(sweep)};
        std::uint32_t out[4];
        stream.next4(out, true);
        return FourWords{out[0], out[1], out[2], out[3]};
      });
  }
}

StreamCorrelation packageCorrelation() {
  std::mt19937 random(1);
  std::vector<std::array<std::uint32_t, 2>> seeds;
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    seeds.push_back({std::uint32_t(random()), std::uint32_t(random())});
  return correlationOf([&](std::uint32_t voxel, int sweep) {
    const auto& seed = seeds[std::size_t(sweep)];
    std::uint32_t state[2] = {seed[0] / 2 + voxel, seed[1] / 2 + voxel}, out[4];
    Multicarry::next4(state, 1, out, true);
    return FourWords{out[0], out[1], out[2], out[3]};
  });
}

}  // namespace sulcus::bench
