// Package optout reads the restrictions that a page, its server or its site states on the
// use of the page: robots directives in meta elements and in X-Robots-Tag, the reservation
// of text and data mining (TDM Reservation Protocol, W3C Community Group, 2024), "noai",
// and preferences on training (Content-Usage of draft-ietf-aipref-attach, Content-Signal).
// [Field] and [Meta] read statements, [Refused] sums them up.
package optout

import "strings"

// Refusals is a set of what may not be done with a page.
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

// Agent is the product token by which robots directives name this program.
const Agent = "chaffinch"

// Statement is one thing that is said against the use of a page.
type Statement struct {
	// Place is where it stands: the name of a field of the response's head such as
	// "X-Robots-Tag", or "meta" and the name of a meta element.
	Place string
	// Text is the directive, with its value where it has one: "noai", "train-ai=n",
	// "1" of a reservation.
	Text    string
	Refuses Refusals
}

// Field reads a field of a response's head. Agent is the product token of the one
// who asks, in lower case.
func Field(name, value, agent string) []Statement {
	switch {
	case strings.EqualFold(name, "X-Robots-Tag"):
		return directives(nil, "X-Robots-Tag", value, agent)
	case strings.EqualFold(name, "Robots-Tag"):
		return directives(nil, "Robots-Tag", value, agent)
	case strings.EqualFold(name, "TDM-Reservation"):
		return reservation("TDM-Reservation", value)
	case strings.EqualFold(name, "Content-Usage"):
		return preferences("Content-Usage", value)
	case strings.EqualFold(name, "Content-Signal"):
		return preferences("Content-Signal", value)
	}
	return nil
}

// Meta reads the name and the content of a meta element.
func Meta(name, content, agent string) []Statement {
	switch name = strings.TrimSpace(name); {
	case strings.EqualFold(name, "robots"):
		return directives(nil, "meta robots", content, agent)
	case strings.EqualFold(name, agent):
		return directives(nil, "meta "+agent, content, agent)
	case strings.EqualFold(name, "tdm-reservation"):
		return reservation("meta tdm-reservation", content)
	}
	return nil
}

// Refused returns what statements refuse together.
func Refused(list []Statement) (r Refusals) {
	for _, s := range list {
		r |= s.Refuses
	}
	return r
}

// Append adds statements to a list as records hold it, such as "meta robots:
// noindex, X-Robots-Tag: noai". Each stands there once.
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

// Parse reads a list that [Append] wrote. What it does not know refuses nothing.
func Parse(text string) (list []Statement) {
	for one := range strings.SplitSeq(text, ",") {
		place, value, ok := strings.Cut(one, ":")
		if !ok {
			continue
		}
		if place = strings.TrimSpace(place); strings.HasPrefix(place, "meta ") {
			list = append(list, Meta(place[len("meta "):], value, Agent)...)
		} else {
			list = append(list, Field(place, value, Agent)...)
		}
	}
	return list
}

// directives adds those of a list of robots directives. One that is for another
// agent ("otherbot: noindex, nofollow") ends with the value.
func directives(list []Statement, place, value, agent string) []Statement {
	others := false // the directives are for another agent
	for word := range strings.SplitSeq(value, ",") {
		word = strings.ToLower(strings.TrimSpace(word))
		if who, rest, ok := strings.Cut(word, ":"); ok && !hasValue(who) {
			others = strings.TrimSpace(who) != agent
			word = strings.TrimSpace(rest)
		}
		var r Refusals
		switch word {
		case "none":
			r = Index | Follow
		case "noindex":
			r = Index
		case "nofollow":
			r = Follow
		case "noai":
			r = Training
		}
		if r != 0 && !others {
			list = append(list, Statement{place, word, r})
		}
	}
	return list
}

// hasValue reports whether a robots directive is written with a value behind a colon.
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

// Preference reads the value of Content-Usage ("train-ai=n") or Content-Signal
// ("search=yes, ai-train=no").
func Preference(value string) Refusals { return Refused(preferences("", value)) }

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
