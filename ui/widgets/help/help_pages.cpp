#include "ui/widgets/help/help_pages.h"

#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/dialogs/dialogs.h"

#include <QDesktopServices>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMovie>
#include <QPixmap>
#include <QPushButton>
#include <QSaveFile>
#include <QScreen>
#include <QScrollBar>
#include <QSplitter>
#include <QStyle>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTextFrame>
#include <QTextTable>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <map>
#include <memory>

namespace sulcus::ui::widgets {
namespace {

constexpr const char* kPage = "helpPage";  ///< property of a widget

QString fileOf(const QString& page) { return QStringLiteral(":/sulcus/help/%1.md").arg(page); }

/// Opens a page that is more than text: a copy, since browsers cannot access files inside the program.
void openInBrowser(QWidget* parent, const QUrl& page) {
  const QString copy = QDir::temp().filePath(QStringLiteral("sulcus-") + page.fileName());
  QFile file(QLatin1Char(':') + page.path()), old(copy);
  const bool same =
      file.open(QIODevice::ReadOnly) && old.open(QIODevice::ReadOnly) && old.readAll() == file.readAll();
  old.close();
  if (!same) {
    QSaveFile written(copy);
    file.seek(0);
    if (!written.open(QIODevice::WriteOnly) || written.write(file.readAll()) != file.size() ||
        !written.commit())
      return showError(parent, QDialog::tr("Help"),
                       QDialog::tr("The page cannot be copied to '%1' (%2): make room there and try again.")
                           .arg(copy, written.errorString()));
  }
  QUrl url = QUrl::fromLocalFile(copy);
  url.setFragment(page.fragment());
  if (!QDesktopServices::openUrl(url))
    showError(parent, QDialog::tr("Help"),
              QDialog::tr("The page cannot be shown (no browser was found): open '%1' in one.").arg(copy));
}

class HelpBrowser : public QTextBrowser {
 public:
  HelpBrowser() { setLineWrapMode(FixedPixelWidth); }

  /// Scrolls to the heading of this text.
  void showSection(const QString& title) {
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
      if (block.blockFormat().headingLevel() > 0 && block.text() == title) return scrollTo(block);
  }

  /// How well a word found there fits the description of a field; 0: not.
  static int fitOf(const QTextCursor& at) {
    if (at.blockFormat().headingLevel() > 0) return 1;
    if (at.charFormat().fontWeight() > QFont::Normal) return 3;
    return at.charFormat().fontFixedPitch() ? 2 : 0;
  }

  /// Scrolls to where a field is described: where its label or its flag is in bold, else in code, else in a
  /// heading. Without such a place, the position stays.
  void showField(const QString& label, const QString& flag) {
    int best = 0;
    QTextBlock place;
    for (const QString& word : {label, flag})
      for (QTextCursor at = document()->find(word, 0, QTextDocument::FindWholeWords);
           !word.isEmpty() && !at.isNull(); at = document()->find(word, at, QTextDocument::FindWholeWords)) {
        const int fits = fitOf(at);
        if (fits <= best) continue;
        best = fits;
        place = at.block();
      }
    if (!place.isValid()) return;
    scrollTo(place);
    QTextEdit::ExtraSelection mark;
    mark.cursor = QTextCursor(place);
    mark.format.setBackground(palette().color(QPalette::AlternateBase));
    mark.format.setProperty(QTextFormat::FullWidthSelection, true);
    setExtraSelections({mark});
  }

