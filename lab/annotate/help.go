package annotate

// helpRows is the help screen: the keys, then the guidelines in short.
var helpRows = []string{
	"t  b        this line, or the range, is text / boilerplate",
	"space       the other label        u  take back the last change",
	"v           begin a range at this line (esc ends it)",
	"up down j k, pgup pgdn, home end g G    move",
	"tab         next uncertain line    /  search (/ enter: again)",
	"enter       the document is done as it is shown; it is saved",
	"n  p        next, previous document, as they are",
	"z           long lines whole / in three rows",
	"w  q        save, quit",
	"T B labelled by you, t b proposed, ? uncertain, . no label",
	"",
	"Text: what a reader came for. Sentences, titles, lists and",
	"captions that belong to it, who wrote it and when, comments,",
	"posts of a forum with who and when.",
	"Boilerplate: menus, lists of links, teasers of other pages beside",
	"a whole text, buttons, calls to share or subscribe, cookies,",
	"copyright, advertisements, tags, a line that is there again.",
	"In doubt: would the text lack something without the line?",
}

// help returns the rows of the help screen.
func (s *State) help() []string {
	var out []string
	for _, r := range helpRows {
		for _, row := range wrap(r, max(s.width, 2), 0) {
			if len(out) < s.body() {
				out = append(out, firstColumns(row, s.width))
			}
		}
	}
	return out
}
