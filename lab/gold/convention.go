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
	// Keep lists the roles of blocks that the gold holds, where they are known
	// better than by the policy: those of which people kept more than half on the
	// annotated pages of the set. See [page.ParseRoles].
	Keep string
	// EmptyIsFlaw tells that pages without gold are slips of the set; elsewhere
	// they are pages that hold nothing to keep.
	EmptyIsFlaw bool
	// Weight is how much a page counts in training, 0 for 1: less in a set whose
	// pages were chosen for being unlike most.
	Weight float64
	// Licence is that of the gold as its distributors state it; the pages
	// remain their owners'.
	Licence string
}

// Conventions is the table of sets that are known; all others are articles.
var Conventions = []Convention{
	{"cleaneval", Text, "text", false, 0, "none stated"},
	{"cleanportal", Text, "text", false, 0, "none stated"},
	{"canola", Running, "standfirst,body", false, 0, "CC BY-SA 4.0"},
	{"wcxb", Main, "main", true, 0, "CC BY 4.0"},
	{"dragnet", Article, "title,byline,standfirst,body", false, 0, "AGPL-3.0"},
	{"google-trends", Article, "title,byline,standfirst,body", false, 0, "GPL-3.0 of the repository, none for the data"},
	{"l3s-gn1", Article, "title,byline,standfirst,body", false, 0, "research use only"},
	{"daniel", Article, "title,standfirst,body", false, 0, "GPL-3.0 of the repository, none for the data"},
	{"zh-news", Article, "standfirst,body", true, 0, "none stated"},
	{"newspaper4k", Article, "standfirst,body", false, 0, "Apache-2.0"},
	{"trafilatura", Article, "title,standfirst,body", false, 0, "Apache-2.0"},
	{"extra", Main, "main", false, .5, "that of each page's repository"},
}

// keepOf lists the roles that a policy keeps.
func keepOf(policy string) string {
	if policy == Running {
		return "body"
	}
	return policy
}

// ConventionOf returns the convention of a set.
func ConventionOf(set string) Convention {
	for _, c := range Conventions {
		if strings.HasPrefix(set, c.Set) {
			return c
		}
	}
	return Convention{Set: set, Policy: Article, Keep: Article}
}
