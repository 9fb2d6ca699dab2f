#pragma once

#include "core/io/dicom/dicom_thumbnail.h"
#include "core/io/files.h"
#include "ui/model/views/commands.h"

#include <QFileDialog>
#include <QWidget>
#include <functional>
#include <string>
#include <vector>

namespace sulcus::ui::widgets {

/// Lets the user choose among the DICOM series of a folder; `chosen` receives each chosen one. `lookAt` is
/// asked for a thumbnail of each. Returns at once.
void pickSeries(QWidget* parent, const QString& folder, const std::vector<io::DicomSeries>& series,
                const std::function<void(const io::DicomSeries&)>& chosen,
                const std::function<void(const io::DicomSeries&,
                                         const std::function<void(const io::Thumbnail&)>&)>& lookAt);

/// Gives a file dialog the icons of the window, and lets it list files without reading them, whatever is in a
/// folder.
void dressFileDialog(QFileDialog& dialog);

/// An answer to a question, with its name for tests.
struct Answer {
  const char* name;
  QString text;
  std::function<void()> act;
};
/// Asks a question with these answers and Cancel, which calls `cancelled`. Returns at once.
void askAmong(QWidget* parent, const QString& title, const QString& question,
              const std::vector<Answer>& answers, const std::function<void()>& cancelled = {});

/// Asks a question whose answers are `yes`, which calls `act`, and Cancel. Returns at once.
void askFirst(QWidget* parent, const QString& title, const QString& question, const QString& yes,
              const std::function<void()>& act);

/// Asks for a number in a range, initially `value`, with a decimal point or comma. Returns at once.
void askNumber(QWidget* parent, const QString& title, const QString& question, double value, Range range,
               const std::function<void(double)>& taken);

/// Asks for a file to write and calls `chosen` with its name, with an extension of the filter appended if it
/// has none. `suggested`: including its folder. Returns at once.
void askSaveName(QWidget* parent, const QString& title, const QString& suggested, const QString& filter,
                 const std::function<void(const QString&)>& chosen);

/// Keys and mouse gestures, generated from the commands themselves. Returns at once.
void showKeys(QWidget* parent, const model::Commands& commands);

/// Version, libraries, licenses and GPUs, line by line. Returns at once.
void showAbout(QWidget* parent, const std::string& about);

}  // namespace sulcus::ui::widgets
