// Package optout reads what a page, its server or its site say against the use of
// the page: robots directives in meta elements and in X-Robots-Tag, the reservation
// of text and data mining (TDM Reservation Protocol, W3C Community Group, 2024),
// "noai", and preferences on training (Content-Usage of draft-ietf-aipref-attach,
// Content-Signal).
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

// Field reads a field of a response's head. Agent is the product token of the one
// who asks, in lower case.
func Field(name, value, agent string) Refusals {
	switch {
	case strings.EqualFold(name, "X-Robots-Tag"), strings.EqualFold(name, "Robots-Tag"):
		return directives(value, agent)
	case strings.EqualFold(name, "TDM-Reservation"):
		return reservation(value)
	case strings.EqualFold(name, "Content-Usage"), strings.EqualFold(name, "Content-Signal"):
		return Preference(value)
	}
	return 0
}

// Meta reads the name and the content of a meta element.
func Meta(name, content, agent string) Refusals {
	switch name = strings.TrimSpace(name); {
	case strings.EqualFold(name, "robots"), strings.EqualFold(name, agent):
		return directives(content, agent)
	case strings.EqualFold(name, "tdm-reservation"):
		return reservation(content)
	}
	return 0
}

// directives reads a list of robots directives. One that is for another agent
// ("otherbot: noindex, nofollow") ends with the value.
func directives(list, agent string) (r Refusals) {
	others := false // the directives are for another agent
	for word := range strings.SplitSeq(list, ",") {
		word = strings.ToLower(strings.TrimSpace(word))
		if who, rest, ok := strings.Cut(word, ":"); ok && !hasValue(who) {
			others = strings.TrimSpace(who) != agent
			word = strings.TrimSpace(rest)
		}
		if others {
			continue
		}
		switch word {
		case "none":
			r |= Index | Follow
		case "noindex":
			r |= Index
		case "nofollow":
			r |= Follow
		case "noai":
			r |= Training
		}
	}
	return r
}

// hasValue reports whether a robots directive is written with a value behind a colon.
func hasValue(directive string) bool {
	switch strings.TrimSpace(directive) {
	case "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview":
		return true
	}
	return false
}

func reservation(value string) Refusals {
	if strings.TrimSpace(value) == "1" {
		return Mining
	}
	return 0
}

// Preference reads the value of Content-Usage ("train-ai=n") or Content-Signal
// ("search=yes, ai-train=no").
func Preference(value string) (r Refusals) {
	for item := range strings.FieldsFuncSeq(strings.ToLower(value), func(c rune) bool { return c == ',' || c == ';' }) {
		key, val, _ := strings.Cut(strings.TrimSpace(item), "=")
		switch key, val = strings.TrimSpace(key), strings.TrimSpace(val); key {
		case "train-ai", "ai-train", "train-genai":
			if val == "n" || val == "no" {
				r |= Training
			}
		case "tdm":
			if val == "n" || val == "no" {
				r |= Mining
			}
		}
	}
	return r
}
