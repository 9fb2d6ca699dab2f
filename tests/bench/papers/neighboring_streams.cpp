#include "tests/bench/papers/neighboring_streams.h"

#include "tests/bench/measure.h"
#include "tests/bench/papers/generators.h"

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

/// The state of a stream.
template <class Sequential>
std::vector<std::uint32_t> seeded(PhiloxKey key, std::uint32_t voxel) {
  std::vector<std::uint32_t> state(std::size_t(Sequential::kWords));
  seedStream<Sequential>(state.data(), key, voxel, 0);
  return state;
}

/// Calls body with a value of the generator's type if its streams have a state; else returns `other`.
template <class Body, class Other>
auto withSequential(Generator generator, const Body& body, const Other& other) {
  switch (generator) {
    case Generator::multicarry:
      return body(Multicarry());
    case Generator::xorgens:
      return body(Xorgens());
    case Generator::mersenneTwister:
      return body(MersenneTwister());
    case Generator::philox:
      break;
  }
  return other();
}

/// @param next4  gives the next four words
template <class Next4>
double nanosecondsOf(Next4 next4) {
  constexpr int kBlocks = 250'000;
  std::uint32_t sum = 0;
  const double seconds = medianSeconds([&] {
    for (int i = 0; i < kBlocks; ++i) {
      std::uint32_t words[4];
      next4(words);
      for (const std::uint32_t word : words) sum ^= word;
    }
  });
  volatile std::uint32_t used = sum;
  static_cast<void>(used);
  return seconds * 1e9 / (4.0 * kBlocks);
}

}  // namespace

StreamCorrelation seededCorrelation(Generator generator) {
  return withSequential(
      generator,
      []<class Sequential>(Sequential) {
        // Each sweep takes the first words of a stream with another seed.
        return correlationOf([](std::uint32_t voxel, int sweep) {
          auto state = seeded<Sequential>(PhiloxKey(std::uint64_t(sweep) + (std::uint64_t(7) << 32)), voxel);
          std::uint32_t out[4];
          Sequential::next4(state.data(), out);
          return FourWords{out[0], out[1], out[2], out[3]};
        });
      },
      [] {
        return correlationOf([](std::uint32_t voxel, int sweep) {
          PhiloxStream<std::uint32_t> stream{PhiloxKey(7), voxel, std::uint32_t(sweep)};
          std::uint32_t out[4];
          stream.next4(out);
          return FourWords{out[0], out[1], out[2], out[3]};
        });
      });
}

double nanosecondsOfWord(Generator generator) {
  return withSequential(
      generator,
      []<class Sequential>(Sequential) {
        auto state = seeded<Sequential>(PhiloxKey(7), 100);
        return nanosecondsOf([&](std::uint32_t(&words)[4]) { Sequential::next4(state.data(), words); });
      },
      [] {
        PhiloxStream<std::uint32_t> stream{PhiloxKey(7), 100};
        return nanosecondsOf([&](std::uint32_t(&words)[4]) { stream.next4(words); });
      });
}

StreamCorrelation packageCorrelation() {
  std::mt19937 random(1);
  std::vector<std::array<std::uint32_t, 2>> seeds;
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    seeds.push_back({std::uint32_t(random()), std::uint32_t(random())});
  return correlationOf([&](std::uint32_t voxel, int sweep) {
    const auto& seed = seeds[std::size_t(sweep)];
    std::uint32_t state[2] = {seed[0] / 2 + voxel, seed[1] / 2 + voxel}, out[4];
    Multicarry::next4(state, out);
    return FourWords{out[0], out[1], out[2], out[3]};
  });
}

}  // namespace sulcus::bench
