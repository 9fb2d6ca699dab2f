#include "ui/jobs/file_jobs.h"

#include "core/image/display/layer_kinds.h"
#include "core/image/labels/label_regions.h"
#include "core/image/table_places.h"
#include "core/io/dicom/dicom_patient.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/staged_files.h"
#include "ui/jobs/qt_post.h"
#include "ui/model/comparison/result_files.h"
#include "ui/model/text/localize.h"

#include <QFileInfo>
#include <QPointer>
#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace sulcus::ui::jobs {
namespace {

std::filesystem::path pathOf(const QString& text) { return std::filesystem::path(text.toStdString()); }

FileJobs::Opened openWithTables(const std::filesystem::path& file, const Progress& progress,
                                const io::FirstVolume& first) {
  std::vector<Layer> all = io::openLayers(file, progress, io::UnlabeledData::judged, first);
  FileJobs::Opened opened{std::move(all.front()), {}, {}};
  std::move(all.begin() + 1, all.end(), std::back_inserter(opened.others));
  const auto* volume = std::get_if<VolumeLayer>(&opened.layer.content);
  if (!volume || volume->series->count < 2) return opened;
  const io::TablesBeside tables = io::findTablesBeside(file);
  for (const auto& [role, path] :
       {std::pair("design", tables.design), {"events", tables.events}, {"confounds", tables.confounds}}) {
    if (path.empty()) continue;
    try {
      opened.beside.emplace_back(QLatin1String(role), io::openTable(path, progress));
    } catch (const Error& fault) {  // no reason to refuse the scan
      opened.layer.notes.emplace_back(fault.message());
    }
  }
  return opened;
}

/// Whether a layer of a run is as the run made it. Only labels can be painted on afterwards, and the files of
/// a run contain what it made.
bool isAsWritten(const Layer& layer, const std::vector<Layer>& written) {
  const auto* shown = std::get_if<LabelsLayer>(&layer.content);
  return !shown || std::ranges::any_of(written, [&](const Layer& one) {
    const auto* labels = std::get_if<LabelsLayer>(&one.content);
    return labels && labels->labels->values == shown->labels->values;
  });
}

/// Jobs of the queue return something; writing has nothing to return.
struct Nothing {};

}  // namespace

FileJobs::FileJobs(model::LayerStack& layers, model::JobListModel& jobs, model::RecentFiles& recent,
                   JobQueue& files, QObject* parent)
    : QObject(parent), layers_(layers), jobs_(jobs), recent_(recent), files_(files) {}

template <class Work, class Deliver>
model::JobId FileJobs::submit(const QString& name, Work work, Deliver deliver,
                              const std::function<void(model::JobId, JobState)>& reported) {
  const model::JobId job = jobs_.add(name, {});
  ++pending_;
  const auto report = [this, job, name, reported](JobReport what) {
    if (reported) reported(job, what.state);
    jobs_.report(job, what);
    if (what.state == JobState::queued || what.state == JobState::running) return;
    --pending_;
    if (what.state == JobState::failed) emit failed(name, model::localizeForWindow(what.error));
    if (pending_ == 0) emit idle();
  };
  jobs_.setTicket(job, files_.submit(std::move(work), std::move(deliver), report));
  return job;
}

/// Files that are opened together.
struct FileJobs::MultiFileOpen {
  std::map<std::string, model::LayerId> shown;  ///< the visible image of each map of colors
  int hidden = 0;

  /// The visible image that this one would lie over or under, or 0.
  model::LayerId rivalOf(const Layer& layer) const {
    const auto same = shown.find(layer.display.colormap);
    return std::holds_alternative<VolumeLayer>(layer.content) && same != shown.end() ? same->second : 0;
  }
};

void FileJobs::open(const QStringList& paths, const Then& then) {
  constexpr int kManyImages = 4;  // two or three are often looked at as overlays
  const auto together = paths.size() >= kManyImages ? std::make_shared<MultiFileOpen>() : nullptr;
  QStringList others;
  std::vector<std::filesystem::path> slices;  // DICOM files, which are opened by series
  for (const QString& path : paths)
    if (io::isDicomIndex(pathOf(path)))
      others << QFileInfo(path).absolutePath();
    else if (paths.size() > 1 && QFileInfo(path).isFile() && io::isDicom(pathOf(path)))
      slices.push_back(pathOf(path));
    else
      others << path;
  for (const QString& path : others)
    QFileInfo(path).isDir() ? openFolder(path, then) : openFile(path, then, together);
  if (slices.empty()) return;
  submit(
      tr("Look for DICOM series"),
      [slices](const Progress& progress) { return io::dicomSeriesOf(slices, progress); },
      [this, then](const std::vector<io::DicomSeries>& series) {
        for (const io::DicomSeries& one : series) openSeries(one, then);
      });
}

