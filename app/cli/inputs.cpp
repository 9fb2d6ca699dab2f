#include "app/cli/inputs.h"

#include "core/analysis/command_line.h"
#include "core/base/parallel/parallel_for.h"
#include "core/image/transform_table.h"
#include "core/io/files.h"

#include <algorithm>
#include <exception>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

namespace fs = std::filesystem;

bool takes(const InputSlot& slot, LayerContent content) {
  Layer layer;
  layer.content = std::move(content);
  return !slot.accepts || slot.accepts(layer);
}

bool takesSeveral(const InputSlot& slot) { return slot.many || !slot.overflow.empty(); }

/// Whether an input may be given without its flag: a single one, and so may the only required one, or the
/// first of those of which exactly one is needed where no other input is required. Several files only where
/// no other input has to be chosen: words after a list could be meant for that list.
bool needsNoFlag(const InputSlot& slot, const std::vector<InputSlot>& slots) {
  const auto required = std::ranges::count(slots, true, &InputSlot::required);
  const bool choosesOne = std::ranges::any_of(slots, [](const auto& one) { return !one.oneOf.empty(); });
  const bool isFirst = &slot == &slots.front() && required == 0 && !slot.oneOf.empty() && !takesSeveral(slot);
  const bool isOnly = slot.required && required == 1 && (!takesSeveral(slot) || !choosesOne);
  return slots.size() == 1 || isOnly || isFirst;
}

/// What a file without a label is taken for.
io::UnlabeledData unlabeledIn(const InputSlot& slot) {
  if (slot.labels) return io::UnlabeledData::areLabels;
  // Three numbers per voxel can be peaks only if the slot accepts peaks.
  return takes(slot, PeaksLayer{}) ? io::UnlabeledData::judged : io::UnlabeledData::asImage;
}

/// Flags that give the gradients of `dwi` if they are not next to it.
void addGradientFlags(CLI::App& parser, CLI::Option* dwi, GradientFiles& files) {
  const auto add = [&](const char* flag, std::string& file, const char* help) {
    parser.add_option(flag, file, help)->type_name("FILE")->needs(dwi)->group("Inputs");
  };
  add("--bval", files.bval, "b-values of --dwi (FSL); default: the files next to it");
  add("--bvec", files.bvec, "Gradient directions of --dwi (FSL)");
  add("--grad", files.grad, "Gradient table of --dwi (MRtrix): rows of x y z b");
  parser
      .add_option("--" + std::string(kGradientAxes), files.axes,
                  "Flips or exchanges the axes of the image for these directions, such as '-x y z'; see "
                  "sulcus-cli info --check-gradients")
      ->type_name("AXES")
      ->needs(dwi)
      ->group("Inputs");
}

}  // namespace

std::size_t InputFiles::count() const {
  std::size_t files = 0;
  for (const auto& [slot, names] : bySlot) files += names.size();
  return files;
}

std::shared_ptr<InputFiles> addInputFlags(CLI::App& parser, const std::vector<InputSlot>& slots) {
  auto files = std::make_shared<InputFiles>();
  for (const auto& slot : slots) {
    const auto keep = [files, name = slot.name,
                       overflow = slot.overflow](const std::vector<std::string>& given) {
      const auto own = overflow.empty() ? given.end() : given.begin() + 1;
      files->bySlot[name].insert(files->bySlot[name].end(), given.begin(), own);
      if (own != given.end()) files->bySlot[overflow].assign(own, given.end());
    };
    const bool several = takesSeveral(slot);
    std::string flags = needsNoFlag(slot, slots) ? slot.name + ",--" + slot.name : "--" + slot.name;
    if (!slot.alias.empty()) flags += ",--" + slot.alias;
    CLI::Option* input = parser.add_option_function<std::vector<std::string>>(flags, keep, slot.help);
    input->type_name(several ? "FILE..." : "FILE")->required(slot.required)->group("Inputs");
    if (!several) input->expected(1);
    if (slot.name == kDiffusionSlot) addGradientFlags(parser, input, files->gradients);
  }
  return files;
}

Layer openInput(const InputSlot& slot, const fs::path& file, const Progress& progress) {
  const auto unstated = unlabeledIn(slot);
  const bool mayBeOther = slot.accepts &&
                          (takes(slot, TableLayer{}) || takes(slot, transformTable({})) ||
                           takes(slot, MeshLayer{}) || takes(slot, TractsLayer{})) &&
                          !fs::is_directory(file);
  return mayBeOther ? io::openLayer(file, progress, unstated) : openScan(file, progress, unstated);
}

AnalysisInputs openInputs(const std::vector<InputSlot>& slots, const InputFiles& files,
                          const Progress& progress) {
  struct Input {
    const InputSlot* slot;
    fs::path file;
    std::shared_ptr<const Layer> layer = nullptr;
    std::exception_ptr fault = nullptr;
  };
  std::vector<Input> given;
  for (const auto& slot : slots)
    if (const auto found = files.bySlot.find(slot.name); found != files.bySlot.end())
      for (const auto& file : found->second) given.push_back({&slot, file});
  parallelFor(std::int64_t(given.size()), 1, progress, [&](std::int64_t i) {
    Input& one = given[std::size_t(i)];
    try {
      Layer read = openInput(*one.slot, one.file, progress.part(0, 0, "read " + one.slot->name));
      if (one.slot->name == kDiffusionSlot) read = withGradients(std::move(read), files.gradients);
      one.layer = std::make_shared<const Layer>(std::move(read));
    } catch (...) {
      one.fault = std::current_exception();
    }
  });
  AnalysisInputs inputs;
  for (const Input& one : given) {
    if (one.fault) std::rethrow_exception(one.fault);  // of several the first, however they were read
    inputs.emplace(one.slot->name, one.layer);
  }
  return inputs;
}

}  // namespace sulcus::app::cli
