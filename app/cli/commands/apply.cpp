#include "app/analyses/registration/field_application.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/scan.h"
#include "app/cli/usage.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/grids/assumed_sides.h"
#include "core/image/grids/interpolation.h"
#include "core/image/transform_table.h"
#include "core/image/warp.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"
#include "core/io/tables/tables.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

/// A transform as it was given.
struct GivenTransform {
  std::vector<std::string> files;  ///< for a FLIRT matrix, the matrix and both its images
  bool inverse = false, flirt = false;
};

struct ApplyRequest {
  std::vector<GivenTransform> transforms;  ///< in the order of the command line
  std::string image, like, out, interpolation = "auto", convention = "auto";
  std::optional<double> fill;
  bool overwrite = false;
};

const char* conventionName(FieldConvention convention) {
  return convention == FieldConvention::itk ? "ITK and ANTs (LPS)" : "3D Slicer (RAS)";
}

/// The field in the requested convention.
Layer fieldOf(Layer layer, const std::string& convention) {
  const FieldConvention wanted = convention == "slicer" ? FieldConvention::slicer : FieldConvention::itk;
  if (const auto* volume = std::get_if<VolumeLayer>(&layer.content);
      volume && volume->series->count == 3 && convention != "auto")
    // Three volumes without an intent code: their numbers are as they were written.
    layer.content = DisplacementLayer{volume->series, FieldConvention::slicer};
  if (!std::holds_alternative<DisplacementLayer>(layer.content))
    throw Error("'" + layer.source + "' is not a displacement field", "it holds " + kindWithArticle(layer),
                "give a field written by registration (displacement.nii.gz); for three volumes that are a "
                "field, give its convention: --field-convention itk or slicer");
  return convention == "auto" ? layer : withConvention(layer, wanted);
}

/// A folder or file of any kind: an image, a surface or a table.
Layer openAny(const std::filesystem::path& path, const Progress& progress,
              io::UnlabeledData unstated = io::UnlabeledData::judged) {
  return std::filesystem::is_directory(path) ? openScan(path, progress, unstated)
                                             : io::openLayer(path, progress, unstated);
}

/// Facts about the transforms to report in addition to the notes of their application.
struct Said {
  std::optional<FieldConvention> read, used;  ///< of the fields
  Notes notes;
};

/// A FLIRT matrix, 4 × 4 numbers, as a transform between the spaces of its images.
Layer flirtOf(const std::vector<std::string>& files, Said& said, const Progress& progress) {
  Layer layer = io::openTable(files[0], progress);
  auto* const table = std::get_if<TableLayer>(&layer.content);
  const TableLayer plain = transformTable({});
  if (isTransform(layer) || table->columns.size() != 4 || table->rows.size() != 4)
    throw Error("'" + files[0] + "' is not a FLIRT matrix", "which has 4 lines of 4 numbers and no text",
                "give the file that flirt -omat wrote; --field takes transforms of other programs");
  table->columns = plain.columns;
  const Affine matrix = transformOf(layer, "a matrix of FLIRT");
  const Layer moving = openScan(files[1], progress), reference = openScan(files[2], progress);
  for (const Layer* image : {&moving, &reference})
    if (!gridOf(*image))
      throw Error("'" + image->name + "' is not an image", "it holds " + kindWithArticle(*image),
                  "give both images that flirt was given (-in and -ref)");
  for (Note& warning : sideWarnings({&moving, &reference})) said.notes.push_back(std::move(warning));
  layer.content = transformTable(templateFromReferenceOfFlirt(matrix, *gridOf(moving), *gridOf(reference)));
  return layer;
}