void FileJobs::openFile(const QString& path, const Then& then,
                        const std::shared_ptr<MultiFileOpen>& together) {
  // The layer that shows the first volume of a large series, until the whole series is shown.
  const auto early = std::make_shared<model::LayerId>(0);
  const auto showFirst = [post = qtPost(&jobs_), self = QPointer(this), early](Layer first) {
    post([self, early, layer = std::make_shared<const Layer>(std::move(first))] {
      if (!self) return;
      *early = self->layers_.add(layer, model::Origin::temporary);
      self->lowerImage(*early);
    });
  };
  submit(
      tr("Open %1").arg(QFileInfo(path).fileName()),
      [file = pathOf(path), showFirst](const Progress& progress) {
        return openWithTables(file, progress, showFirst);
      },
      [this, path, then, early, together](Opened found) {
        recent_.add(path);
        if (*early && !layers_.find(*early)) return;  // it was removed meanwhile
        show(std::move(found), then, *early, together);
      },
      [this, early](model::JobId job, JobState state) {
        if (state == JobState::failed || state == JobState::cancelled) layers_.remove(*early);
        if (state == JobState::running && *early && !layers_.find(*early)) jobs_.cancel(job);
      });
}

std::vector<std::pair<QString, model::LayerId>> FileJobs::addTables(
    std::vector<std::pair<QString, Layer>> found) {
  std::vector<std::pair<QString, model::LayerId>> tables;
  for (auto& [role, table] : found) {
    const auto& all = layers_.layers();
    const auto open = std::find_if(all.begin(), all.end(), [&](const model::LayerState& state) {
      return state.layer->source == table.source;
    });
    if (open != all.end()) {
      tables.emplace_back(role, open->id);
    } else {
      tables.emplace_back(role, layers_.add(std::make_shared<const Layer>(std::move(table))));
      besideScans_.insert(tables.back().second);
    }
  }
  return tables;
}

void FileJobs::show(Opened found, const Then& then, model::LayerId early,
                    const std::shared_ptr<MultiFileOpen>& together) {
  if (const model::LayerId known = foundBefore(found.layer)) {
    emit opened(known);
    if (then) then(known);
    return;
  }
  const auto tables = addTables(std::move(found.beside));  // below the scan, which ends up on top
  for (Layer& other : found.others) layers_.add(std::make_shared<const Layer>(std::move(other)));
  const model::LayerId rival = together ? together->rivalOf(found.layer) : 0;
  if (rival) found.layer.display.visible = false;
  if (rival && early) layers_.setVisible(early, false);
  const bool isImage = std::holds_alternative<VolumeLayer>(found.layer.content);
  const std::string colors = found.layer.display.colormap;
  const model::LayerId scan = take(std::move(found.layer), then, early);
  if (together && isImage && !rival) together->shown[colors] = scan;
  if (rival) {
    layers_.setCurrent(rival);
    emit hidden(++together->hidden);
  }
  for (const auto& [role, table] : tables) emit foundBeside(table, role, scan);
}

void FileJobs::openFolder(const QString& path, const Then& then) {
  if (const QStringList files = model::filesOfRun(path); !files.isEmpty()) {
    for (const QString& file : files) openFile(file, then);
    return;
  }
  if (const auto fixels = io::fixelDirectionsIn(pathOf(path)); !fixels.empty())
    return openFile(QString::fromStdString(fixels), then);
  submit(
      tr("Look for DICOM series in %1").arg(QFileInfo(path).fileName()),
      [folder = pathOf(path)](const Progress& progress) { return io::findDicomSeries(folder, progress); },
      [this, path, then](std::vector<io::DicomSeries> series) {
        if (series.empty()) {
          emit failed(
              tr("Open %1").arg(path),
              tr("'%1' contains no DICOM series (folders are opened as DICOM): choose the folder with the "
                 "scan's files, or open a single file.")
                  .arg(path));
          return;
        }
        recent_.add(path);
        if (series.size() == 1)
          openSeries(series.front(), then);
        else
          emit seriesFound(path, series, then);
      });
}

void FileJobs::openSeries(const io::DicomSeries& series, const Then& then) {
  submit(
      tr("Open %1").arg(QString::fromStdString(series.description)),
      [series](const Progress& progress) { return io::openDicomSeries(series, progress); },
      [this, then](Layer layer) { take(std::move(layer), then); });
}

