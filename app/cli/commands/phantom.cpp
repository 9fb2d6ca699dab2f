#include "app/analyses/table.h"
#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/scan.h"
#include "core/base/error.h"
#include "core/base/sanitized.h"
#include "core/io/files.h"
#include "core/io/streams/file_json.h"
#include "core/io/streams/staged_files.h"

#include <iostream>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

struct PhantomRequest {
  const Analysis* analysis = nullptr;
  GivenOptions given;
  std::shared_ptr<InputFiles> files;  ///< what the phantom is made from, if anything was given
  std::string out;
  bool overwrite = false;
};

/// The file name of an input: that of its slot, or of the layer if the slot has several.
std::string fileName(const AnalysisInputs& inputs, const AnalysisInputs::value_type& input) {
  const auto& [slot, layer] = input;
  return (inputs.count(slot) == 1 ? slot : layer->name) + usualExtension(*layer);
}

/// The possible file names, as far as known before the phantom is made.
std::vector<std::string> namesOf(const Analysis& analysis) {
  std::vector<std::string> names{"phantom.json"};
  for (const auto& slot : analysis.inputs)
    for (const char* extension : {".nii.gz", ".json", ".bval", ".bvec", ".tsv", ".vtp", ".vtp.json"})
      names.push_back(slot.name + extension);
  return names;
}

AnalysisInputs phantomOf(const PhantomRequest& request, const OptionValues& values,
                         const Progress& progress) {
  const Analysis& analysis = *request.analysis;
  if (request.files->count() == 0) return analysis.demo(values);
  return analysis.phantomOf(openInputs(analysis.phantomInputs, *request.files, progress), values);
}

void addKeys(const std::map<std::string, std::string>& keys, const std::filesystem::path& sidecar) {
  if (keys.empty()) return;
  auto json = io::openJson(sidecar);
  for (const auto& [key, value] : keys) json[key] = value;
  io::writeStaged(sidecar, io::jsonText(json));
}

int makePhantom(const PhantomRequest& request, const CliContext& session) {
  const OptionValues values = resolveOptions(request.analysis->demoOptions, {}, *request.given, "");
  io::StagedFiles outputs =
      io::StagedFiles::results(request.out, namesOf(*request.analysis), request.overwrite);
  ProgressDisplay display(session);
  const Progress progress = display.progress();
  const AnalysisInputs inputs = phantomOf(request, values, progress.part(0, 0.3, ""));
  double begun = 0.3;
  for (const auto& input : inputs) {
    const std::string name = fileName(inputs, input);
    const double end = begun + 0.7 / double(inputs.size());
    io::writeStaged(outputs.file(name), *input.second, progress.part(begun, end, "write " + name));
    begun = end;
  }
  if (const auto& keysOf = request.analysis->demoSidecar)
    addKeys(keysOf(values), outputs.file(request.analysis->inputs.front().name + ".json"));
  io::writeStaged(outputs.file("phantom.json"), io::optionsJson(values));
  const auto files = outputs.publish();

  if (session.json) {
    nlohmann::ordered_json json{{"phantom", request.analysis->name}, {"out", request.out}};
    for (const auto& file : files) json["files"].push_back(file.string());
    std::cout << io::jsonText(json);
    return exit_code::done;
  }
  for (const auto& input : inputs)
    std::cout << sanitizedForDisplay(fileName(inputs, input)) << ": " << described(*input.second) << "\n";
  return exit_code::done;
}

}  // namespace

std::vector<Command> addPhantoms(CLI::App& program) {
  CLI::App* parent = program.add_subcommand("phantom", "Makes a test scan with a known answer");
  parent->require_subcommand(1);
  std::vector<Command> commands;
  for (const auto& analysis : analyses::table()) {
    if (!analysis.demo) continue;
    CLI::App* parser =
        parent->add_subcommand(analysis.name, "The scan of the demo \"" + analysis.demoTitle + "\"");
    parser->group("Phantoms");
    auto request = std::make_shared<PhantomRequest>();
    request->analysis = &analysis;
    parser->add_option("--out", request->out, "Folder for the scan and its truth files")
        ->type_name("DIR")
        ->required()
        ->check(notEmpty("--out"))
        ->group("Files");
    request->files = addInputFlags(*parser, analysis.phantomInputs);
    request->given = addOptionFlags(*parser, analysis.demoOptions);
    addTalkFlags(*parser);
    parser->add_flag("--overwrite", request->overwrite, "Replace files that exist")->group("Common");
    commands.push_back(
        {parser, [request](const CliContext& session) { return makePhantom(*request, session); }});
  }
  return commands;
}

}  // namespace sulcus::app::cli
