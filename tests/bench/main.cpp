#include "core/base/error.h"
#include "core/registration/linear/linear_alignment.h"
#include "tests/bench/activation/activation_bench.h"
#include "tests/bench/activation/effects_bench.h"
#include "tests/bench/fibers/crossings_bench.h"
#include "tests/bench/fibers/fibers_bench.h"
#include "tests/bench/files/files_bench.h"
#include "tests/bench/papers/exhibit.h"
#include "tests/bench/registration/pairs_bench.h"
#include "tests/bench/registration/registration_bench.h"
#include "tests/bench/surface/surface_bench.h"
#include "tests/bench/tracts/tracts_bench.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace {

constexpr const char* kUsage =
    "usage: sulcus-bench fibers|activation|registration|surface [--quick] [--only REGEX] [--largest SIZE] "
    "[--longest SECONDS] [--json FILE] [--csv FILE]\n"
    "       sulcus-bench crossings|effects [--only REGEX] [--seed N] [--json FILE] [--csv FILE]\n"
    "       sulcus-bench tracts [--quick] [--only REGEX] [--seeds N] [--shares N,N] [--json FILE] [--csv "
    "FILE]\n"
    "       sulcus-bench files [--quick] [--program FILE] [--data DIR] [--peers FILE] [--into FILE]\n"
    "           [--heads SIDE,SIDE...] [--backend cpu|gpu] [--repetitions N] [--json FILE] [--csv FILE]\n"
    "       sulcus-bench papers [--out DIR] [--paper ballard|ferreira|lee] [--quick] [--data DIR]\n"
    "       sulcus-bench pairs TABLE [--backend cpu|gpu] [--OPTION VALUE,VALUE...]... [--json FILE] "
    "[--csv FILE]\n"
    "  The first four make their own data and measure every implementation. Each prints a Markdown table; "
    "speeds are never judged.\n"
    "  --quick    a small run\n"
    "  --only     the cases whose name, with which their line begins, has a match of a regular expression:\n"
    "             'GPU, .*with memory'\n"
    "  --largest  leave out sizes above this, make scans no larger: voxels; registration: voxels along an "
    "axis;\n"
    "             surface: elements\n"
    "  --longest  leave out what takes longer on a processor\n"
    "  --seed     of the first simulated scan\n"
    "  --shares   registration, surface: numbers of the GPUs that share out a run (0,1)\n"
    "  --json     the same as JSON\n"
    "  --csv      the same as CSV, whole runs in FILE-runs.csv beside it\n"
    "  --figure PREFIX  fibers: PREFIX-table.csv, PREFIX-curves.csv, PREFIX-curves.svg; registration, "
    "surface: PREFIX.csv, PREFIX.svg\n"
    "  crossings simulates fibers that cross and counts how many are found\n"
    "  effects simulates functional scans and counts what is shown where there is an effect and where none "
    "is\n"
    "  files waits for whole commands of sulcus-cli, from the command to its exit, on files that it makes "
    "and "
    "on\n"
    "  real scans in --data, of other programs where --peers names tests/bench/peers/file_to_file.py and "
    "they "
    "are\n"
    "  installed, and adds what it measured to the Markdown file --into, as its first section; --heads: "
    "only\n"
    "  registrations of heads of so many voxels along each axis\n"
    "  papers makes each table and figure of the papers again and writes papers.html with its parts to DIR\n"
    "  (papers); real scans are read from --data, SULCUS_TEST_DATA or ../shared/data, phantoms stand in\n"
    "  pairs registers scans with labels: TABLE has the columns name, template, template-labels, reference,\n"
    "  reference-labels and, if wanted, affine (the affine.txt of a registration), with paths relative to "
    "its\n"
    "  folder. OPTION is any of sulcus-cli registration; every combination of the values is run.\n";

int refuse() {
  std::fputs(kUsage, stderr);
  return int(sulcus::ErrorKind::usage);
}

struct Output {
  std::string json, csv, figure, into;
};

/// Prints the report and writes it to the requested files.
void write(const sulcus::bench::Report& report, const Output& output) {
  std::cout << markdown(report);
  if (!output.json.empty()) std::ofstream(output.json) << json(report);
  if (!output.csv.empty()) writeCsv(report, output.csv);
  if (!output.into.empty()) addTo(output.into, report);
}