void FileJobs::lookAt(const io::DicomSeries& series, const std::function<void(const io::Thumbnail&)>& then) {
  constexpr int kThumbnail = 64;  // pixels
  files_.submit([series](const Progress& progress) { return io::thumbnailOf(series, kThumbnail, progress); },
                then);
}

void FileJobs::findPatients(model::LayerId id, const std::function<void(const QStringList&)>& then) {
  const model::LayerState* state = layers_.find(id);
  if (!state) return;
  submit(
      tr("Patient's name of %1").arg(state->name),
      [place = std::filesystem::path(state->layer->source)](const Progress& progress) {
        return io::patientNames(place, progress);
      },
      [then](const std::vector<std::string>& names) {
        QStringList all;
        for (const std::string& name : names) all << QString::fromStdString(name);
        then(all);
      });
}

model::LayerId FileJobs::take(Layer layer, const Then& then, model::LayerId early) {
  auto content = std::make_shared<const Layer>(std::move(layer));
  if (early) layers_.settle(early, content);
  const model::LayerId id = early ? early : layers_.add(content);
  if (!early) lowerImage(id);
  emit opened(id);
  if (then) then(id);
  return id;
}

void FileJobs::replace(model::LayerId id, const QString& job, std::function<Layer(const Layer&)> make,
                       const Then& then) {
  const model::LayerState* state = layers_.find(id);
  if (!state) return;
  submit(
      job.arg(state->name),
      [before = state->layer, make = std::move(make)](const Progress&) {
        return std::pair(before, std::make_shared<const Layer>(make(*before)));
      },
      [this, id, then](const std::pair<LayerPtr, LayerPtr>& made) {
        const model::LayerState* now = layers_.find(id);
        if (!now || now->layer != made.first) return;  // replaced meanwhile
        layers_.replaceContent(id, made.second, now->unsaved);
        if (then) then(id);
      });
}

void FileJobs::make(const QString& name, std::function<Layer(const Progress&)> make, const Then& then) {
  makeAll(
      name, [make = std::move(make)](const Progress& progress) { return std::vector{make(progress)}; }, then);
}

void FileJobs::makeAll(const QString& name, std::function<std::vector<Layer>(const Progress&)> make,
                       const Then& then) {
  submit(
      name, [make = std::move(make)](const Progress& progress) { return make(progress); },
      [this, then](std::vector<Layer> made) {
        for (auto layer = made.rbegin(); layer != made.rend(); ++layer) {
          const model::LayerId id =
              layers_.add(std::make_shared<const Layer>(std::move(*layer)), model::Origin::computed);
          if (then) then(id);
        }
      });
}

void FileJobs::takeAsLabels(model::LayerId id) {
  replace(id, tr("Interpret %1 as labels"), asLabels,
          [this](model::LayerId reinterpret) { layers_.showAtFirst(reinterpret); });
}

void FileJobs::takeAsVolume(model::LayerId id) {
  replace(id, tr("Interpret %1 as a volume"), asVolume,
          [this](model::LayerId reinterpret) { layers_.showAtFirst(reinterpret); });
}

void FileJobs::takeAs(model::LayerId id, const Reinterpretation& reinterpretation) {
  replace(
      id, tr("Reinterpret %1"),
      [reinterpretation](const Layer& layer) { return reinterpret(layer, reinterpretation); },
      [this, sameKind = reinterpretation.how.starts_with("axes")](model::LayerId changed) {
        if (!sameKind) layers_.showAtFirst(changed);
      });
}

void FileJobs::nameLabels(model::LayerId id, const QString& file) {
  replace(id, tr("Names of %1"), [path = pathOf(file)](const Layer& labels) {
    Layer layer = labels;
    auto names = std::make_shared<const LabelTable>(io::openLabelNames(path));
    std::get<LabelsLayer>(layer.content).names = std::move(names);
    replaceNote(layer.notes, Note("Names of labels from " + io::quotedPath(path) + ", as chosen here.")
                                 .about(Subject::labelNames));
    return layer;
  });
}

void FileJobs::loadPointValues(model::LayerId id, const QString& file) {
  const model::LayerState* state = layers_.find(id);
  if (!state) return;
  replace(
      id, tr("Values of %1"),
      [path = pathOf(file)](const Layer& surface) {
        auto mesh = std::make_shared<Mesh>(meshOf(surface, "surface"));
        io::addPointValues(*mesh, path);
        Layer layer = surface;
        layer.content = MeshLayer{std::move(mesh)};
        layer.source.clear();  // its file does not contain them: a session stores it
        layer.notes.push_back("Values from " + io::quotedPath(path) + ", as chosen here.");
        return layer;
      },
      [this, before = state->layer](model::LayerId changed) {
        int index = 0;  // among the new values
        for (const auto& scalars : meshOf(*layers_.find(changed)->layer, "surface").pointScalars) {
          if (!meshOf(*before, "surface").pointScalars.contains(scalars.first)) {
            layers_.setVolume(changed, index);
            break;
          }
          ++index;
        }
        layers_.showAtFirst(changed);
      });
}

