package blocks

import (
	"slices"
)

// column is a feature of a block before it is binned.
type column int

// The columns, by group. The names are in columnNames.
const (
	// Text of the block.
	colChars column = iota
	colWords
	colWordLength
	colLinkDensity
	colLinks
	colTags
	colBold
	colBreaks
	colImages
	colCommas
	colTerminators
	colSentence
	colFirst
	colLast
	colUpper
	colCapitals
	colShort
	colDigits
	colNumbers
	colSymbols
	colLongest
	colUnspaced
	colYear
	colBar
	colRight
	colArrow
	colAt
	colURL
	colSlash
	colCopies
	colTitle
	colHidden
	colKind
	colLevel

	// Elements around the block.
	colTag
	colDepth
	colIsLi
	colIsList
	colIsTable
	colIsCell
	colIsP
	colIsA
	colIsArticle
	colIsMain
	colIsSection
	colIsHeader
	colIsFooter
	colIsAside
	colIsNav
	colIsForm
	colIsFigure
	colIsQuote
	colIsDl
	colIsSpan
	colIsDiv
	colIsFont
	colIsLabel
	colIsHeading

	// Containers: content of the ancestors with more text.
	colC1Words
	colC1Links
	colC1Blocks
	colC1Share
	colC1Commas
	colC1Good
	colC1Own
	colC2Words
	colC2Links
	colC2Blocks
	colC2Share
	colC2Commas
	colC2Good
	colC2Own
	colC3Words
	colC3Links
	colC3Blocks
	colC3Share
	colC3Commas
	colC3Good
	colC3Own
	colC4Words
	colC4Links
	colC4Blocks
	colC4Share
	colC4Commas
	colC4Good
	colC4Own
	colScore
	colScore2
	colInTop
	colUpToTop
	colDownFromTop

	// Templates: blocks of the page with the same ancestors.
	colPathBlocks
	colPathWords
	colPathShare
	colPathMean
	colPathLinks
	colPathGood
	colTwinBlocks
	colTwinWords
	colTwinShare
	colTwinMean
	colTwinLinks
	colTwinGood

	// Sequence: neighbours and position.
	colUpPrev
	colDownPrev
	colUpNext
	colDownNext
	colSamePrev
	colSameNext
	colPlace
	colWordPlace
	colIndex
	colToLargest
	colToGoodBefore
	colToGoodAfter
	colGoodBefore
	colGoodAfter
	colWin2Words
	colWin2Links
	colWin2Good
	colWin4Words
	colWin4Links
	colWin4Good
	colWin8Words
	colWin8Links
	colWin8Good
	colWin16Words
	colWin16Links
	colWin16Good

	// Units: the data table or list around the block.
	colUnit
	colUnitBlocks
	colUnitWords
	colUnitMean
	colUnitLinks
	colUnitNumbers
	colUnitRows
	colUnitWidth
	colUnitShare
	colUnitPlace
	colUnitAfter

	// Page.
	colPageBlocks
	colPageWords
	colPageLinks
	colPageGood
	colPageLargest
	colPageDensity
	colPageMarked
	colPageParagraphs
	colPageItems
	colPageTop

	// Scores of the page model. All columns from here need models.
	colPageArticle
	colPageCollection
	colPageDocumentation
	colPageForum
	colPageListing
	colPageProduct
	colPageService
	colPageKept
	colPageLists

	// Scores of the linear models over class and id tokens and over words.
	colAttr
	colAttrNear
	colAttrWin2
	colAttrWin8
	colAttrPage
	colAttrUnit
	colLexical
	colLexicalWin2
	colLexicalWin8
	colLexicalUnit
	colAttrMain
	colLexicalMain
	colPolicy

	// Sites: text on other pages of the site. New columns are always appended, so that older
	// model files can be read.
	colSitePages
	colSiteText
	colSitePath
	colSiteBoth
	colSiteSame
	colSiteTimes
	colSiteWin2
	colSiteWin8
	colSiteLess
	colSiteTwin
	colSitePage
	colSitePageNew

	// Hints: scores of the linear model of the roles, one per role.
	colHints

	// The page's own metadata: see metadata.go.
	colMetaTitle = column(iota-1) + column(Roles)
	colMetaDescription
	colMetaSummary
	colMetaAuthor
	colMetaAuthors
	colMetaDate
	colFromTitle
	colWordsFromTitle
	colMetaText
	colMetaPlace
	colImagesAbove
	colImagesBelow
	colAlt
	colArticle
	colArticleShare
	colArticles
	colMetaTitleBest
	colMetaTextSize

	// Records: see records.go.
	colRecords
	colRecordBlocks
	colRecordWords
	colRecordLinks
	colRecordGood
	colRecordShare
	colRecordHeads
	colRecordDates
	colRecordPlace
	colRecordIndex
	colRecordBefore
	colRecordAfter

	// Sections: see sections.go.
	colSectionLevel
	colSectionPlace
	colSectionIndex
	colSectionTitle
	colSectionBlocks
	colSectionWords
	colSectionLinks
	colSectionGood
	colSectionLexical
	colSectionHints
	columns = colSectionHints + column(len(headingHints))
)