Layer openTransform(const GivenTransform& given, const std::string& convention, Said& said,
                    const Progress& progress) {
  if (given.flirt) return flirtOf(given.files, said, progress);
  Layer file = openAny(given.files[0], progress, io::UnlabeledData::asImage);
  if (isTransform(file)) return file;
  if (isTable(file))
    throw Error("'" + given.files[0] + "' is not a transform", "it does not say what its numbers map",
                "give affine.txt of a registration or a transform of ITK and ANTs (.txt, .tfm, .mat); for a "
                "matrix of FSL's FLIRT --flirt MATRIX IN REF, with both its images");
  const auto* asRead = std::get_if<DisplacementLayer>(&file.content);
  const std::optional<FieldConvention> read = asRead ? std::optional(asRead->convention) : std::nullopt;
  Layer field = fieldOf(std::move(file), convention);
  said.used = std::get<DisplacementLayer>(field.content).convention;
  said.read = read.value_or(*said.used);
  return field;
}

std::string conventionNote(const Said& said) {
  return *said.read == *said.used
             ? std::string("The field uses the convention of ") + conventionName(*said.used) + "."
             : std::string("The field was read in the convention of ") + conventionName(*said.used) +
                   ", although its header says " + conventionName(*said.read) + ".";
}

void checkRequest(const ApplyRequest& request) {
  if (request.transforms.empty())
    throw Error("No transform is given", "there is nothing to apply",
                "give --field, --inverse or --flirt, one or several", ErrorKind::usage);
  if (request.fill && !std::isfinite(*request.fill))
    throw Error("--fill is not finite", "no analysis can work with it", "give a number", ErrorKind::usage);
  std::vector<std::string> given{request.image, request.like};
  for (const GivenTransform& one : request.transforms)
    given.insert(given.end(), one.files.begin(), one.files.end());
  for (const auto& input : given)
    if (std::error_code fault; std::filesystem::equivalent(input, request.out, fault))
      throw Error(io::quotedPath(input) + " would be replaced", "it is an input of this run",
                  "choose another --out");
  io::requireLayerPlace(request.out, request.overwrite);
}

AnalysisInputs openApplied(const ApplyRequest& request, Said& said, const Progress& progress) {
  AnalysisInputs inputs;
  const auto add = [&](const char* slot, Layer layer) {
    inputs.emplace(slot, std::make_shared<const Layer>(std::move(layer)));
  };
  for (const GivenTransform& transform : request.transforms)
    add("field",
        openTransform(transform, request.convention, said, progress.part(0, 0.4, "read transforms")));
  const auto as = request.interpolation == "label" ? io::UnlabeledData::areLabels : io::UnlabeledData::judged;
  add("image", openAny(request.image, progress.part(0.4, 0.8, "read image"), as));
  if (!request.like.empty()) add("like", openScan(request.like, progress.part(0.8, 1, "read like")));
  return inputs;
}

OptionValues valuesOf(const ApplyRequest& request) {
  OptionValues values{{"interpolation", request.interpolation}};
  std::vector<std::string> inverse;  // the numbers of these transforms, from 1
  for (std::size_t i = 0; i < request.transforms.size(); ++i)
    if (request.transforms[i].inverse) inverse.push_back(std::to_string(i + 1));
  if (!inverse.empty()) values["inverse"] = joined(inverse, " ");
  if (request.fill) values["fill"] = formatOption(*request.fill);
  return values;
}

int apply(const ApplyRequest& request, const CliContext& session) {
  checkRequest(request);
  Layer applied;
  Said said;
  {
    ProgressDisplay display(session);
    const Progress progress = display.progress();
    const AnalysisInputs inputs = openApplied(request, said, progress.part(0, 0.5, ""));
    applied = analyses::applyField(inputs, valuesOf(request), progress.part(0.5, 0.9, "deform"));
    if (std::ranges::any_of(request.transforms, &GivenTransform::flirt)) {  // which needs its images
      auto made = std::make_shared<Provenance>(*applied.provenance);
      made->commandLine = session.call;
      applied.provenance = std::move(made);
    }
    applied.notes.insert(applied.notes.end(), said.notes.begin(), said.notes.end());
    io::saveLayer(applied, request.out, request.overwrite, progress.part(0.9, 1, "write"));
  }
  if (said.used) applied.notes.insert(applied.notes.begin(), conventionNote(said));
  if (session.json) {
    nlohmann::ordered_json json{{"out", request.out}, {"kind", kindOf(applied)}};
    if (said.used) json["field-convention"] = *said.used == FieldConvention::itk ? "itk" : "slicer";
    json["notes"] = applied.notes;
    json["warnings"] = warningsIn(applied.notes);
    std::cout << io::jsonText(json);
    return exit_code::done;
  }
  for (const auto& note : applied.notes) std::cout << sanitizedForDisplay(note.line()) << "\n";
  std::cout << sanitizedForDisplay(request.out) << ": " << described(applied) << "\n";
  return exit_code::done;
}

}  // namespace