void FileJobs::loadGradients(model::LayerId id, const QString& file) {
  replace(id, tr("Gradients of %1"), [path = pathOf(file)](const Layer& scan) {
    const Series<float>& series = *volumeOf(scan, "series").series;
    Layer layer = scan;
    io::replaceGradients(layer, io::readGradients(path, series.grid, series.count));
    return layer;
  });
}

model::JobId FileJobs::write(const QString& file, std::function<void(const Progress&)> writer,
                             const std::function<void()>& written) {
  return work(tr("Save %1").arg(QFileInfo(file).fileName()), std::move(writer), [this, file, written] {
    if (written) written();
    emit saved(file);
  });
}

model::JobId FileJobs::work(const QString& name, std::function<void(const Progress&)> what,
                            const std::function<void()>& done, const std::function<void()>& otherwise) {
  return submit(
      name,
      [what = std::move(what)](const Progress& progress) {
        progress.throwIfCancelled();
        what(progress);
        return Nothing{};
      },
      [done](Nothing) { done(); },
      [otherwise](model::JobId, JobState state) {
        if (otherwise && (state == JobState::failed || state == JobState::cancelled)) otherwise();
      });
}

void FileJobs::save(model::LayerId id, const QString& file) {
  const model::LayerState* state = layers_.find(id);
  if (!state) return;
  const LayerPtr layer = state->layer;
  writeLayer(layer, file, [this, id, layer] { layers_.setSaved(id, layer); });
}

void FileJobs::save(const LayerPtr& layer, const QString& file) { writeLayer(layer, file, {}); }

model::JobId FileJobs::writeLayer(const LayerPtr& layer, const QString& file,
                                  const std::function<void()>& written) {
  const bool replaces = QFileInfo::exists(file);
  return write(
      file,
      [layer, path = pathOf(file), replaces](const Progress& progress) {
        io::saveLayer(*layer, path, replaces, progress);
      },
      written);
}

void FileJobs::saveRun(const model::RunPtr& run, const QString& folder) {
  std::vector<std::pair<model::LayerId, LayerPtr>> shown;
  for (const model::LayerId id : run->layers)
    if (const model::LayerState* state = layers_.find(id)) shown.emplace_back(id, state->layer);
  const auto saved = std::make_shared<std::vector<std::pair<model::LayerId, LayerPtr>>>();
  const model::JobId job = write(
      folder,
      [recipe = *run, path = pathOf(folder), shown, saved](const Progress& progress) {
        const std::vector<Layer> written = jobs::saveRun(recipe, path, progress);
        std::ranges::copy_if(shown, std::back_inserter(*saved),
                             [&](const auto& one) { return isAsWritten(*one.second, written); });
      },
      [this, saved] {
        for (const auto& [id, layer] : *saved) layers_.setSaved(id, layer);
      });
  if (!run->adjusted) return;
  for (const ResultFile& file : run->result->files)
    if (file.adjustable)
      jobs_.log(job, tr("%1 was skipped (it belongs to the values before the result was adjusted): run "
                        "again to get it.")
                         .arg(QString::fromStdString(file.name)));
}

void FileJobs::openRun(const QString& folder,
                       const std::function<const Analysis*(const std::string&)>& analysisOf,
                       const std::function<void(SavedRun)>& then) {
  submit(
      tr("Open %1").arg(QFileInfo(folder).fileName()),
      [path = pathOf(folder), analysisOf](const Progress& progress) {
        return jobs::openRun(path, analysisOf, progress);
      },
      then);
}

void FileJobs::saveBytes(std::function<std::string()> encode, const QString& file, const std::string& note) {
  write(file, [encode = std::move(encode), path = pathOf(file), note](const Progress&) {
    if (note.empty()) return io::writeFile(path, encode(), true);
    const std::filesystem::path json = path.string() + ".json";
    io::StagedFiles files = io::StagedFiles::scan(path, {json}, true);
    io::writeStaged(files.file(path.filename()), encode());
    io::writeStaged(files.file(json.filename()), note);
    files.publish();
  });
}

void FileJobs::saveText(const QString& text, const QString& file, const std::string& note) {
  saveBytes([bytes = text.toStdString()] { return bytes; }, file, note);
}

}  // namespace sulcus::ui::jobs
