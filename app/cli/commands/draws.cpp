#include "app/analyses/activation/saved_draws_run.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "app/cli/usage.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"
#include "core/io/streams/file_json.h"
#include "core/io/streams/result_folder.h"

#include <iostream>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

struct DrawsRequest {
  std::string folder, out;
  std::vector<std::string> contrasts;
  activation::ActivationOptions options;  ///< those of a run
  bool overwrite = false;
};

int draws(const DrawsRequest& request, const CliContext& session) {
  activation::ActivationOptions options = request.options;
  options.contrast = joined(request.contrasts, "; ");
  const std::vector<std::string> outputs{"ppm_*", "hpd_*", "mean_*", "sd_*", "interval_*"};
  std::vector<Layer> layers;
  {
    ProgressDisplay display(session);
    const Progress progress = display.progress();
    auto staged = io::StagedFiles::results(request.out, io::resultNames(outputs), request.overwrite);
    layers = activation::savedDrawLayers(analyses::openDraws(request.folder, progress.part(0, 0.4, "read")),
                                         options, progress.part(0.4, 0.8, "maps"));
    Provenance provenance;
    provenance.analysis = "draws";
    provenance.version = sulcusVersion();
    provenance.created = utcNow();
    provenance.commandLine = session.call;
    io::writeResult(layers, {}, provenance, {staged}, progress.part(0.8, 1, "write"));
    staged.publish();
  }
  if (session.json) {
    nlohmann::ordered_json json{{"out", request.out}};
    for (const auto& layer : layers) json["layers"].push_back(layer.name);
    std::cout << io::jsonText(json);
    return exit_code::done;
  }
  std::cout << sanitizedForDisplay(request.out) << ": " << layers.size() << " maps of saved draws\n";
  return exit_code::done;
}

}  // namespace

Command addDraws(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "draws",
      "Makes the maps of an activation run again from its saved draws: other contrasts, another γ, "
      "without the scan");
  auto request = std::make_shared<DrawsRequest>();
  addText(*parser, "--run-dir", request->folder, "The folder of a run with --save-draws", "DIR")
      ->required()
      ->group("Files");
  addText(*parser, "--out", request->out, "The folder for the maps", "DIR")->required()->group("Files");
  parser
      ->add_option("--contrast", request->contrasts,
                   "Weights of the regressors or a sum of them, as of activation; may be repeated")
      ->type_name("TEXT")
      ->take_all()
      ->expected(1)
      ->group("Parameters");
  parser
      ->add_option("--gamma", request->options.gamma,
                   "ppm_… is the share of draws above it, in the unit of the coefficients (default 0)")
      ->type_name("X")
      ->check(realNumber("gamma", -1e6, 1e6))
      ->group("Parameters");
  parser
      ->add_option("--probability", request->options.probability,
                   "Voxels are shown from this share on (default 0.95)")
      ->type_name("P")
      ->check(realNumber("probability", 0, 1))
      ->group("Parameters");
  addTalkFlags(*parser);
  parser->add_flag("--overwrite", request->overwrite, "Replace existing maps")->group("Common");
  return {parser, [request](const CliContext& session) { return draws(*request, session); }};
}

}  // namespace sulcus::app::cli
