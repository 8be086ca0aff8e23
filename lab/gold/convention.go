package gold

import "strings"

// The policies, which define what counts as text.
const (
	// Text is all text that a reader would keep, including comments and side text.
	Text = "text"
	// Main is the main content of a page of any type: the posts of a forum, the description of a
	// product.
	Main = "main"
	// Article is only the text of the article.
	Article = "article"
	// running is running text without lists and bylines.
	running = "running"
)

// Convention is the annotation convention of a set.
type Convention struct {
	// Set is the prefix of the names of the sets.
	Set string
	// Policy is [Text], [Main], [Article] or running.
	Policy string
	// Keep lists the roles of blocks in the gold, if they are known better than by the policy:
	// roles of which annotators kept more than half on the annotated pages of the set. See
	// [page.ParseRoles].
	Keep string
	// EmptyIsFlaw is set if pages without gold are errors of the set. Otherwise they are pages
	// without text to keep.
	EmptyIsFlaw bool
	// Weight is the weight of a page in training. Default: 1. It is less for sets of unusual pages.
	Weight float64
	// Licence is the licence of the gold as stated by its distributors. The pages belong to their
	// owners.
	Licence string
}

// conventions lists the known sets. All others are articles.
var conventions = []Convention{
	{"cleaneval", Text, "text", false, 0, "none stated"},
	{"cleanportal", Text, "text", false, 0, "none stated"},
	{"canola", running, "standfirst,body", false, 0, "CC BY-SA 4.0"},
	{"wcxb", Main, "main", true, 0, "CC BY 4.0"},
	{"dragnet", Article, "title,byline,standfirst,body", false, 0, "AGPL-3.0"},
	{"google-trends", Article, "title,byline,standfirst,body,-embed", false, 0, "GPL-3.0 of the repository, none for the data"},
	{"l3s-gn1", Article, "title,byline,standfirst,body", false, 0, "research use only"},
	{"daniel", Article, "title,standfirst,body", false, 0, "GPL-3.0 of the repository, none for the data"},
	{"zh-news", Article, "standfirst,body", true, 0, "none stated"},
	{"newspaper4k", Article, "standfirst,body,-embed", false, 0, "Apache-2.0"},
	{"trafilatura", Article, "title,standfirst,body", false, 0, "Apache-2.0"},
	{"extra", Main, "main", false, .5, "that of each page's repository"},
}

// keepOf returns the roles that a policy keeps.
func keepOf(policy string) string {
	if policy == running {
		return "body"
	}
	return policy
}

// ConventionOf returns the convention of a set.
func ConventionOf(set string) Convention {
	for _, c := range conventions {
		if strings.HasPrefix(set, c.Set) {
			return c
		}
	}
	return Convention{Set: set, Policy: Article, Keep: Article}
}
