package lines

import (
	"fmt"
	"slices"
	"strings"
)

// column identifies a feature of a line.
type column int

// The columns, by group. The names are in columnNames.
const (
	// length
	colChars column = iota
	colWords
	colWordLength
	colLongest
	colShortWords
	colCut
	colEmpty

	// punctuation
	colCommas
	colStops
	colSentence
	colSymbols
	colQuotes
	colBrackets
	colEndStop
	colEndColon
	colEndComma
	colEndBracket
	colEndCount
	colEndLetter
	colStartBullet
	colStartDigit
	colStartQuote
	colStartSign
	colBars
	colArrows
	colRight
	colAt
	colURL
	colHash
	colSlashes
	colTabs
	colCode
	colWrong

	// casing
	colStartUpper
	colStartLower
	colCapitals
	colAllCaps
	colUpper
	colGlued

	// digits
	colDigits
	colNumbers
	colDate
	colTime
	colYear
	colPrice
	colPhone
	colOnlyNumbers

	// stopwords
	colFunction
	colFunctionWords
	colEnglish
	colListed
	colFunctionLead
	colForeign

	// repetition
	colCopies
	colEarlier
	colLater
	colDistance
	colTwin
	colHead2
	colHead1
	colTail2
	colSeenBefore
	colSeenElsewhere

	// topic
	colTopic
	colTitle
	colNew
	colAlone

	// shape
	colShape3
	colShape8
	colLikePrev
	colLikeNext
	colPrevWords
	colNextWords
	colWords3
	colLong2
	colLong5
	colRun
	colFromStart
	colFromEnd
	colPlace
	colWordPlace
	colToLongBefore
	colToLongAfter
	colLongBefore
	colLongAfter
	colRelWords

	// window
	colWords8
	colStops3
	colStops8
	colFunction3
	colFunction8
	colCapitals3
	colBars3
	colCopies3

	// document
	colLines
	colDocWords
	colMeanWords
	colMedianWords
	colShortShare
	colLongShare
	colStopShare
	colBarShare
	colCopyShare
	colFunctionShare
	colUnspaced

	columns // number of columns
)

// Group is a set of columns that can be disabled together.
type Group struct {
	Name    string
	Columns []string
}

// groups lists the groups of columns. Each group ends where the next begins.
var groups = []struct {
	name string
	end  column
}{
	{"length", colCommas},
	{"punctuation", colStartUpper},
	{"casing", colDigits},
	{"digits", colFunction},
	{"stopwords", colCopies},
	{"repetition", colTopic},
	{"topic", colShape3},
	{"shape", colWords8},
	{"window", colLines},
	{"document", columns},
}

// ColumnGroups returns the groups of columns, in the order of the columns.
func ColumnGroups() []Group {
	var out []Group
	from := column(0)
	for _, g := range groups {
		out = append(out, Group{g.name, slices.Clone(columnNames[from:g.end])})
		from = g.end
	}
	return out
}

// keptColumns returns the columns outside the named groups, in ascending order.
func keptColumns(without []string) ([]column, error) {
	for _, w := range without {
		if !slices.ContainsFunc(ColumnGroups(), func(g Group) bool { return g.Name == w }) {
			var names []string
			for _, g := range groups {
				names = append(names, g.name)
			}
			return nil, fmt.Errorf("lines: no group of columns %q: there are %s", w, strings.Join(names, " "))
		}
	}
	var kept []column
	c := column(0)
	for _, g := range groups {
		for ; c < g.end; c++ {
			if !slices.Contains(without, g.name) {
				kept = append(kept, c)
			}
		}
	}
	return kept, nil
}

// columnNames holds the names of the columns in model files and tables.
var columnNames = [columns]string{
	colChars:         "chars",
	colWords:         "words",
	colWordLength:    "word-length",
	colLongest:       "longest",
	colShortWords:    "short-words",
	colCut:           "cut",
	colEmpty:         "empty",
	colCommas:        "commas",
	colStops:         "stops",
	colSentence:      "sentence",
	colSymbols:       "symbols",
	colQuotes:        "quotes",
	colBrackets:      "brackets",
	colEndStop:       "end-stop",
	colEndColon:      "end-colon",
	colEndComma:      "end-comma",
	colEndBracket:    "end-bracket",
	colEndCount:      "end-count",
	colEndLetter:     "end-letter",
	colStartBullet:   "start-bullet",
	colStartDigit:    "start-digit",
	colStartQuote:    "start-quote",
	colStartSign:     "start-sign",
	colBars:          "bars",
	colArrows:        "arrows",
	colRight:         "right",
	colAt:            "at",
	colURL:           "url",
	colHash:          "hash",
	colSlashes:       "slashes",
	colTabs:          "tabs",
	colCode:          "code",
	colWrong:         "wrong",
	colStartUpper:    "start-upper",
	colStartLower:    "start-lower",
	colCapitals:      "capitals",
	colAllCaps:       "all-caps",
	colUpper:         "upper",
	colGlued:         "glued",
	colDigits:        "digits",
	colNumbers:       "numbers",
	colDate:          "date",
	colTime:          "time",
	colYear:          "year",
	colPrice:         "price",
	colPhone:         "phone",
	colOnlyNumbers:   "only-numbers",
	colFunction:      "function",
	colFunctionWords: "function-words",
	colEnglish:       "english",
	colListed:        "listed",
	colFunctionLead:  "function-lead",
	colForeign:       "foreign",
	colCopies:        "copies",
	colEarlier:       "earlier",
	colLater:         "later",
	colDistance:      "distance",
	colTwin:          "twin",
	colHead2:         "head-2",
	colHead1:         "head-1",
	colTail2:         "tail-2",
	colSeenBefore:    "seen-before",
	colSeenElsewhere: "seen-elsewhere",
	colTopic:         "topic",
	colTitle:         "title",
	colNew:           "new",
	colAlone:         "alone",
	colShape3:        "shape-3",
	colShape8:        "shape-8",
	colLikePrev:      "like-prev",
	colLikeNext:      "like-next",
	colPrevWords:     "prev-words",
	colNextWords:     "next-words",
	colWords3:        "words-3",
	colLong2:         "long-2",
	colLong5:         "long-5",
	colRun:           "run",
	colFromStart:     "from-start",
	colFromEnd:       "from-end",
	colPlace:         "place",
	colWordPlace:     "word-place",
	colToLongBefore:  "to-long-before",
	colToLongAfter:   "to-long-after",
	colLongBefore:    "long-before",
	colLongAfter:     "long-after",
	colRelWords:      "rel-words",
	colWords8:        "words-8",
	colStops3:        "stops-3",
	colStops8:        "stops-8",
	colFunction3:     "function-3",
	colFunction8:     "function-8",
	colCapitals3:     "capitals-3",
	colBars3:         "bars-3",
	colCopies3:       "copies-3",
	colLines:         "lines",
	colDocWords:      "doc-words",
	colMeanWords:     "mean-words",
	colMedianWords:   "median-words",
	colShortShare:    "short-share",
	colLongShare:     "long-share",
	colStopShare:     "stop-share",
	colBarShare:      "bar-share",
	colCopyShare:     "copy-share",
	colFunctionShare: "function-share",
	colUnspaced:      "unspaced",
}
