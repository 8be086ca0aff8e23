package gold

import "strings"

// The policies: what counts as text.
const (
	// Text is all that a reader would keep, comments and side text too.
	Text = "text"
	// Main is the main content of a page of any type: the posts of a forum, the
	// description of a product.
	Main = "main"
	// Article is the text of the article alone.
	Article = "article"
	// Running is running text: no lists, no by-lines.
	Running = "running"
)

// Convention is what the people who made a set took for text.
type Convention struct {
	// Set is the beginning of the names of the sets.
	Set string
	// Policy is [Text], [Main], [Article] or [Running].
	Policy string
	// EmptyIsFlaw tells that pages without gold are slips of the set; elsewhere
	// they are pages that hold nothing to keep.
	EmptyIsFlaw bool
	// Licence is that of the gold as its distributors state it; the pages
	// remain their owners'.
	Licence string
}

// Conventions is the table of sets that are known; all others are articles.
var Conventions = []Convention{
	{"cleaneval", Text, false, "none stated"},
	{"cleanportal", Text, false, "none stated"},
	{"canola", Running, false, "CC BY-SA 4.0"},
	{"wcxb", Main, true, "CC BY 4.0"},
	{"dragnet", Article, false, "AGPL-3.0"},
	{"google-trends", Article, false, "GPL-3.0 of the repository, none for the data"},
	{"l3s-gn1", Article, false, "research use only"},
	{"daniel", Article, false, "GPL-3.0 of the repository, none for the data"},
	{"zh-news", Article, true, "none stated"},
	{"newspaper4k", Article, false, "Apache-2.0"},
	{"trafilatura", Article, false, "Apache-2.0"},
}

// ConventionOf returns the convention of a set.
func ConventionOf(set string) Convention {
	for _, c := range Conventions {
		if strings.HasPrefix(set, c.Set) {
			return c
		}
	}
	return Convention{Set: set, Policy: Article}
}
