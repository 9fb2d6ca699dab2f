#include "app/analyses/registration/field_application.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/scan.h"
#include "app/cli/usage.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/image/interpolation.h"
#include "core/io/byte_source.h"
#include "core/io/file_json.h"
#include "core/io/files.h"

#include <filesystem>
#include <iostream>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

struct ApplyRequest {
  std::string field, image, like, out, interpolation = "auto", convention = "auto";
  bool overwrite = false;
};

const char* conventionName(FieldConvention convention) {
  return convention == FieldConvention::itk ? "ITK and ANTs (LPS)" : "3D Slicer (RAS)";
}

/// The field, by the convention asked for.
Layer fieldOf(Layer layer, const std::string& convention) {
  const FieldConvention wanted = convention == "slicer" ? FieldConvention::slicer : FieldConvention::itk;
  if (const auto* volume = std::get_if<VolumeLayer>(&layer.content);
      volume && volume->series->count == 3 && convention != "auto")
    // Three volumes without an intent code: their numbers are as they were written.
    layer.content = DisplacementLayer{volume->series, FieldConvention::slicer};
  if (!std::holds_alternative<DisplacementLayer>(layer.content))
    throw Error("'" + layer.source + "' is no displacement field", "it holds " + kindOf(layer),
                "give a field as registration writes it (displacement.nii.gz); for three volumes that are "
                "one, say how: --field-convention itk or slicer");
  return convention == "auto" ? layer : withConvention(layer, wanted);
}

/// A folder or file of any kind: an image, a surface or a table.
Layer openAny(const std::filesystem::path& path, const Progress& progress) {
  return std::filesystem::is_directory(path) ? openScan(path, progress) : io::openLayer(path, progress);
}

int apply(const ApplyRequest& request, const Session& session) {
  for (const auto& input : {request.field, request.image, request.like})
    if (std::error_code fault; std::filesystem::equivalent(input, request.out, fault))
      throw Error(io::quotedPath(input) + " would be replaced", "it is an input of this run",
                  "choose another --out");
  io::requireLayerPlace(request.out, request.overwrite);
  Layer applied;
  FieldConvention read{}, used{};
  {
    ProgressDisplay display(session);
    const Progress progress = display.progress();
    const Layer file =
        openScan(request.field, progress.part(0, 0.2, "read field"), io::Unstated::areMeasurements);
    const Layer field = fieldOf(file, request.convention);
    used = std::get<DisplacementLayer>(field.content).convention;
    const auto* asRead = std::get_if<DisplacementLayer>(&file.content);
    read = asRead ? asRead->convention : used;
    AnalysisInputs inputs{{"field", std::make_shared<const Layer>(field)},
                          {"image", std::make_shared<const Layer>(
                                        openAny(request.image, progress.part(0.2, 0.4, "read image")))}};
    if (!request.like.empty())
      inputs.emplace("like", std::make_shared<const Layer>(
                                 openScan(request.like, progress.part(0.4, 0.5, "read like"))));
    applied = analyses::applyField(inputs, {{"interpolation", request.interpolation}},
                                   progress.part(0.5, 0.9, "deform"));
    io::saveLayer(applied, request.out, request.overwrite, progress.part(0.9, 1, "write"));
  }
  applied.notes.insert(applied.notes.begin(),
                       read == used
                           ? std::string("The field is by the convention of ") + conventionName(used) + "."
                           : std::string("The field was taken by the convention of ") + conventionName(used) +
                                 ", although its header says " + conventionName(read) + ".");
  if (session.json) {
    std::cout << io::jsonText(
        nlohmann::ordered_json{{"out", request.out},
                               {"kind", kindOf(applied)},
                               {"field-convention", used == FieldConvention::itk ? "itk" : "slicer"},
                               {"notes", applied.notes}});
    return exit_code::done;
  }
  for (const auto& note : applied.notes) std::cout << printable(note) << "\n";
  std::cout << printable(request.out) << ": " << described(applied) << "\n";
  return exit_code::done;
}

}  // namespace

Command addApply(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("apply",
                                            "Deforms another image, or moves a surface or points, as a "
                                            "registration deformed its template, by the saved displacement");
  auto request = std::make_shared<ApplyRequest>();
  const auto file = [&](const char* flag, std::string& name, const char* help) {
    return parser->add_option(flag, name, help)->type_name("FILE")->check(notEmpty(flag))->group("Files");
  };
  file("--field", request->field, "The displacement field, as registration writes it")->required();
  file(
      "--image", request->image,
      "What to deform: an image in the space of the template, of 3 or 4 dimensions; or a surface, or a table "
      "with columns x_mm, y_mm and z_mm, whose points go where the field leads")
      ->required();
  file("--like", request->like,
       "An image on the grid wanted, usually the reference (default: the grid of the field)");
  file("--out", request->out,
       "The file to write: .nii.gz, .nii, .nrrd, .mha; .vtp, .ply, .stl, .obj, .gii; .tsv, .csv")
      ->required();
  parser
      ->add_option("--interpolation", request->interpolation,
                   "linear, nearest, or label: the label with the largest weight (default: label for labels, "
                   "else linear)")
      ->type_name("NAME")
      ->check(oneOf("--interpolation", {kInterpolationNames.begin(), kInterpolationNames.end()}))
      ->group("Parameters");
  parser
      ->add_option(
          "--field-convention", request->convention,
          "How the field's numbers are meant: auto (by its header, default), itk (also ANTs; LPS) or "
          "slicer (RAS)")
      ->type_name("NAME")
      ->check(oneOf("--field-convention", {"auto", "itk", "slicer"}))
      ->group("Parameters");
  addTalkFlags(*parser);
  parser->add_flag("--overwrite", request->overwrite, "Replace the file if it exists")->group("Common");
  return {parser, [request](const Session& session) { return apply(*request, session); }};
}

}  // namespace sulcus::app::cli
