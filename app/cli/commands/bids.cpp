#include "app/analyses/table.h"
#include "app/cli/commands.h"
#include "app/cli/study/group_statistics.h"
#include "app/cli/study/study.h"
#include "app/cli/study/study_template.h"
#include "app/cli/usage.h"
#include "core/base/error.h"
#include "core/bids/study_traits.h"
#include "core/io/streams/byte_source.h"

#include <algorithm>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

constexpr const char* kComparesPeople = "group";

/// The inputs that can be given for all scans of a study, as opposed to those found in it.
std::vector<InputSlot> commonSlots(const Analysis& analysis) {
  const auto found =
      analysis.study ? bids::foundSlots(analysis) : std::vector<std::string>{"maps", "people", "variances"};
  std::vector<InputSlot> slots;
  for (InputSlot slot : analysis.inputs) {
    if (slot.name == "truth" || std::find(found.begin(), found.end(), slot.name) != found.end()) continue;
    slot.required = false;
    slot.help += "; the same for every scan";
    slots.push_back(std::move(slot));
  }
  return slots;
}

void addSelectionFlags(CLI::App& parser, StudyRequest& request) {
  const auto add = [&](const char* flag, std::vector<std::string>& labels, const char* what) {
    parser.add_option(flag, labels, std::string("Only these ") + what + ": labels, with or without prefix")
        ->type_name("LABEL...")
        ->group("Scans");
  };
  add("--participant-label", request.selection.subjects, "participants");
  add("--session-label", request.selection.sessions, "sessions");
  add("--task-label", request.selection.tasks, "tasks");
  add("--run-label", request.selection.runs, "runs");
  addText(parser, "--filter", request.filterFile,
          "JSON file that selects scans by entities: {\"bold\": {\"space\": \"T1w\"}}", "FILE")
      ->group("Scans");
  parser
      .add_flag("--join-runs", request.joinRuns,
                "With activation: the runs of a participant, session and task in one model, instead of each "
                "separately")
      ->disable_flag_override()
      ->group("Scans");
  parser
      .add_flag("--skip-bids-validation", request.skipValidation,
                "Also accept a folder without a valid dataset_description.json")
      ->disable_flag_override()
      ->group("Scans");
}

/// The value of --analysis, wherever that is; "" if it is not given.
std::string analysisIn(const std::vector<std::string>& words) {
  const std::string flag = "--analysis";
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == flag && i + 1 < words.size()) return words[i + 1];
    if (words[i].starts_with(flag + "=")) return words[i].substr(flag.size() + 1);
  }
  return {};
}

void addSlurmFlags(CLI::App& parser, SlurmRequest& slurm) {
  const std::string
      submit =
          "Submit the participants that are not done to Slurm: one array job, and the group level after it",
      dryRun = "Print what would be submitted to Slurm";
  parser.add_flag("--slurm", slurm.submit, submit)->disable_flag_override()->group("Slurm");
  parser.add_flag("--slurm-dry-run", slurm.dryRun, dryRun)->disable_flag_override()->group("Slurm");
  addText(parser, "--partition", slurm.partition, "Partition; default: that of the cluster", "NAME")
      ->group("Slurm");
  addText(parser, "--time", slurm.time,
          "Time limit for a participant, in sbatch's format; default: based on participants already "
          "done with the same parameters, or, if none is, on the analysis's own estimate",
          "TIME")
      ->group("Slurm");
  parser
      .add_option("--gpus", slurm.gpus,
                  "GPUs of each task, 1 or 0 (default 1 with --backend gpu or both, else 0)")
      ->type_name("N")
      ->check(wholeNumber("gpus", 0, 64))
      ->group("Slurm");
  parser.add_option("--max-jobs", slurm.jobs, "Participants at a time (default 0: no limit)")
      ->type_name("K")
      ->check(wholeNumber("max-jobs", 0, 100000))
      ->group("Slurm");
}

int runStudy(StudyRequest request, const CliContext& session) {
  if (request.devices.size() == 1) request.run.devices = request.devices;
  if (request.makesTemplate) {
    if (request.level == "group") return runStudyTemplate(request, session);
    throw Error("--template makes the template of all participants", "it belongs to the level group",
                "give the level group, after the participants", ErrorKind::usage);
  }
  const bool comparesPeople = request.run.analysis && !request.run.analysis->study;
  if (request.level == "group")
    return comparesPeople ? runGroupStatistics(request, session) : runGroup(request, session);
  if (comparesPeople)
    throw Error(request.run.analysis->title + " compares people", "its maps are those of all participants",
                "run another analysis at the level participant, then this one at the level group",
                ErrorKind::usage);
  if (request.joinRuns && request.run.analysis &&
      bids::studyTraits(*request.run.analysis).scans.joined.empty())
    throw Error("--join-runs cannot be used with " + request.run.analysis->name,
                "it has no model for several runs", "leave it out", ErrorKind::usage);
  if (!request.run.analysis)
    throw Error("--analysis is required", "there are several", "give one of them: see sulcus-cli bids --help",
                ErrorKind::usage);
  return runParticipants(request, session);
}

}  // namespace

