#include "app/analyses/template/template_making.h"
#include "app/cli/commands.h"
#include "app/cli/previews.h"
#include "app/cli/run.h"
#include "app/cli/template_files.h"

#include <filesystem>
#include <functional>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

namespace sulcus::app::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> filesOf(const RunRequest& request, const char* slot) {
  const auto given = request.files->bySlot.find(slot);
  return given == request.files->bySlot.end() ? std::vector<std::string>() : given->second;
}

/// The folder OUT.unfinished
fs::path unfinishedOf(const RunRequest& request) {
  const fs::path out = request.out;
  fs::path unfinished = out.has_filename() ? out : out.parent_path();
  return unfinished += ".unfinished";
}

RunResult makeFromFiles(const RunRequest& request, const OptionValues& values,
                        const std::function<void(Provenance&)>& complete, const io::StagedFiles& outputs,
                        const Progress& progress) {
  TemplateFiles files;
  files.images = filesOf(request, analyses::kPeopleImages);
  files.labels = filesOf(request, analyses::kPeopleLabels);
  files.names = analyses::peopleNames(files.images);
  files.values = values;
  files.backend = request.backends().front();
  files.unfinished = unfinishedOf(request);
  files.fileOf = [&](const std::string& name, const std::string& kind) {
    const std::string stem = name + "_" + kind;
    return request.choice.takes(stem) ? outputs.file(request.choice.fileOf(stem, ".nii.gz")) : fs::path();
  };
  files.complete = complete;
  if (!request.previews.empty()) files.preview = previewsInto(request.previews);
  try {
    return makeTemplateOf(files, progress);
  } catch (const Cancelled&) {
    if (fs::exists(files.unfinished))
      std::cerr << "The same call goes on from '" << files.unfinished.filename().string() << "'."
                << std::endl;
    throw;
  }
}

}  // namespace

Command addTemplate(CLI::App& program, const Analysis& analysis) {
  return addAnalysis(program, analysis, {makeFromFiles, [](const RunRequest& request) {
                                           std::error_code fault;
                                           fs::remove_all(unfinishedOf(request), fault);
                                         }});
}

}  // namespace sulcus::app::cli
