#include "ui/jobs/movie_file.h"

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/platform/files/file_places.h"
#include "core/base/sanitized.h"
#include "core/io/files.h"
#include "core/io/streams/atomic_file.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/staged_files.h"

#include <QProcess>
#include <QStandardPaths>
#include <QStringList>
#include <cstdio>
#include <utility>

namespace sulcus::ui::jobs {
namespace {

namespace fs = std::filesystem;

const QString kFfmpeg = QStringLiteral("ffmpeg");

std::string frameName(int index) {
  char name[32];
  std::snprintf(name, sizeof name, "frame_%04d.png", index + 1);
  return name;
}

/// Makes an MP4 from the frames in a folder. Throws Error with the last line of ffmpeg's output.
void encode(const fs::path& folder, double framesPerSecond, const fs::path& video, const Progress& progress) {
  QProcess ffmpeg;
  ffmpeg.setStandardInputFile(QProcess::nullDevice());
  ffmpeg.setProcessChannelMode(QProcess::MergedChannels);
  // Frames are named without their folder: it has the name of the movie, and ffmpeg would read "50 %" as a
  // pattern.
  ffmpeg.setWorkingDirectory(QString::fromStdString(folder.string()));
  // H.264 in 4:2:0, which every player supports, needs even dimensions.
  ffmpeg.start(kFfmpeg, {QStringLiteral("-y"), QStringLiteral("-loglevel"), QStringLiteral("error"),
                         QStringLiteral("-framerate"), QString::fromStdString(numberText(framesPerSecond)),
                         QStringLiteral("-i"), QStringLiteral("frame_%04d.png"), QStringLiteral("-vf"),
                         QStringLiteral("pad=ceil(iw/2)*2:ceil(ih/2)*2"), QStringLiteral("-c:v"),
                         QStringLiteral("libx264"), QStringLiteral("-crf"), QStringLiteral("16"),
                         QStringLiteral("-pix_fmt"), QStringLiteral("yuv420p"), QStringLiteral("-movflags"),
                         QStringLiteral("+faststart"), QString::fromStdString(fs::absolute(video).string())});
  try {
    while (!ffmpeg.waitForFinished(100)) {
      if (ffmpeg.state() == QProcess::NotRunning) break;
      progress.throwIfCancelled();
    }
  } catch (const Cancelled&) {
    ffmpeg.kill();
    ffmpeg.waitForFinished();
    throw;
  }
  if (ffmpeg.error() == QProcess::FailedToStart)
    throw Error("The movie cannot be written as MP4", "ffmpeg is not installed",
                "install it (Debian: apt install ffmpeg), or save the frames as pictures");
  if (ffmpeg.exitStatus() != QProcess::NormalExit || ffmpeg.exitCode() != 0) {
    const QString said = QString::fromUtf8(ffmpeg.readAll()).trimmed().section(QLatin1Char('\n'), -1);
    throw Error("ffmpeg failed to write the movie", sanitizedForDisplay(said.toStdString(), 200),
                "save the frames as pictures, or choose another size");
  }
}

}  // namespace

bool MovieFrames::hasRoom() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size() < kMostOnTheWay;
}

void MovieFrames::put(Frame frame) {
  const std::lock_guard lock(mutex_);
  if (closed_ || put_ == count_) return;
  waiting_.push_back(std::move(frame));
  ++put_;
  changed_.notify_all();
}

bool MovieFrames::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

void MovieFrames::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  waiting_.clear();
}

MovieFrames::Frame MovieFrames::take(const Progress& progress) {
  std::unique_lock lock(mutex_);
  while (waiting_.empty()) {
    changed_.wait_for(lock, std::chrono::milliseconds(50));
    lock.unlock();
    progress.throwIfCancelled();
    lock.lock();
  }
  Frame frame = std::move(waiting_.front());
  waiting_.pop_front();
  return frame;
}

bool hasFfmpeg() { return !QStandardPaths::findExecutable(kFfmpeg).isEmpty(); }

void writeMovie(MovieFrames& frames, double framesPerSecond, const fs::path& file, const std::string& note,
                const Progress& progress) {
  struct Close {
    MovieFrames& frames;
    ~Close() { frames.close(); }
  } const close{frames};
  const bool video = file.extension() == ".mp4";
  const fs::path json = file.string() + ".json";
  const auto places = [&] { return io::StagedFiles::scan(file, {json}, fs::exists(file)); };
  if (video)
    (void)places();  // an unwritable destination is reported before the work starts
  else if (fs::exists(fs::symlink_status(file)))
    io::failExists(file);
  io::Temporary folder(file.parent_path(), file.filename().string(), io::Temporary::Kind::folder);
  const Progress drawing = progress.part(0, video ? 0.8 : 1, "draw frames");
  for (int i = 0; i < frames.count(); ++i) {
    io::writeFile(folder.path() / frameName(i), frames.take(drawing)());
    drawing.update(double(i + 1) / frames.count());
  }
  if (!video) {
    io::writeFile(folder.path() / "movie.json", note);
    if (const int code = renameTo(folder.path(), file, false)) io::failWriting(file, code);
    folder.keep();
    return;
  }
  io::StagedFiles staged = places();
  encode(folder.path(), framesPerSecond, staged.file(file.filename()), progress.part(0.8, 1, "write MP4"));
  io::writeStaged(staged.file(json.filename()), note);
  staged.publish();
}

}  // namespace sulcus::ui::jobs
