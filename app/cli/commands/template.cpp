#include "app/analyses/devices.h"
#include "app/analyses/registration/template_making.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/report.h"
#include "app/cli/template_files.h"
#include "app/cli/usage.h"
#include "core/base/error.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"
#include "core/io/streams/file_json.h"

#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

namespace fs = std::filesystem;

struct TemplateRequest {
  std::vector<std::string> images, labels;
  std::string out, backend = "cpu";
  int threads = 0;
  std::vector<int> devices;
  bool overwrite = false;
  GivenOptions options;
};

std::string stemOf(const fs::path& file) {
  std::string name = file.filename().string();
  for (const char* ending : {".nii.gz", ".nii", ".mgz", ".nrrd", ".mha", ".mif.gz", ".mif", ".mgh"})
    if (name.size() > std::string(ending).size() && name.ends_with(ending))
      return name.substr(0, name.size() - std::string(ending).size());
  return fs::path(name).stem().string();
}

/// A name for each file: its own, or with that of its folder where several are called alike.
std::vector<std::string> namesOf(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  for (const fs::path file : files) names.push_back(stemOf(file));
  if (std::set<std::string>(names.begin(), names.end()).size() == names.size()) return names;
  for (std::size_t i = 0; i < files.size(); ++i)
    names[i] = fs::absolute(files[i]).parent_path().filename().string() + "_" + names[i];
  if (std::set<std::string>(names.begin(), names.end()).size() < names.size())
    for (std::size_t i = 0; i < files.size(); ++i) names[i] += "_" + std::to_string(i + 1);
  return names;
}

void requireCall(const TemplateRequest& request) {
  if (!request.labels.empty() && request.labels.size() != request.images.size())
    throw Error(text("--labels names ", counted(std::int64_t(request.labels.size()), "file"), " for ",
                     counted(std::int64_t(request.images.size()), "image")),
                "each belongs to the image of the same place in the list", "give as many of either",
                ErrorKind::usage);
  if (request.backend == "cpu") {
    if (request.devices.size() > 1)
      throw Error("--device names several GPUs", "--backend is cpu", "give --backend gpu", ErrorKind::usage);
    return;
  }
  if (const DeviceReport report = analyses::listDevices(); report.devices.empty())
    throw Error("There is no GPU to run on", report.reason, "use --backend cpu", ErrorKind::unavailable);
  if (!request.devices.empty()) analyses::useDevices(request.devices);
}

int makeTemplateOf(const TemplateRequest& request, const CliContext& session) {
  requireCall(request);
  TemplateCall call;
  call.images = request.images;
  call.labels = request.labels;
  call.names = namesOf(request.images);
  call.out = request.out;
  call.values = resolveOptions(describeOptions<registration::PopulationOptions>(), {}, *request.options, "");
  call.backend = request.backend == "gpu" ? Backend::gpu : Backend::cpu;
  call.threads = request.threads;
  call.overwrite = request.overwrite;
  call.personFile = [](const std::string& name, const std::string& kind) {
    return "people/" + name + "_" + kind;
  };
  for (const char* kind : {"warped", "logjac", "displacement"})
    for (const char* ending : {".nii.gz", ".json"})
      call.personFiles.push_back(std::string("people/*_") + kind + ending);
  const registration::PopulationTemplate made = makeTemplateFiles(call, session);
  const auto lines = analyses::templateSummary(made, request.images.size());
  double seconds = 0;
  for (const auto& stage : made.stages) seconds += stage.seconds;
  if (session.json) {
    nlohmann::ordered_json json{{"out", request.out}, {"notes", lines}};
    for (const auto& stage : made.stages) json["StageSeconds"][stage.name] = stage.seconds;
    json["mean_logjac"] = made.meanLogJacobian;
    for (const auto& round : made.figures)
      json["rounds"].push_back(
          {{"spacing", round.spacing}, {"moved", round.moved}, {"correlation", round.correlation}});
    std::cout << io::jsonText(json);
    return exit_code::done;
  }
  for (const Note& line : lines) std::cout << sanitizedForDisplay(line.line()) << "\n";
  std::cout << "Made in " << shortNumber(seconds) << " s. Results in " << sanitizedForDisplay(request.out)
            << "\n";
  return exit_code::done;
}

}  // namespace

Command addTemplate(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "template", "Makes the template of several people: the unbiased average of their images and shapes");
  auto request = std::make_shared<TemplateRequest>();
  parser->add_option("IMAGES", request->images, "One image of each person, of one contrast")
      ->required()
      ->check(notEmpty("IMAGES"));
  parser
      ->add_option("--labels", request->labels,
                   "A segmentation of each person, in the order of the images: the template gets the labels "
                   "that most people have in a place")
      ->type_name("FILE...")
      ->check(notEmpty("--labels"))
      ->group("Files");
  parser
      ->add_option("--out", request->out,
                   "Folder for template.nii.gz and, in people, each person's warped image, log Jacobian and "
                   "displacement. An interrupted call continues where it stopped: until then its data are in "
                   "OUT.unfinished")
      ->type_name("DIR")
      ->required()
      ->check(notEmpty("--out"))
      ->group("Files");
  request->options = addOptionFlags(*parser, describeOptions<registration::PopulationOptions>());
  parser->add_option("--backend", request->backend, "cpu or gpu (default cpu)")
      ->type_name("NAME")
      ->check(oneOf("--backend", {"cpu", "gpu"}))
      ->group("Common");
  parser->add_option("--threads", request->threads, "Threads on the CPU, 0 for all (default 0)")
      ->type_name("N")
      ->check(wholeNumber("threads", 0, 4096))
      ->group("Common");
  parser->add_option("--device", request->devices, "Numbers of the CUDA devices, see sulcus-cli devices")
      ->type_name("K,...")
      ->delimiter(',')
      ->check(wholeNumber("device", 0, 1000))
      ->group("Common");
  addTalkFlags(*parser);
  parser->add_flag("--overwrite", request->overwrite, "Replace results that exist")->group("Common");
  return {parser, [request](const CliContext& session) { return makeTemplateOf(*request, session); }};
}

}  // namespace sulcus::app::cli
