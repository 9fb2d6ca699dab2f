#pragma once

#include "core/base/error.h"
#include "core/io/files.h"
#include "tests/fuzz/memory_files.h"
#include "tests/fuzz/some_comparisons.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <tbb/global_control.h>
#include <unistd.h>

// A fuzz target is one LLVMFuzzerTestOneInput. With clang and -DSULCUS_LIBFUZZER it is run by libFuzzer;
// otherwise by the main below: a fixed number of mutations of the seeds, the same every time.
//   TARGET --seeds FOLDER                 writes the seeds there, one in each file; also with libFuzzer
//   TARGET [--iterations N] [FILE...]     FILE: inputs to replay instead
// An input that ends the process, or takes more than half a minute, is saved in TARGET.finding.

namespace sulcus::fuzz {

/// Writes `size` bytes to a file without streams, also while the process is ending.
inline void put(const char* path, const void* data, std::size_t size) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const bool done = file >= 0 && write(file, data, size) == ssize_t(size);
  if (file >= 0) close(file);
  if (!done) std::perror(path);
}

/// A parser may return or throw Error for any bytes. Anything else ends the run.
template <class Parse>
int parseOrError(const Parse& parse) {
  ++parsed;
  try {
    parse();
  } catch (const Error&) {
  }
  return 0;
}

std::vector<std::string> seeds();  // given by each target

/// Writes the seeds and ends the process if the command line requests that.
inline void writeSeedsIfAsked(int argc, char** argv) {
  if (argc != 3 || std::strcmp(argv[1], "--seeds") != 0) return;
  const std::filesystem::path folder = argv[2];
  std::filesystem::create_directories(folder);
  const auto all = seeds();
  for (std::size_t i = 0; i < all.size(); ++i)
    put((folder / ("seed" + std::to_string(i))).c_str(), all[i].data(), all[i].size());
  std::exit(0);
}

/// Inputs are small: one thread is faster than several, and makes findings reproducible.
inline void useOneThread() {
  static const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
}

/// splitmix64: small and equal on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t bound) { return bound ? std::size_t(next() % bound) : 0; }

 private:
  std::uint64_t state_;
};

inline std::string mutated(const std::vector<std::string>& corpus, Random& random) {
  std::string bytes = corpus[random.below(corpus.size())];
  const std::size_t rounds = 1 + random.below(6);
  for (std::size_t round = 0; round < rounds && !bytes.empty(); ++round) {
    // Half of the changes are near the start, where headers are.
    const std::size_t reach = random.below(2) ? bytes.size() : std::min<std::size_t>(bytes.size(), 400);
    const std::size_t at = random.below(reach);
    switch (random.below(8)) {
      case 0:
        bytes[at] = char(bytes[at] ^ (1 << random.below(8)));
        break;
      case 1:
        bytes[at] = char(random.next());
        break;
      case 2:
        bytes.resize(at);
        break;
      case 3: {  // a number that is often a limit
        const std::int32_t edges[] = {0,          -1,         1,   0x7fffffff, -0x7fffffff - 1,
                                      0x7f800000, 0x7fc00000, 255, 65535,      32767};
        const std::int32_t value = edges[random.below(std::size(edges))];
        for (std::size_t i = 0; i < sizeof value && at + i < bytes.size(); ++i)
          bytes[at + i] = char(value >> (8 * i));
        break;
      }
      case 4: {  // a piece of another seed
        const std::string& other = corpus[random.below(corpus.size())];
        const std::size_t from = random.below(other.size());
        bytes.replace(at, random.below(64), other.substr(from, random.below(64)));
        break;
      }
      case 5:
        bytes.erase(at, random.below(32));
        break;
      case 6: {  // a line of any seed, before another line
        const std::string& other = corpus[random.below(corpus.size())];
        const std::size_t from = other.rfind('\n', random.below(other.size())) + 1;
        const std::string line = other.substr(from, other.find('\n', from) + 1 - from);
        if (line.size() < 2000) bytes.insert(bytes.rfind('\n', at) + 1, line);
        break;
      }
      default:
        bytes.insert(at, std::string(random.below(16), char('0' + random.below(10))));
    }
  }
  return bytes;
}

}  // namespace sulcus::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

#ifdef SULCUS_LIBFUZZER
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  sulcus::fuzz::writeSeedsIfAsked(*argc, *argv);
  sulcus::fuzz::useOneThread();
  return 0;
}
#else
namespace sulcus::fuzz {

inline std::string lastInput, findingFile;  ///< for an input that ends the process

inline void endWithFinding(int signal) {
  put(findingFile.c_str(), lastInput.data(), lastInput.size());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace sulcus::fuzz

// Findings of a sanitizer also become SIGABRT.
extern "C" const char* __asan_default_options() { return "abort_on_error=1"; }
extern "C" const char* __ubsan_default_options() { return "abort_on_error=1:print_stacktrace=1"; }

int main(int argc, char** argv) {
  using namespace sulcus::fuzz;
  constexpr unsigned kLongest = 30;  // s
  writeSeedsIfAsked(argc, argv);
  useOneThread();
  findingFile = std::filesystem::path(argv[0]).filename().string() + ".finding";
  for (const int signal : {SIGABRT, SIGALRM}) std::signal(signal, endWithFinding);
  const auto run = [](std::string bytes) {
    lastInput = std::move(bytes);
    alarm(kLongest);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(lastInput.data()), lastInput.size());
  };
  long iterations = 2000;
  int replayed = 0;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--iterations") == 0 && i + 1 < argc) {
      iterations = std::atol(argv[++i]);
      continue;
    }
    std::ifstream in(argv[i], std::ios::binary);
    run({std::istreambuf_iterator<char>(in), {}});
    ++replayed;
  }
  if (replayed > 0) return 0;
  const auto corpus = seeds();
  const auto begin = std::chrono::steady_clock::now();
  for (const auto& seed : corpus) run(seed);
  Random random(1);
  for (long i = 0; i < iterations; ++i) run(mutated(corpus, random));
  alarm(0);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf("%zu executions, %.1f s\n", corpus.size() + std::size_t(iterations), seconds.count());
}
#endif