 protected:
  void doSetSource(const QUrl& name, QTextDocument::ResourceType) override {
    const QUrl url = name.isRelative() ? source().resolved(name) : name;
    if (url.path().endsWith(QStringLiteral(".html"))) return openInBrowser(this, url);
    if (url.scheme() != QStringLiteral("qrc") || !QFile::exists(QLatin1Char(':') + url.path()))
      return;  // files outside the program are not opened: nothing is fetched
    widest_ = kWidest * fontMetrics().averageCharWidth();
    fitWidth();
    for (const auto& [picture, movie] : movies_)  // to be loaded, and so started, again
      document()->addResource(QTextDocument::ImageResource, picture, {});
    movies_.clear();
    QTextBrowser::doSetSource(url, QTextDocument::HtmlResource);
    // Lays out the whole page: changes made before that leave text further down without lines, i.e.
    // invisible.
    (void)document()->size();
    thinTables();
    spaceBlocks();
  }
  void resizeEvent(QResizeEvent* event) override {
    fitWidth();
    QTextBrowser::resizeEvent(event);
  }
  QVariant loadResource(int type, const QUrl& name) override {
    if (type == QTextDocument::ImageResource) return picture(name);
    const QVariant loaded = QTextBrowser::loadResource(type, name);
    if (!name.path().endsWith(QStringLiteral(".md"))) return loaded;
    // Converted to HTML first, since a visible document that receives Markdown is laid out again for every
    // row of a table.
    QTextDocument page;
    page.setMarkdown(QString::fromUtf8(loaded.toByteArray()));
    return page.toHtml();
  }

 private:
  static constexpr int kWidest = 110;  ///< characters of a line that is still easy to read

  void fitWidth() {
    constexpr int kBorders = 4;  // of tables, which extend slightly beyond the text
    setLineWrapColumnOrWidth(std::min(viewport()->width() - kBorders, widest_));
  }

  void scrollTo(const QTextBlock& block) {
    QTextCursor end(document());
    end.movePosition(QTextCursor::End);
    setTextCursor(end);  // coming from below, the block ends up at the top
    setTextCursor(QTextCursor(block));
    verticalScrollBar()->setValue(verticalScrollBar()->value() + cursorRect().top());
  }

  /// A picture in a page.
  QPixmap picture(const QUrl& name) {
    const QString file = QLatin1Char(':') + source().resolved(name).path();
    const QPixmap whole(file);
    if (whole.isNull()) return QPixmap(1, 1);  // nothing is fetched from the network
    if (file.endsWith(QStringLiteral(".gif"))) animate(name, file);
    return fitted(whole);
  }

  /// No wider than the page, in screen pixels.
  QPixmap fitted(const QPixmap& whole) const {
    const double room = lineWrapColumnOrWidth() - 2 * document()->documentMargin();
    const double wide = std::min<double>(whole.width(), room);
    QPixmap shown = whole.scaledToWidth(int(wide * devicePixelRatioF()), Qt::SmoothTransformation);
    shown.setDevicePixelRatio(devicePixelRatioF());
    return shown;
  }

  /// Lets a picture move, unless the desktop wants nothing to: then its first picture stays.
  void animate(const QUrl& name, const QString& file) {
    if (style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) <= 0) return;
    auto movie = std::make_unique<QMovie>(file);
    connect(movie.get(), &QMovie::frameChanged, this, [this, name, shown = movie.get()] {
      if (!isVisible()) return;
      document()->addResource(QTextDocument::ImageResource, name, fitted(shown->currentPixmap()));
      viewport()->update();
    });
    movie->start();
    movies_[name] = std::move(movie);
  }

  std::map<QUrl, std::unique_ptr<QMovie>> movies_;  ///< of this page

  int widest_ = QWIDGETSIZE_MAX;  ///< of the text, pixels

  void thinTables() {
    for (QTextFrame* frame : document()->rootFrame()->childFrames())
      if (auto* table = qobject_cast<QTextTable*>(frame)) {
        QTextTableFormat format = table->format();
        format.setBorderCollapse(true);
        format.setBorderBrush(palette().color(QPalette::Mid));
        format.setCellPadding(4);
        table->setFormat(format);
      }
  }

  /// Adds space around lines and headings, and wraps lines of code that are longer than the page is wide.
  void spaceBlocks() {
    constexpr int kLine = 125;        // percent
    constexpr int kOverHeading = 18;  // pixels
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
      QTextBlockFormat format;
      format.setNonBreakableLines(false);
      format.setLineHeight(kLine, QTextBlockFormat::ProportionalHeight);
      if (block.blockFormat().headingLevel() > 1) format.setTopMargin(kOverHeading);
      QTextCursor(block).mergeBlockFormat(format);
    }
  }
};