std::vector<std::string> studyAnalysisNames(const std::vector<Analysis>& table) {
  std::vector<std::string> names;
  for (const Analysis* one : bids::studyAnalyses(table)) names.push_back(one->name);
  names.emplace_back(kComparesPeople);
  return names;
}

Command addBids(CLI::App& program, const std::vector<Analysis>& table,
                const std::vector<std::string>& words) {
  CLI::App* parser = program.add_subcommand(
      "bids",
      "Runs an analysis on every scan of a study in BIDS, and makes tables and a report of all (BIDS App). "
      "sulcus-cli bids --analysis NAME --help shows the parameters of an analysis");
  auto request = std::make_shared<StudyRequest>();
  request->words = words;
  addText(*parser, "BIDS_DIR", request->folder,
          "Folder of the study: raw scans, or derivatives of fMRIPrep or QSIPrep")
      ->required();
  addText(*parser, "OUT_DIR", request->out, "Folder for the results, made when missing")->required();
  parser->add_option("LEVEL", request->level, "participant: every scan; group: results of all participants")
      ->required()
      ->check(oneOf("LEVEL", {"participant", "group"}));
  parser
      ->add_option("--analysis", request->analysisName,
                   "What to run; the level group uses everything that was run, and with group compares the "
                   "participants by their maps in a common space and the study's participants.tsv")
      ->type_name("NAME")
      ->check(oneOf("--analysis", studyAnalysisNames(table)))
      ->group("Scans");
  addSelectionFlags(*parser, *request);
  const std::string analysis = analysisIn(words);
  for (const Analysis& one : table)
    if (one.name == analysis && (one.study || one.name == kComparesPeople)) request->run.analysis = &one;
  auto files = std::make_shared<InputFiles>();
  if (const Analysis* run = request->run.analysis) {
    files = addInputFlags(*parser, commonSlots(*run));
    addPresetFlag(*parser, run->presets, request->run.preset);
    request->run.options = addOptionFlags(*parser, run->options);
    addRunFlags(*parser, request->run);
    // A study distributes its participants, not the steps of a run.
    parser->remove_option(parser->get_option("--device"));
    parser
        ->add_option("--device", request->devices,
                     "Numbers of the CUDA devices among which the participants are divided (default 0)")
        ->type_name("K,...")
        ->delimiter(',')
        ->check(wholeNumber("device", 0, 1000))
        ->group("Common");
    parser
        ->add_option("--jobs", request->runsAtOnce,
                     "Runs at a time, on each GPU or on the CPU, so that some read and write while others "
                     "compute (default 6 with --backend gpu, else 1)")
        ->type_name("N")
        ->check(wholeNumber("jobs", 1, 64))
        ->group("Common");
    parser->add_option("--at-once", request->runsAtOnce)->check(wholeNumber("at-once", 1, 64))->group("");
    parser->add_flag("--worker", request->isWorker, "Set by this program when it calls itself")->group("");
  }
  request->run.files = files;
  parser
      ->add_flag("--template", request->makesTemplate,
                 "At the level group: make the template of the participants' T1w images, and transform the "
                 "maps of activation and fibers to it (space-template)")
      ->disable_flag_override()
      ->group("Scans");
  if (request->run.analysis && !request->run.analysis->study)
    parser
        ->add_option("--maps", request->maps,
                     "Which maps are compared: a part of their names, such as contrast-faces_stat-estimate "
                     "(default: least-squares effects of activation, log Jacobians and anisotropy)")
        ->type_name("WORDS")
        ->group("Scans");
  addSlurmFlags(*parser, request->slurm);
  parser->add_flag("--dry-run", request->dryRun, "Print what would be run on which files, and run nothing")
      ->disable_flag_override()
      ->group("Common");
  addTalkFlags(*parser);
  parser->add_flag("--overwrite", request->run.overwrite, "Repeat runs that are already done")
      ->group("Common");
  return {parser, [request](const CliContext& session) { return runStudy(*request, session); }};
}

}  // namespace sulcus::app::cli
