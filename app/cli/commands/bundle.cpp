#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/scan.h"
#include "core/base/error.h"
#include "core/base/figure.h"
#include "core/base/numbers.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/labels/label_regions.h"
#include "core/image/tracts/line_clusters.h"
#include "core/image/tracts/tract_measures.h"
#include "core/image/tracts/tract_regions.h"
#include "core/io/files.h"
#include "core/io/streams/file_json.h"
#include "core/io/tracts/tract_files.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <numeric>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

constexpr std::string_view kLabel = "label:";

struct BundleRequest {
  std::string from, out, labels;
  std::vector<std::string> include, exclude, end;
  double clusters = 0;  ///< mm; 0: none
  bool overwrite = false;
};

/// Images of labels, each opened once.
class LabelImages {
 public:
  explicit LabelImages(const Progress& progress) : progress_(progress) {}
  const LabelsLayer& of(const std::string& file) {
    const auto [at, isNew] = opened_.try_emplace(file);
    if (isNew) {
      at->second = openScan(file, progress_, io::UnlabeledData::areLabels);
      if (!std::holds_alternative<LabelsLayer>(at->second.content)) at->second = asLabels(at->second);
    }
    return std::get<LabelsLayer>(at->second.content);
  }

 private:
  Progress progress_;
  std::map<std::string, Layer> opened_;
};

/// The region of "label:17", of the image of --labels, or "label:17,FILE".
TractRegion labelRegionFrom(const std::string& text, TractRegion::Role role, const std::string& usual,
                            LabelImages& images) {
  std::string name = text.substr(kLabel.size()), file = usual;
  if (const std::size_t comma = name.find(',');
      comma != std::string::npos && numberIn(name.substr(0, comma))) {
    file = name.substr(comma + 1);
    name.resize(comma);
  }
  if (file.empty())
    throw Error("It is not known which image '" + text + "' is of", "labels are numbers of an image",
                "give it by --labels", ErrorKind::usage);
  const LabelsLayer& image = images.of(file);
  const auto label = labelNamed(image, name);
  if (!label || std::ranges::find(image.labels->values, *label) == image.labels->values.end())
    throw Error(io::quotedPath(file) + " has no label '" + name + "'",
                "a region of lines is one of its labels", "give the number or the name of one that it has",
                ErrorKind::usage);
  return labelRegion(image.labels, *label, role);
}

std::vector<TractRegion> regionsOf(const BundleRequest& request, const Progress& progress) {
  std::vector<TractRegion> regions;
  LabelImages images(progress);
  const auto add = [&](const std::vector<std::string>& texts, TractRegion::Role role) {
    for (const auto& text : texts)
      regions.push_back(text.starts_with(kLabel) ? labelRegionFrom(text, role, request.labels, images)
                                                 : regionFrom(text, role));
  };
  add(request.include, TractRegion::Role::include);
  add(request.exclude, TractRegion::Role::exclude);
  add(request.end, TractRegion::Role::end);
  if (regions.empty() && request.clusters == 0)
    throw Error("No region is given", "all lines would be the bundle",
                "give --include, --exclude, --end or --clusters", ErrorKind::usage);
  return regions;
}

