#include "ui/jobs/file_jobs.h"

#include "core/base/error.h"
#include "tests/core/io/io_test_support.h"
#include "tests/ui/fake_analysis.h"
#include "tests/ui/qt_folder.h"
#include "tests/ui/wait.h"
#include "ui/jobs/qt_post.h"

#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <atomic>

#include <gtest/gtest.h>

namespace sulcus::ui::jobs {
namespace {

using test::shared;
using test::volumeLayer;

struct FileJobsTest : testing::Test {
  test::QtFolder folder;
  QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
  model::LayerStack layers;
  model::JobListModel jobs;
  model::RecentFiles recent{settings};
  JobQueue queue{qtPost(&jobs)};
  FileJobs files{layers, jobs, recent, queue};
  QSignalSpy idle{&files, &FileJobs::idle}, saved{&files, &FileJobs::saved},
      failed{&files, &FileJobs::failed};

  QByteArray contentOf(const QString& path) {
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::ReadOnly));
    return file.readAll();
  }
};

TEST_F(FileJobsTest, OpensWhatItHasSaved) {
  const QString file = folder.filePath("image.nii.gz");
  files.save(layers.add(shared(volumeLayer("image", {4, 5, 6}))), file);
  ASSERT_TRUE(saved.wait(kWait));
  std::vector<model::LayerId> taken;
  files.open({file}, [&](model::LayerId id) { taken.push_back(id); });
  ASSERT_TRUE(QTest::qWaitFor([&] { return files.pending() == 0; }, kWait));
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_EQ(layers.find(taken.front())->name, "image 2");
  EXPECT_EQ(recent.paths(), QStringList{file});
  EXPECT_EQ(failed.count(), 0);
}

TEST_F(FileJobsTest, ShowsTheFirstOfManyImagesOfTheSameColors) {
  QStringList paths;
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    paths << folder.filePath(QStringLiteral("%1.nii.gz").arg(name));
    files.save(shared(volumeLayer(name, {4, 5, 6})), paths.back());
  }
  ASSERT_TRUE(QTest::qWaitFor([&] { return files.pending() == 0; }, kWait));
  QSignalSpy hidden(&files, &FileJobs::hidden);
  files.open(paths);
  ASSERT_TRUE(QTest::qWaitFor([&] { return files.pending() == 0; }, kWait));
  ASSERT_EQ(layers.layers().size(), 5u);
  for (const model::LayerState& state : layers.layers())
    EXPECT_EQ(state.display.visible, state.name == layers.layers().front().name) << qPrintable(state.name);
  EXPECT_EQ(layers.current(), layers.layers().front().id);
  EXPECT_EQ(hidden.count(), 4);
  EXPECT_EQ(hidden.back().front().toInt(), 4);
  layers.clear();
  files.open(paths.mid(0, 2));
  ASSERT_TRUE(QTest::qWaitFor([&] { return files.pending() == 0; }, kWait));
  for (const model::LayerState& state : layers.layers()) EXPECT_TRUE(state.display.visible);
}

TEST_F(FileJobsTest, PutsAnImageBelowTheLabelsThatWereOpenedBefore) {
  const QString file = folder.filePath("scan.nii.gz");
  const model::LayerId under = layers.add(shared(volumeLayer("image", {4, 5, 6})));
  files.save(under, file);
  ASSERT_TRUE(saved.wait(kWait));
  Layer atlas = volumeLayer("atlas", {4, 5, 6});
  atlas.content = LabelsLayer{std::make_shared<const Volume<Label>>(*gridOf(atlas))};
  const model::LayerId labels = layers.add(shared(atlas));
  files.open({file});
  ASSERT_TRUE(QTest::qWaitFor([&] { return layers.layers().size() == 3; }, kWait));
  EXPECT_EQ(layers.layers()[0].id, under);
  EXPECT_EQ(layers.layers()[1].name, "scan");
  EXPECT_EQ(layers.layers()[2].id, labels) << "they would be covered";
  layers.move(labels, 0);
  files.open({file});
  ASSERT_TRUE(QTest::qWaitFor([&] { return layers.layers().size() == 4; }, kWait));
  EXPECT_EQ(layers.layers()[3].name, "scan 2") << "images lie over images";
}

/// A series that takes a while to read.
struct LargeSeries : FileJobsTest {
  const QString file = folder.filePath("series.nii");
  std::vector<model::LayerId> added;

