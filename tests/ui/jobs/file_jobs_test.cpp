#include "ui/jobs/file_jobs.h"

#include "core/base/error.h"
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

TEST_F(FileJobsTest, EncodesOnTheWorker) {
  const QString file = folder.filePath("bytes.png");
  std::atomic<bool> elsewhere = false;
  files.saveBytes(
      [&, thread = QThread::currentThread()] {
        elsewhere = QThread::currentThread() != thread;
        return std::string("bytes");
      },
      file);
  ASSERT_TRUE(saved.wait(kWait));
  EXPECT_TRUE(elsewhere);
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
