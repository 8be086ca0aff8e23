package blocks

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

// OfPage reports whether a column has the same value for all blocks of a page.
func OfPage(col int) bool {
	c := column(col)
	return colPageBlocks <= c && c < colAttr || c == colAttrPage || c == colSitePages || c == colSitePage || c == colSitePageNew ||
		colArticles <= c && c <= colMetaTextSize
}
