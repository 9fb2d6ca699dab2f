#pragma once

#include "ui/widgets/window/window_parts.h"

#include <QImage>
#include <string>

// What a user can do, a source for each feature: it adds its commands and connects what they touch.
namespace sulcus::ui::widgets {

/// What the window does with clusters and peaks.
void addClusterCommands(WindowParts& window);

/// What the window compares: runs, layers, files.
void addCompareCommands(WindowParts& window);
/// Opens two files and compares them, or one, and compares it with the current layer.
void compareFiles(WindowParts& window, const QStringList& paths);

/// What the window opens, saves and closes, but for sessions and studies.
void addFileCommands(WindowParts& window);

/// Help, keys, preferences, and what the program is.
void addHelpCommands(WindowParts& window);

/// What is done with the layers that are open.
void addLayerCommands(WindowParts& window);

/// Pictures, movies and pages of the window.
void addPictureCommands(WindowParts& window);
/// Asks for a file for a picture; `note`: what it shows, as JSON.
void savePicture(WindowParts& window, const QString& name, const QImage& picture, const std::string& note);
/// The whole window as it is on screen, with `scale` times the pixels that it has there.
QImage windowPicture(WindowParts& window, int scale);

/// Saves plots.
void addPlotCommands(WindowParts& window);
/// @param format  png, svg, pdf or csv
void savePlot(WindowParts& window, const QString& format);

/// The bar above the views by which regions are painted, and the line of the ruler. The menus are there.
void buildRegions(WindowParts& window);
void addRegionCommands(WindowParts& window);

/// The commands that interpret the content of a layer otherwise than it was opened, or make layers of it.
void addReinterpretationCommands(WindowParts& window);

/// What is run, and with which parameters.
void addRunCommands(WindowParts& window);
/// Runs the analysis in front.
void startRun(WindowParts& window, model::RunChoice choice);

/// The palette that offers every action, every analysis with its inputs and parameters, what can be changed
/// of the current layer, every plot, layer and label, every page of the help.
void addSearchCommand(WindowParts& window);

/// What the window does with a study.
void addStudyCommands(WindowParts& window);
/// The command line that computes the open study, of which nothing was computed yet; else "".
QString studyCommand(const WindowParts& window);
QString whyNoStudyCommand(const WindowParts& window);

/// The commands of the views: layouts, two images in one place, what is written over slices, the mouse.
void addViewCommands(WindowParts& window);
/// Dresses the window as the settings say.
void showAppearance(const QSettings& settings);

}  // namespace sulcus::ui::widgets
