#pragma once

#include "core/analysis/analysis.h"

#include <QString>
#include <string>
#include <vector>

namespace sulcus::ui::model {

/// A text that an analysis describes itself with, such as a label, in the language of the window: translated
/// in the context "analyses".
QString words(const std::string& text);

/// "ν_e" of "ν_e: prior of the noise": the name of an option within a sentence.
QString shortLabel(const OptionInfo& option);

/// A value as the form shows it: "3 voxels", or the word that stands for the lowest value, such as "auto".
QString valueText(const OptionInfo& option, const OptionValue& value);

/// A sentence that was written for the command line too, in the words of the window: "give --design" becomes
/// "give “Design matrix”". Flags that the analysis does not have lose their dashes.
QString windowWords(const Analysis& analysis, const std::string& sentence);
/// The same for a note of a layer, where the analysis that computed it, if any, is one of these.
QString windowWords(const std::vector<Analysis>& analyses, const Layer& layer, const std::string& note);
/// The same for what is opened and saved, where nothing has flags.
QString windowWords(const std::string& sentence);

}  // namespace sulcus::ui::model