  LargeSeries() {
    test::Nifti1 header;
    header.dim = {4, 128, 128, 16, 70};
    header.datatype = 2;  // unsigned bytes
    std::string bytes = header.header().data;
    bytes.resize(352 + std::size_t(128 * 128 * 16 * 70), 1);
    bytes.back() = 9;
    test::writeBytes(file.toStdString(), bytes);
    QObject::connect(&layers, &model::LayerStack::added, [this](model::LayerId id) { added.push_back(id); });
  }
  const Series<float>& series() {
    return *std::get<VolumeLayer>(layers.layers().back().layer->content).series;
  }
  bool waitForFirst() {
    return QTest::qWaitFor([this] { return !added.empty(); }, kWait);
  }
  bool waitForAll() {
    return QTest::qWaitFor([this] { return files.pending() == 0; }, kWait);
  }
};

TEST_F(LargeSeries, IsShownByItsFirstVolumeBeforeTheRestIsRead) {
  files.open({file});
  ASSERT_TRUE(waitForFirst());
  ASSERT_EQ(layers.layers().size(), 1u);
  EXPECT_EQ(series().count, 1);
  EXPECT_EQ(layers.layers().back().origin, model::Origin::temporary);
  layers.rename(added.front(), "mine");
  Display display = layers.layers().back().display;
  display.colormap = "hot";
  layers.setDisplay(added.front(), display);
  ASSERT_TRUE(waitForAll());
  ASSERT_EQ(layers.layers().size(), 1u);
  EXPECT_EQ(series().count, 70);
  EXPECT_EQ(series().values.back(), 9);
  EXPECT_EQ(layers.layers().back().origin, model::Origin::given);
  EXPECT_EQ(layers.layers().back().name, "mine");
  EXPECT_EQ(layers.layers().back().display.colormap, "hot");
  EXPECT_EQ(layers.current(), added.front());
  EXPECT_EQ(added, (std::vector{added.front(), added.front()})) << "it came to stay";
}

TEST_F(LargeSeries, IsNotOpenedWhenItsFirstVolumeIsRemoved) {
  files.open({file});
  ASSERT_TRUE(waitForFirst());
  layers.remove(added.front());
  ASSERT_TRUE(waitForAll());
  EXPECT_TRUE(layers.empty());
  EXPECT_EQ(failed.count(), 0);
}

TEST_F(LargeSeries, LeavesNothingWhenTheRestIsDamaged) {
  // The wrong checksum of a gzip file is only found at its end.
  QFile plain(file);
  ASSERT_TRUE(plain.open(QIODevice::ReadOnly));
  const QString packed = folder.filePath("packed.nii.gz");
  test::writeGzip(packed.toStdString(), plain.readAll().toStdString());
  std::string bytes = test::readBytes(packed.toStdString());
  bytes[bytes.size() - 6] ^= 1;
  test::writeBytes(packed.toStdString(), bytes);
  files.open({packed});
  ASSERT_TRUE(waitForFirst());
  ASSERT_TRUE(waitForAll());
  EXPECT_TRUE(layers.empty());
  EXPECT_EQ(failed.count(), 1);
}

TEST_F(FileJobsTest, EncodesOnTheWorker) {
  const QString file = folder.filePath("bytes.png");
  std::atomic<bool> remote = false;
  files.saveBytes(
      [&, thread = QThread::currentThread()] {
        remote = QThread::currentThread() != thread;
        return std::string("bytes");
      },
      file);
  ASSERT_TRUE(saved.wait(kWait));
  EXPECT_TRUE(remote);
  EXPECT_EQ(contentOf(file), "bytes");
  EXPECT_EQ(saved.front()[0].toString(), file);
}

TEST_F(FileJobsTest, WritesNothingWhenTheEncodingFails) {
  const QString file = folder.filePath("picture.tif");
  files.saveBytes([]() -> std::string { throw Error("It cannot be encoded", "no writer", "save as .png"); },
                  file);
  ASSERT_TRUE(idle.wait(kWait));
  ASSERT_EQ(failed.count(), 1);
  EXPECT_EQ(failed.front()[0].toString(), "Save picture.tif");
  EXPECT_EQ(failed.front()[1].toString(), "It cannot be encoded (no writer): save as .png");
  EXPECT_FALSE(QFile::exists(file));
}

TEST_F(FileJobsTest, SavesTextOverAnExistingFile) {
  const QString file = folder.filePath("table.csv");
  for (const char* text : {"a,b\n", "c\n"}) {
    files.saveText(QString::fromUtf8(text), file);
    ASSERT_TRUE(saved.wait(kWait));
    EXPECT_EQ(contentOf(file), text);
  }
}

}  // namespace
}  // namespace sulcus::ui::jobs
