#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/scan.h"
#include "core/base/sanitized.h"
#include "core/image/diffusion/harmonics_image.h"
#include "core/image/display/layer_kinds.h"
#include "core/io/files.h"
#include "core/io/streams/file_json.h"
#include "core/io/tracts/tract_files.h"

#include <iostream>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

struct ConvertRequest {
  std::string from, to, series;
  bool overwrite = false, half = false;
};

int convert(const ConvertRequest& request, const CliContext& session) {
  io::requirePlace(request.to, request.overwrite);
  Layer layer;
  {
    ProgressDisplay display(session);
    const Progress progress = display.progress();
    layer = openScanOrSurface(request.from, progress.part(0, 0.7, "read"), request.series);
    // A file of tensors is shown by their principal directions, but written with its own content.
    if (const auto* peaks = std::get_if<PeaksLayer>(&layer.content);
        peaks && peaks->tensor && !isFunctionAlone(layer))
      layer = openScan(request.from, progress.part(0, 0.7, "read"), io::UnlabeledData::asImage);
    io::saveLayer(layer, request.to, request.overwrite, progress.part(0.7, 1, "write"), request.half);
  }
  if (session.json)
    std::cout << io::jsonText(nlohmann::ordered_json{{"from", request.from},
                                                     {"to", request.to},
                                                     {"kind", kindOf(layer)},
                                                     {"warnings", warningsIn(layer.notes)}});
  else
    std::cout << sanitizedForDisplay(request.to) << ": " << described(layer) << "\n";
  printWarnings(layer, session);
  if (const auto* lines = std::get_if<TractsLayer>(&layer.content); lines && !session.json && !session.quiet)
    if (const std::string lost = io::lostIn(*io::tractFormatToWrite(request.to), *lines->tracts);
        !lost.empty())
      std::cerr << "Warning: omitted " << lost << ": the format of B cannot store them; .trx can.\n";
  return exit_code::done;
}

}  // namespace

Command addConvert(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("convert",
                                            "Writes a scan, a surface or tracts in another format, chosen by "
                                            "the extension: .nii, .nii.gz, .nrrd, .mha; .vtp, "
                                            ".ply, .stl, .obj, .gii; .trx, .tck, .trk, .vtp, .vtk");
  auto request = std::make_shared<ConvertRequest>();
  addText(*parser, "A", request->from,
          "A scan, surface or tracts in any format that is read, or a folder with one DICOM series")
      ->required();
  addText(*parser, "B", request->to, "The file to write; gradients are written next to it")->required();
  parser->add_option("--series", request->series,
                     "Of a folder with several DICOM series: its number, or a part of its description");
  parser->add_flag("--half", request->half,
                   "Of tracts as .trx: positions of 16 bits, half the size, up to 0.03 mm off within 128 mm "
                   "of 0, 0, 0");
  addTalkFlags(*parser);
  parser->add_flag("--overwrite", request->overwrite, "Replace B if it exists")->group("Common");
  return {parser, [request](const CliContext& session) { return convert(*request, session); }};
}

}  // namespace sulcus::app::cli
