// Package optout reads restrictions that a page, its server or its site states on the use of
// the page. [Field], [Meta] and [Site] parse statements, and [Refused] combines them.
//
// It recognizes robots directives in meta elements and in X-Robots-Tag, and "noai". It also
// recognizes the reservation of text and data mining (TDM Reservation Protocol, W3C Community
// Group, 2024) and preferences on training (Content-Usage of draft-ietf-aipref-attach,
// Content-Signal).
package optout

import "strings"

// Refusals is a set of uses that a statement refuses.
type Refusals uint8

// The refusals.
const (
	Index    Refusals = 1 << iota // keep the text: noindex, none
	Follow                        // follow the links: nofollow, none
	Mining                        // mine text and data: tdm-reservation: 1
	Training                      // train models: noai, train-ai=n, ai-train=no
)

var names = [...]string{"noindex", "nofollow", "tdm-reservation", "no-training"}

// String returns the names of the refusals, such as "noindex, nofollow".
func (r Refusals) String() string {
	var list []string
	for i, name := range names {
		if r>>i&1 == 1 {
			list = append(list, name)
		}
	}
	return strings.Join(list, ", ")
}

// Agent is the product token by which robots directives address this program.
const Agent = "chaffinch"

// Statement is one restriction on the use of a page.
type Statement struct {
	// Place is the origin of the statement: a response header such as "X-Robots-Tag", "meta" and the
	// name of a meta element, or a file of the site as in [Site].
	Place string
	// Text is the directive with its value, if any: "noai", "train-ai=n", or "1" for a
	// reservation.
	Text    string
	Refuses Refusals
}

// Field parses a response header. Agent is the product token of the client, in lower case.
func Field(name, value, agent string) []Statement {
	switch {
	case strings.EqualFold(name, "X-Robots-Tag"):
		return directives("X-Robots-Tag", value, agent)
	case strings.EqualFold(name, "Robots-Tag"):
		return directives("Robots-Tag", value, agent)
	case strings.EqualFold(name, "TDM-Reservation"):
		return reservation("TDM-Reservation", value)
	case strings.EqualFold(name, "Content-Usage"):
		return preferences("Content-Usage", value)
	case strings.EqualFold(name, "Content-Signal"):
		return preferences("Content-Signal", value)
	}
	return nil
}

// Meta parses a meta element with the given name and content.
func Meta(name, content, agent string) []Statement {
	switch name = strings.TrimSpace(name); {
	case strings.EqualFold(name, "robots"):
		return directives("meta robots", content, agent)
	case strings.EqualFold(name, agent):
		return directives("meta "+agent, content, agent)
	case strings.EqualFold(name, "tdm-reservation"):
		return reservation("meta tdm-reservation", content)
	}
	return nil
}

// Refused returns the union of the refusals of the statements.
func Refused(list []Statement) (r Refusals) {
	for _, s := range list {
		r |= s.Refuses
	}
	return r
}

// Append appends statements to a list in the form that records hold, such as "meta robots:
// noindex, X-Robots-Tag: noai". Statements already in the list are skipped.
func Append(text string, list ...Statement) string {
	for _, s := range list {
		one := s.Place + ": " + s.Text
		switch {
		case text == "":
			text = one
		case !strings.Contains(", "+text+", ", ", "+one+", "):
			text += ", " + one
		}
	}
	return text
}

// Parse parses a list that [Append] wrote. Unknown statements are ignored.
func Parse(text string) (list []Statement) {
	for one := range strings.SplitSeq(text, ",") {
		place, value, ok := strings.Cut(one, ":")
		if !ok {
			continue
		}
		if place = strings.TrimSpace(place); strings.HasPrefix(place, "meta ") {
			list = append(list, Meta(place[len("meta "):], value, Agent)...)
		} else {
			list = append(append(list, Field(place, value, Agent)...), Site(place, value)...)
		}
	}
	return list
}

// directives returns the statements in a list of robots directives. A directive for another
// agent ("otherbot: noindex, nofollow") applies to the rest of the value.
func directives(place, value, agent string) (list []Statement) {
	others := false // whether the directives are for another agent
	for word := range strings.SplitSeq(value, ",") {
		word = strings.ToLower(strings.TrimSpace(word))
		if who, rest, ok := strings.Cut(word, ":"); ok {
			who = strings.TrimSpace(who)
			if hasValue(who) || strings.Contains(who, " ") { // also a time after a weekday and a comma
				continue
			}
			others, word = who != agent, rest
		}
		for word := range strings.FieldsSeq(word) { // often separated by blanks only
			if r := refusals[word]; r != 0 && !others {
				list = append(list, Statement{place, word, r})
			}
		}
	}
	return list
}

// refusals maps robots directives to refusals.
var refusals = map[string]Refusals{"none": Index | Follow, "noindex": Index, "nofollow": Follow, "noai": Training}

// hasValue reports whether a robots directive has a value after a colon.
func hasValue(directive string) bool {
	switch strings.TrimSpace(directive) {
	case "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview":
		return true
	}
	return false
}

func reservation(place, value string) []Statement {
	if strings.TrimSpace(value) == "1" {
		return []Statement{{place, "1", Mining}}
	}
	return nil
}

// Site parses a statement in a file of the site about the page. Place is "tdmrep.json", or "robots.txt"
// and the name of a line, such as "robots.txt content-usage".
func Site(place, value string) []Statement {
	file, line, _ := strings.Cut(place, " ")
	switch {
	case place == "tdmrep.json":
		return reservation(place, value)
	case file != "robots.txt":
	case strings.EqualFold(line, "Content-Usage"), strings.EqualFold(line, "Content-Signal"):
		return preferences(place, value)
	case line == "" && strings.TrimSpace(value) == "unreadable":
		return []Statement{{place, "unreadable", Index}}
	}
	return nil
}

func preferences(place, value string) (list []Statement) {
	for item := range strings.FieldsFuncSeq(strings.ToLower(value), func(c rune) bool { return c == ',' || c == ';' }) {
		key, val, _ := strings.Cut(item, "=")
		key, val = strings.TrimSpace(key), strings.TrimSpace(val)
		var r Refusals
		switch key {
		case "train-ai", "ai-train", "train-genai":
			r = Training
		case "tdm":
			r = Mining
		}
		if r != 0 && (val == "n" || val == "no") {
			list = append(list, Statement{place, key + "=" + val, r})
		}
	}
	return list
}