// columnNames holds the names of the columns in model files and tables.
var columnNames = [columns]string{
	colChars:             "chars",
	colWords:             "words",
	colWordLength:        "word-length",
	colLinkDensity:       "link-density",
	colLinks:             "links",
	colTags:              "tags",
	colBold:              "bold",
	colBreaks:            "breaks",
	colImages:            "images",
	colCommas:            "commas",
	colTerminators:       "terminators",
	colSentence:          "sentence",
	colFirst:             "first",
	colLast:              "last",
	colUpper:             "upper",
	colCapitals:          "capitals",
	colShort:             "short",
	colDigits:            "digits",
	colNumbers:           "numbers",
	colSymbols:           "symbols",
	colLongest:           "longest",
	colUnspaced:          "unspaced",
	colYear:              "year",
	colBar:               "bar",
	colRight:             "right",
	colArrow:             "arrow",
	colAt:                "at",
	colURL:               "u-r-l",
	colSlash:             "slash",
	colCopies:            "copies",
	colTitle:             "title",
	colHidden:            "hidden",
	colKind:              "kind",
	colLevel:             "level",
	colTag:               "tag",
	colDepth:             "depth",
	colIsLi:              "is-li",
	colIsList:            "is-list",
	colIsTable:           "is-table",
	colIsCell:            "is-cell",
	colIsP:               "is-p",
	colIsA:               "is-a",
	colIsArticle:         "is-article",
	colIsMain:            "is-main",
	colIsSection:         "is-section",
	colIsHeader:          "is-header",
	colIsFooter:          "is-footer",
	colIsAside:           "is-aside",
	colIsNav:             "is-nav",
	colIsForm:            "is-form",
	colIsFigure:          "is-figure",
	colIsQuote:           "is-quote",
	colIsDl:              "is-dl",
	colIsSpan:            "is-span",
	colIsDiv:             "is-div",
	colIsFont:            "is-font",
	colIsLabel:           "is-label",
	colIsHeading:         "is-heading",
	colC1Words:           "c1-words",
	colC1Links:           "c1-links",
	colC1Blocks:          "c1-blocks",
	colC1Share:           "c1-share",
	colC1Commas:          "c1-commas",
	colC1Good:            "c1-good",
	colC1Own:             "c1-own",
	colC2Words:           "c2-words",
	colC2Links:           "c2-links",
	colC2Blocks:          "c2-blocks",
	colC2Share:           "c2-share",
	colC2Commas:          "c2-commas",
	colC2Good:            "c2-good",
	colC2Own:             "c2-own",
	colC3Words:           "c3-words",
	colC3Links:           "c3-links",
	colC3Blocks:          "c3-blocks",
	colC3Share:           "c3-share",
	colC3Commas:          "c3-commas",
	colC3Good:            "c3-good",
	colC3Own:             "c3-own",
	colC4Words:           "c4-words",
	colC4Links:           "c4-links",
	colC4Blocks:          "c4-blocks",
	colC4Share:           "c4-share",
	colC4Commas:          "c4-commas",
	colC4Good:            "c4-good",
	colC4Own:             "c4-own",
	colScore:             "score",
	colScore2:            "score2",
	colInTop:             "in-top",
	colUpToTop:           "up-to-top",
	colDownFromTop:       "down-from-top",
	colPathBlocks:        "path-blocks",
	colPathWords:         "path-words",
	colPathShare:         "path-share",
	colPathMean:          "path-mean",
	colPathLinks:         "path-links",
	colPathGood:          "path-good",
	colTwinBlocks:        "twin-blocks",
	colTwinWords:         "twin-words",
	colTwinShare:         "twin-share",
	colTwinMean:          "twin-mean",
	colTwinLinks:         "twin-links",
	colTwinGood:          "twin-good",
	colUpPrev:            "up-prev",
	colDownPrev:          "down-prev",
	colUpNext:            "up-next",
	colDownNext:          "down-next",
	colSamePrev:          "same-prev",
	colSameNext:          "same-next",
	colPlace:             "place",
	colWordPlace:         "word-place",
	colIndex:             "index",
	colToLargest:         "to-largest",
	colToGoodBefore:      "to-good-before",
	colToGoodAfter:       "to-good-after",
	colGoodBefore:        "good-before",
	colGoodAfter:         "good-after",
	colWin2Words:         "win2-words",
	colWin2Links:         "win2-links",
	colWin2Good:          "win2-good",
	colWin4Words:         "win4-words",
	colWin4Links:         "win4-links",
	colWin4Good:          "win4-good",
	colWin8Words:         "win8-words",
	colWin8Links:         "win8-links",
	colWin8Good:          "win8-good",
	colWin16Words:        "win16-words",
	colWin16Links:        "win16-links",
	colWin16Good:         "win16-good",
	colUnit:              "unit",
	colUnitBlocks:        "unit-blocks",
	colUnitWords:         "unit-words",
	colUnitMean:          "unit-mean",
	colUnitLinks:         "unit-links",
	colUnitNumbers:       "unit-numbers",
	colUnitRows:          "unit-rows",
	colUnitWidth:         "unit-width",
	colUnitShare:         "unit-share",
	colUnitPlace:         "unit-place",
	colUnitAfter:         "unit-after",
	colPageBlocks:        "page-blocks",
	colPageWords:         "page-words",
	colPageLinks:         "page-links",
	colPageGood:          "page-good",
	colPageLargest:       "page-largest",
	colPageDensity:       "page-density",
	colPageMarked:        "page-marked",
	colPageParagraphs:    "page-paragraphs",
	colPageItems:         "page-items",
	colPageTop:           "page-top",
	colPageArticle:       "page-article",
	colPageCollection:    "page-collection",
	colPageDocumentation: "page-documentation",
	colPageForum:         "page-forum",
	colPageListing:       "page-listing",
	colPageProduct:       "page-product",
	colPageService:       "page-service",
	colPageKept:          "page-kept",
	colPageLists:         "page-lists",
	colAttr:              "attr",
	colAttrNear:          "attr-near",
	colAttrWin2:          "attr-win2",
	colAttrWin8:          "attr-win8",
	colAttrPage:          "attr-page",
	colAttrUnit:          "attr-unit",
	colLexical:           "lexical",
	colLexicalWin2:       "lexical-win2",
	colLexicalWin8:       "lexical-win8",
	colLexicalUnit:       "lexical-unit",
	colAttrMain:          "attr-main",
	colLexicalMain:       "lexical-main",
	colPolicy:            "policy",
	colSitePages:         "site-pages",
	colSiteText:          "site-text",
	colSitePath:          "site-path",
	colSiteBoth:          "site-both",
	colSiteSame:          "site-same",
	colSiteTimes:         "site-times",
	colSiteWin2:          "site-win2",
	colSiteWin8:          "site-win8",
	colSiteLess:          "site-less",
	colSiteTwin:          "site-twin",
	colSitePage:          "site-page",
	colSitePageNew:       "site-page-new",
	colHints:             "hints-title", "hints-byline", "hints-standfirst", "hints-body", "hints-heading", "hints-caption", "hints-post", "hints-comment", "hints-aside", "hints-related", "hints-navigation", "hints-notice", "hints-other",
	colMetaTitle:       "meta-title",
	colMetaDescription: "meta-description",
	colMetaSummary:     "meta-summary",
	colMetaAuthor:      "meta-author",
	colMetaAuthors:     "meta-authors",
	colMetaDate:        "meta-date",
	colFromTitle:       "from-title",
	colWordsFromTitle:  "words-from-title",
	colMetaText:        "meta-text",
	colMetaPlace:       "meta-place",
	colImagesAbove:     "images-above",
	colImagesBelow:     "images-below",
	colAlt:             "alt",
	colArticle:         "article",
	colArticleShare:    "article-share",
	colArticles:        "articles",
	colMetaTitleBest:   "meta-title-best",
	colMetaTextSize:    "meta-text-size",
	colRecords:         "records",
	colRecordBlocks:    "record-blocks",
	colRecordWords:     "record-words",
	colRecordLinks:     "record-links",
	colRecordGood:      "record-good",
	colRecordShare:     "record-share",
	colRecordHeads:     "record-heads",
	colRecordDates:     "record-dates",
	colRecordPlace:     "record-place",
	colRecordIndex:     "record-index",
	colRecordBefore:    "record-before",
	colRecordAfter:     "record-after",
	colSectionLevel:    "section-level",
	colSectionPlace:    "section-place",
	colSectionIndex:    "section-index",
	colSectionTitle:    "section-title",
	colSectionBlocks:   "section-blocks",
	colSectionWords:    "section-words",
	colSectionLinks:    "section-links",
	colSectionGood:     "section-good",
	colSectionLexical:  "section-lexical",
	colSectionHints:    "section-hints-body", "section-hints-post", "section-hints-comment", "section-hints-aside", "section-hints-related", "section-hints-navigation", "section-hints-notice",
}

// Columns returns the names of the columns of a [Sheet], in order.
func Columns() []string { return slices.Clone(columnNames[:]) }

// OfPage reports whether a column has the same value for all blocks of a page.
func OfPage(col int) bool {
	c := column(col)
	return colPageBlocks <= c && c < colAttr || c == colAttrPage || c == colSitePages || c == colSitePage || c == colSitePageNew ||
		colArticles <= c && c <= colMetaTextSize
}