/// A part of a page: its heading and the text below it.
struct HelpPart {
  QString page, title;  ///< the file and the title of the page
  QString heading;      ///< "" before the first one
  QString text;
};

const std::vector<HelpPart>& helpParts() {
  static const auto all = [] {
    std::vector<HelpPart> parts;
    for (const auto& [title, page] : helpPages()) {
      QFile file(fileOf(page));
      if (!file.open(QIODevice::ReadOnly)) continue;
      QTextDocument text;
      text.setMarkdown(QString::fromUtf8(file.readAll()));
      parts.push_back({page, title, {}, {}});
      for (QTextBlock block = text.begin(); block.isValid(); block = block.next())
        if (block.blockFormat().headingLevel() > 1)
          parts.push_back({page, title, block.text(), {}});
        else
          parts.back().text += block.text() + QLatin1Char('\n');
    }
    return parts;
  }();
  return all;
}

/// The entries of the contents: the pages with the headings of the current one, or, during a search, the
/// parts that contain all of its words, those with them in the heading first.
std::vector<const HelpPart*> partsFor(const QString& wanted, const QString& page) {
  std::vector<const HelpPart*> found, below;
  const QStringList words = wanted.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
  const auto holds = [&](const QString& text) {
    return std::all_of(words.begin(), words.end(),
                       [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
  };
  for (const HelpPart& part : helpParts()) {
    if (words.isEmpty()) {
      if (part.heading.isEmpty() || part.page == page) found.push_back(&part);
    } else if (holds(part.heading.isEmpty() ? part.title : part.heading)) {
      found.push_back(&part);
    } else if (holds(part.heading + QLatin1Char(' ') + part.text)) {
      below.push_back(&part);
    }
  }
  found.insert(found.end(), below.begin(), below.end());
  return found;
}

/// The line of a part in the contents.
QString lineOf(const HelpPart& part, bool looksFor) {
  if (part.heading.isEmpty()) return part.title;
  return looksFor ? QStringLiteral("%1 · %2").arg(part.title, part.heading)
                  : QStringLiteral("    ") + part.heading;
}

void listParts(QListWidget& list, const QString& wanted, const QString& page) {
  const QSignalBlocker quiet(&list);
  list.clear();
  const bool looksFor = !wanted.trimmed().isEmpty();
  for (const HelpPart* part : partsFor(wanted, page)) {
    auto* item = new QListWidgetItem(lineOf(*part, looksFor), &list);
    item->setData(Qt::UserRole, QStringList{part->page, part->heading});
    const bool isOpen = part->heading.isEmpty() && part->page == page && !looksFor;
    QFont font = list.font();
    font.setWeight(isOpen ? QFont::DemiBold : QFont::Normal);
    item->setFont(font);
    if (isOpen) list.setCurrentItem(item);
  }
}

/// The contents to the left of a page, with a field to search all pages.
QWidget* helpContents(HelpBrowser* browser) {
  auto* side = new QWidget;
  auto* search = named("helpSearch", new QLineEdit);
  search->setPlaceholderText(QDialog::tr("Search the help"));
  search->setAccessibleName(search->placeholderText());
  search->setClearButtonEnabled(true);
  auto* list = named("helpContents", new QListWidget, QDialog::tr("Contents"));
  list->setFrameShape(QFrame::NoFrame);
  list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* column = tight<QVBoxLayout>(side);
  column->addWidget(search);
  column->addWidget(list, 1);
  const auto fill = [browser, search, list] {
    listParts(*list, search->text(), QFileInfo(browser->source().path()).baseName());
  };
  const auto show = [browser](QListWidgetItem* item) {
    if (!item) return;
    const QStringList place = item->data(Qt::UserRole).toStringList();
    const QUrl url(QStringLiteral("qrc") + fileOf(place.value(0)));
    if (browser->source() != url) browser->setSource(url);
    place.value(1).isEmpty() ? browser->verticalScrollBar()->setValue(0)
                             : browser->showSection(place.value(1));
  };
  QObject::connect(search, &QLineEdit::textChanged, list, fill);
  QObject::connect(search, &QLineEdit::returnPressed, list, [list, show] { show(list->item(0)); });
  QObject::connect(list, &QListWidget::itemClicked, browser, show);
  QObject::connect(list, &QListWidget::itemActivated, browser, show);
  // Deferred: the list may be what was clicked.
  QObject::connect(browser, &QTextBrowser::sourceChanged, list, fill, Qt::QueuedConnection);
  fill();
  return side;
}

}  // namespace

void setHelpPage(QWidget* widget, const QString& page) { widget->setProperty(kPage, page); }

const std::vector<std::pair<QString, QString>>& helpPages() {
  static const auto all = [] {
    std::vector<std::pair<QString, QString>> pages;
    for (const QFileInfo& page :
         QDir(QStringLiteral(":/sulcus/help")).entryInfoList({QStringLiteral("*.md")})) {
      QFile file(page.filePath());
      if (file.open(QIODevice::ReadOnly))
        pages.emplace_back(QString::fromUtf8(file.readLine()).remove(QLatin1Char('#')).trimmed(),
                           page.baseName());
    }
    const QStringList order =
        QStringLiteral(
            "ten-minutes opening window sessions viewers fibers tracts tract-files activation preparation "
            "registration template surface labels group study command-line python another-machine install "
            "bad-files papers adding-an-analysis")
            .split(QLatin1Char(' '));
    std::ranges::stable_sort(pages, {}, [&order](const auto& page) {
      const qsizetype place = order.indexOf(page.second);
      return place < 0 ? order.size() : place;
    });
    return pages;
  }();
  return all;
}

QTextBrowser* helpBrowser() {
  auto* browser = new HelpBrowser;
  browser->setFrameShape(QFrame::NoFrame);
  browser->setOpenExternalLinks(false);
  browser->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  browser->document()->setDocumentMargin(16);
  return browser;
}

void showHelpPage(QWidget* parent, const QString& page, const QWidget* field) {
  const QString name = page.section(QLatin1Char('#'), 0, 0), section = page.section(QLatin1Char('#'), 1);
  auto* dialog = deletedOnClose(new QDialog(parent));
  dialog->setObjectName(QStringLiteral("helpPage"));
  dialog->setWindowTitle(QDialog::tr("Help"));
  auto* browser = static_cast<HelpBrowser*>(helpBrowser());
  auto* column = new QVBoxLayout(dialog);
  if (const QString own = field ? field->accessibleDescription() : QString(); !own.isEmpty()) {
    auto* label = named("helpOfField", new Label(QStringLiteral("%1\n%2").arg(field->accessibleName(), own)));
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(label);
  }
  auto* halves = new QSplitter;
  halves->addWidget(helpContents(browser));
  halves->addWidget(browser);
  halves->setStretchFactor(1, 1);
  halves->setSizes({260, 960});
  halves->setChildrenCollapsible(false);
  column->addWidget(halves, 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);  // Return is for the search
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  column->addWidget(buttons);
  dialog->resize(QSize(1240, 780).boundedTo(parent->screen()->availableGeometry().size()));
  dialog->show();
  browser->setSource(QUrl(QStringLiteral("qrc") + fileOf(name)));
  browser->showSection(section);
  if (field) browser->showField(field->accessibleName(), field->objectName().section(QLatin1Char('.'), 1));
  browser->setFocus();
}

void showHelpOf(QWidget* parent, const QWidget* focused) {
  QString page;
  for (const QWidget* at = focused; at && page.isEmpty(); at = at->parentWidget())
    page = at->property(kPage).toString();
  const bool isThere = !page.isEmpty() && QFile::exists(fileOf(page.section(QLatin1Char('#'), 0, 0)));
  showHelpPage(parent, isThere ? page : QStringLiteral("window"), focused);
}

}  // namespace sulcus::ui::widgets
