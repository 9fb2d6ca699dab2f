#pragma once

#include "core/analysis/analysis.h"

#include <QString>
#include <string>
#include <vector>

namespace sulcus::ui::model {

// The only way by which texts from core and other libraries enter the window. They write English, which is
// what files and the command line keep.

/// A text that is a complete literal in the sources, such as a label, in the language of the window. A
/// sentence assembled from several parts stays English.
QString words(const std::string& text);

/// The name of a result layer as shown in the window: "probability of visual (CPU)" for "ppm_visual (CPU)".
/// The part in parentheses, the title of a run, is already in the window's language.
QString layerTitle(const std::string& name);

/// "ν_e" from "ν_e: prior of the noise": the name of an option within a sentence.
QString shortLabel(const OptionInfo& option);

/// A value as shown in the form: "3 voxels", or the word that stands for the lowest value, such as "auto".
QString valueText(const OptionInfo& option, const OptionValue& value);

/// A message with options and inputs of the analysis by their labels: "give “Design matrix”". One that the
/// analysis does not have keeps its name.
QString localizeForWindow(const Analysis& analysis, const Message& message);
/// A note in the words of the window: its parameter is named as in the form.
QString noteText(const Analysis& analysis, const Note& note);
/// A note on a layer. Its parameter is that of the analysis that computed it, else of the first that has one
/// of that name, as for previews.
QString noteText(const std::vector<Analysis>& analyses, const Layer& layer, const Note& note);
/// A message about opening and saving, where options have no labels.
QString localizeForWindow(const Message& message);
QString noteText(const Note& note);

/// A chart with all its texts in the language of the window.
Chart localizeForWindow(Chart chart);

}  // namespace sulcus::ui::model