int bundle(const BundleRequest& request, const CliContext& session) {
  if (!request.out.empty()) {
    if (!io::tractFormatToWrite(request.out))
      throw Error("Cannot save as " + io::quotedPath(request.out), "a bundle holds tracts",
                  "end the name in .trx, .tck, .trk, .vtp or .vtk", ErrorKind::usage);
    io::requireLayerPlace(request.out, request.overwrite);
  }
  Layer layer;
  std::vector<TractRegion> regions;
  TractSummary summary;
  double volume = 0;
  std::size_t all = 0;
  std::vector<Tracts::Group> groups;
  {
    ProgressDisplay display(session);
    const Progress progress = display.progress();
    regions = regionsOf(request, progress.part(0, 0, ""));
    layer = io::openLayer(request.from, progress.part(0, 0.6, "read"));
    const Tracts& tracts = tractsOf(layer, "a file to take a bundle of");
    all = tracts.lines();
    const auto lines = linesChosen(tracts, regions, progress.part(0.6, 0.8, "choose lines"));
    summary = summaryOf(tracts, lines);
    volume = volumeOf(tracts, lines);
    auto chosen = std::make_shared<Tracts>(linesOf(tracts, lines));
    if (request.clusters > 0)
      chosen->groups = groups = clustersOf(*chosen, request.clusters, progress.part(0.8, 0.95, "clusters"));
    if (!request.out.empty()) {
      Layer made;
      made.name = layer.name;
      made.source = layer.source;
      made.content = TractsLayer{std::move(chosen), std::get<TractsLayer>(layer.content).scan};
      io::saveLayer(made, request.out, request.overwrite, progress.part(0.95, 1, "write"));
    }
  }
  if (session.json) {
    nlohmann::ordered_json json{{"lines", summary.lines},           {"of", all},
                                {"meanLength", summary.meanLength}, {"shortest", summary.shortest},
                                {"longest", summary.longest},       {"volume", volume}};
    for (const TractRegion& region : regions)
      json["regions"].push_back({{nameOf(region.role), textOf(region)}});
    for (const Tracts::Group& group : groups) json["clusters"].push_back(group.lines.size());
    if (!request.out.empty()) json["out"] = request.out;
    std::cout << io::jsonText(json);
    return exit_code::done;
  }
  std::cout << counted(std::int64_t(summary.lines), "line") << " of " << all << ", mean length "
            << shortNumber(summary.meanLength) << " mm (" << shortNumber(summary.shortest) << " … "
            << shortNumber(summary.longest) << "), volume " << shortNumber(volume / 1000) << " ml\n";
  if (groups.empty()) return exit_code::done;
  constexpr std::size_t kShown = 10;
  std::cout << counted(std::int64_t(groups.size()), "cluster") << ", lines in the largest:";
  for (std::size_t n = 0; n < std::min(kShown, groups.size()); ++n)
    std::cout << " " << groups[n].lines.size();
  std::cout << "\n";
  return exit_code::done;
}

}  // namespace

Command addBundle(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("bundle",
                                            "Extracts the lines of a tracts file that meet spheres, "
                                            "boxes or labels, as in the window, or groups similar lines");
  auto request = std::make_shared<BundleRequest>();
  addText(*parser, "IN", request->from, "Tracts: .trx, .tck, .trk, .vtp, .vtk, .tt.gz")->required();
  const auto regions = [&](const char* flag, std::vector<std::string>& texts, const char* help) {
    parser->add_option(flag, texts, help)
        ->type_name("REGION")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->check(notEmpty(flag))
        ->group("Regions");
  };
  regions("--include", request->include,
          "A region that lines must pass: sphere:x,y,z,radius or box:x,y,z,dx,dy,dz, mm RAS+, with "
          "full edge lengths; or label:17, a number or a name in the image of --labels, or label:17,FILE. Of "
          "several, all");
  regions("--exclude", request->exclude, "A region that no line may pass; may be repeated");
  regions("--end", request->end,
          "A region in which a line must begin or end. Of several, all, with both of its ends");
  parser
      ->add_option("--clusters", request->clusters,
                   "Groups similar lines: a line joins the group whose mean is nearest, within this mean "
                   "distance (QuickBundles)")
      ->type_name("MM")
      ->check(realNumber("clusters", 0.1, 500, "mm"))
      ->group("Regions");
  addText(*parser, "--labels", request->labels,
          "The image of the labels that are regions: --include label:17", "FILE")
      ->group("Regions");
  addText(*parser, "--out", request->out, "The file to write with these lines: .trx, .tck, .trk, .vtp, .vtk",
          "FILE")
      ->group("Files");
  addTalkFlags(*parser);
  parser->add_flag("--overwrite", request->overwrite, "Replace the file if it exists")->group("Common");
  return {parser, [request](const CliContext& session) { return bundle(*request, session); }};
}

}  // namespace sulcus::app::cli