/// The effects of flags: those without a value, those with a value, and all others with their values; if
/// `others` is empty they are refused.
struct Flags {
  std::map<std::string, std::function<void()>> alone;
  std::map<std::string, std::function<void(const std::string& value)>> valued;
  std::function<void(const std::string& flag, const std::string& value)> others = {};
};

/// Stores the value of a flag.
template <class Text>
auto into(Text& target) {
  return [&target](const std::string& value) { target = value; };
}

/// Reads the arguments from `first` on; false if one is unknown, lacks its value or has an invalid one.
bool read(int argc, char** argv, int first, const Flags& flags) try {
  for (int i = first; i < argc; ++i) {
    const std::string flag = argv[i];
    const auto alone = flags.alone.find(flag);
    const auto valued = flags.valued.find(flag);
    if (alone != flags.alone.end()) {
      alone->second();
    } else if (++i == argc) {
      return false;
    } else if (valued != flags.valued.end()) {
      valued->second(argv[i]);
    } else if (flags.others && flag.starts_with("--")) {
      flags.others(flag.substr(2), argv[i]);
    } else {
      return false;
    }
  }
  return true;
} catch (const std::logic_error&) {  // thrown by std::stoi and similar
  return false;
}

std::vector<std::string> partsOf(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

template <class Measurements>
concept HasFigure = requires(const Measurements& measured) {
  sulcus::bench::writeFigure(measured, "");
};

/// The flags of a benchmark of an analysis.
template <class Options>
Flags flagsOf(const Options& quick, bool hasFigure, Options& options, Output& output) {
  Flags flags{{{"--quick", [&] { options = quick; }}},
              {{"--longest", [&](const std::string& value) { options.longest = std::stod(value); }},
               {"--only", into(options.only)},
               {"--json", into(output.json)},
               {"--csv", into(output.csv)}}};
  flags.valued["--largest"] = [&](const std::string& value) {
    const std::int64_t largest = std::stoll(value);
    const auto tooLarge = [=](std::int64_t size) { return size > largest; };
    std::erase_if(options.sizes, tooLarge);
    if constexpr (requires { options.runs; }) std::erase_if(options.runs, tooLarge);
    if constexpr (requires { options.patches; }) std::erase_if(options.patches, tooLarge);
    if constexpr (requires { options.tissueVoxels; })
      for (auto* const scan : {&options.scanVoxels, &options.tissueVoxels, &options.tissueVoxelsCpu})
        *scan = std::min(*scan, largest);
  };
  if constexpr (requires { options.shares; })
    flags.valued["--shares"] = [&](const std::string& list) {
      options.shares.clear();
      for (const auto& number : partsOf(list)) options.shares.push_back(std::stoi(number));
      if (options.shares.empty()) throw std::invalid_argument(list);
    };
  if (hasFigure) flags.valued["--figure"] = into(output.figure);
  return flags;
}

template <class Options, class Run>
int run(int argc, char** argv, const Options& quick, Run runBench) {
  using namespace sulcus;
  Options options;
  Output output;
  const auto tell = [](const std::string& line) { std::cerr << line << '\n'; };
  using Measurements = decltype(runBench(options, tell));
  if (!read(argc, argv, 2, flagsOf(quick, HasFigure<Measurements>, options, output))) return refuse();
  const Measurements measured = runBench(options, tell);
  if (!measured.hasGpu) std::cerr << "No GPU: " << measured.gpu << ". Only the CPU was measured.\n";
  write(reportOf(measured), output);
  if constexpr (HasFigure<Measurements>)
    if (!output.figure.empty()) writeFigure(measured, output.figure);
  return 0;
}

int runPairs(int argc, char** argv) {
  using namespace sulcus;
  if (argc < 3) return refuse();
  bench::PairBenchOptions options;
  options.table = argv[2];
  Output output;
  const auto backend = [&](const std::string& name) {
    if (name != "cpu" && name != "gpu") throw std::invalid_argument(name);
    options.backend = name == "gpu" ? Backend::gpu : Backend::cpu;
  };
  const auto option = [&](const std::string& name, const std::string& values) {
    options.lists.emplace_back(name, partsOf(values));
  };
  if (!read(
          argc, argv, 3,
          {{}, {{"--json", into(output.json)}, {"--csv", into(output.csv)}, {"--backend", backend}}, option}))
    return refuse();
  const auto tell = [](const std::string& line) { std::cerr << line << '\n'; };
  write(reportOf(runPairBench(options, registration::alignLinearly, tell)), output);
  return 0;
}

std::filesystem::path realScans() {
  const char* const data = std::getenv("SULCUS_TEST_DATA");
  return data ? data : "../shared/data";
}

int runFiles(int argc, char** argv) {
  using namespace sulcus::bench;
  FilesOptions options;
  options.data = realScans();
  Output output;
  if (!read(argc, argv, 2,
            {{{"--quick", [&] { options.quick = true, options.heads = {32}; }}},
             {{"--heads",
               [&](const std::string& list) {
                 options.onlyHeads = true, options.heads.clear();
                 for (const auto& side : partsOf(list)) options.heads.push_back(std::stoi(side));
               }},
              {"--repetitions",
               [&](const std::string& count) { options.repetitions = std::max(1, std::stoi(count)); }},
              {"--backend", into(options.backend)},
              {"--program", into(options.program)},
              {"--data", into(options.data)},
              {"--peers", into(options.peers)},
              {"--into", into(output.into)},
              {"--json", into(output.json)},
              {"--csv", into(output.csv)}}}))
    return refuse();
  const Machine machine = thisMachine();
  const auto tell = [](const std::string& line) { std::cerr << line << '\n'; };
  write(runFilesBench(options, machine, tell), output);
  return 0;
}

int runPapers(int argc, char** argv) {
  using namespace sulcus::bench;
  PapersOptions options;
  options.data = realScans();
  options.tell = [](const std::string& line) { std::cerr << line << '\n'; };
  if (!read(
          argc, argv, 2,
          {{{"--quick", [&] { options.quick = true; }}},
           {{"--out", into(options.out)}, {"--paper", into(options.paper)}, {"--data", into(options.data)}}}))
    return refuse();
  const Machine machine = thisMachine();
  if (!machine.hasGpu) std::cerr << "No GPU: " << machine.gpu << ". Only the CPU is measured.\n";
  writePapers(paperExhibits(options, machine), machine, options.out);
  std::cout << (options.out / "papers.html").string() << '\n';
  return 0;
}

int runTracts(int argc, char** argv) {
  using namespace sulcus::bench;
  TractBenchOptions options;
  Output output;
  if (!read(argc, argv, 2,
            {{{"--quick", [&] { options = quickTractBench(); }}},
             {{"--only", into(options.only)},
              {"--seeds", [&](const std::string& seeds) { options.seeds = std::stoll(seeds); }},
              {"--shares",
               [&](const std::string& list) {
                 options.shares.clear();
                 for (const auto& number : partsOf(list)) options.shares.push_back(std::stoi(number));
               }},
              {"--json", into(output.json)},
              {"--csv", into(output.csv)}}}))
    return refuse();
  write(reportOf(runTractBench(options, [](const std::string& line) { std::cerr << line << '\n'; })), output);
  return 0;
}

/// A benchmark on simulated scans that counts what is found.
template <class Options, class Run>
int runSimulated(int argc, char** argv, Options options, Run runBench) {
  Output output;
  if (!read(argc, argv, 2,
            {{},
             {{"--only", into(options.only)},
              {"--seed", [&](const std::string& seed) { options.seed = std::stoull(seed); }},
              {"--json", into(output.json)},
              {"--csv", into(output.csv)}}}))
    return refuse();
  write(reportOf(runBench(options, [](const std::string& line) { std::cerr << line << '\n'; })), output);
  return 0;
}

int run(int argc, char** argv) {
  using namespace sulcus::bench;
  const std::string analysis = argc < 2 ? "" : argv[1];
  if (analysis == "fibers") return run(argc, argv, quickFiberBench(), runFiberBench);
  if (analysis == "activation") return run(argc, argv, quickActivationBench(), runActivationBench);
  if (analysis == "registration") return run(argc, argv, quickRegistrationBench(), runRegistrationBench);
  if (analysis == "crossings") return runSimulated(argc, argv, CrossingBenchOptions{}, runCrossingBench);
  if (analysis == "effects") return runSimulated(argc, argv, EffectsBenchOptions{}, runEffectsBench);
  if (analysis == "files") return runFiles(argc, argv);
  if (analysis == "papers") return runPapers(argc, argv);
  if (analysis == "pairs") return runPairs(argc, argv);
  if (analysis == "tracts") return runTracts(argc, argv);
  if (analysis == "surface") return run(argc, argv, quickSurfaceBench(), runSurfaceBench);
  return refuse();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const sulcus::Error& error) {
    std::cerr << error.what() << '\n';
    return int(error.kind());
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 5;
  }
}