Command addApply(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("apply",
                                            "Deforms another image, or moves a surface or points, as a "
                                            "registration deformed its template, by the saved displacement, "
                                            "or by several transforms in one interpolation");
  auto request = std::make_shared<ApplyRequest>();
  const auto file = [&](const char* flag, std::string& name, const char* help) {
    return addText(*parser, flag, name, help, "FILE")->group("Files");
  };
  const auto transform = [&](const char* flag, bool inverse, int files, const char* type, const char* help) {
    const auto keep = [request, inverse, files](const std::vector<std::string>& given) {
      for (std::size_t i = 0; i + std::size_t(files) <= given.size(); i += std::size_t(files))
        request->transforms.push_back(
            {{given.begin() + std::ptrdiff_t(i), given.begin() + std::ptrdiff_t(i) + files},
             inverse,
             files > 1});
    };
    parser->add_option_function<std::vector<std::string>>(flag, keep, help)
        ->type_name(type)
        ->expected(files)
        ->trigger_on_parse()  // in the order of the command line
        ->check(notEmpty(flag))
        ->group("Files");
  };
  transform("--field", false, 1, "FILE",
            "A displacement field written by registration, or a linear transform: its affine.txt, or one of "
            "ITK and ANTs (.txt, .tfm, .mat, .h5). If several are given, the image goes through the first "
            "one first: func_to_T1.txt, then T1_to_template.nii.gz. The image is interpolated once");
  transform("--inverse", true, 1, "FILE", "The inverse: from the reference to the template");
  transform("--flirt", false, 3, "MATRIX IN REF",
            "A matrix of FSL's FLIRT with the images that it maps from (-in) and to (-ref)");
  transform("--inverse-flirt", true, 3, "MATRIX IN REF", "The inverse: from REF to IN");
  file("--image", request->image,
       "What to deform: an image in the space of the template, of 3 or 4 dimensions; or a surface, or a "
       "table with columns x_mm, y_mm and z_mm, whose points are moved by the field")
      ->required();
  file("--like", request->like,
       "An image with the grid of the result, usually the reference (default: the grid of the last field; "
       "linear transforms have none)");
  file("--out", request->out,
       "The file to write: .nii.gz, .nii, .nrrd, .mha; .vtp, .ply, .stl, .obj, .gii; .tsv, .csv")
      ->required();
  parser
      ->add_option(
          "--interpolation", request->interpolation,
          "linear, cubic (a B-spline, which blurs less), nearest, or label: the label with the largest "
          "weight (default: label for labels, else cubic; linear where values are not finite)")
      ->type_name("NAME")
      ->check(oneOf("--interpolation", {kInterpolationNames.begin(), kInterpolationNames.end()}))
      ->group("Parameters");
  parser
      ->add_option("--fill", request->fill,
                   "The value outside the image or a field (default: 0; the median of the corners of an "
                   "image that is below 0 there, such as the air of a CT)")
      ->type_name("X")
      ->group("Parameters");
  parser
      ->add_option("--field-convention", request->convention,
                   "Convention of the field: auto (by its header, default), itk (also ANTs; LPS) or "
                   "slicer (RAS)")
      ->type_name("NAME")
      ->check(oneOf("--field-convention", {"auto", "itk", "slicer"}))
      ->group("Parameters");
  addTalkFlags(*parser);
  parser->add_flag("--overwrite", request->overwrite, "Replace the file if it exists")->group("Common");
  return {parser, [request](const CliContext& session) { return apply(*request, session); }};
}

}  // namespace sulcus::app::cli
