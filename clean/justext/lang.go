package justext

import (
	"cmp"
	"strings"

	"golang.org/x/text/language"

	"chaffinch/page"
)

// unspaced holds languages whose script has no spaces between words. They have no stop
// lists. Their blocks are labelled by length and links alone.
var unspaced = map[string]bool{
	"bo": true, "dz": true, "ja": true, "km": true, "lo": true, "my": true,
	"th": true, "yue": true, "zh": true,
}

// aliases maps other tags to the tags of the stop lists: members of macrolanguages,
// withdrawn tags, and country codes used as languages by mistake.
var aliases = map[string]string{
	"arb": "ar", "azj": "az", "cmn": "zh", "ekk": "et", "fil": "tl", "khk": "mn", "lvs": "lv",
	"npi": "ne", "ory": "or", "pes": "fa", "swh": "sw", "uzn": "uz", "zsm": "ms",
	"ku": "kmr", "no": "nb", "sh": "sr", "hbs": "sr",
	"in": "id", "iw": "he", "mo": "ro",
	"cn": "zh", "cz": "cs", "dk": "da", "gr": "el", "jp": "ja", "ua": "uk",
}

// primary returns the primary language of a BCP 47 tag or a locale in the form of the stop
// lists ("pt_BR" gives "pt", "deu" gives "de"), or "" if it has none.
func primary(tag string) string {
	tag = strings.ToLower(strings.TrimSpace(tag))
	if i := strings.IndexAny(tag, "-_@.,; "); i >= 0 {
		tag = tag[:i]
	}
	if len(tag) < 2 || len(tag) > 3 {
		return ""
	}
	if a, ok := aliases[tag]; ok {
		return a
	}
	b, err := language.ParseBase(tag)
	if err != nil {
		return ""
	}
	tag = b.String()
	if tag == "und" || tag == "mul" || tag == "zxx" || tag == "mis" {
		return ""
	}
	if a, ok := aliases[tag]; ok {
		return a
	}
	return tag
}

// ListLang returns the language of the stop list for a BCP 47 tag or a locale. It returns ""
// if the tag has no language or a language written without spaces.
func ListLang(tag string) string {
	if lang := primary(tag); !unspaced[lang] {
		return lang
	}
	return ""
}

// rulesFor returns the thresholds and the stop list for p.
func (l *Labeller) rulesFor(p *page.Page) (*rules, error) {
	r := &rules{Config: l.cfg}
	if r.StopwordsHigh == 0 && r.StopwordsLow == 0 {
		return r, nil
	}
	if r.list = l.cfg.Stoplist; r.list == nil {
		lists := l.cfg.Lists
		if lists == nil {
			lists = EmbeddedLists()
		}
		lang, sure := languageOf(p, l.cfg.Lang)
		r.doubt = !sure
		var err error
		if r.list, err = lists.Get(lang); err != nil {
			return nil, err
		}
	}
	switch {
	case r.list == nil || r.list.Len() == 0:
		r.list, r.StopwordsLow, r.StopwordsHigh = nil, 0, 0
	case !l.cfg.SpaceTokens:
		r.StopwordsLow *= r.list.fullness()
		r.StopwordsHigh *= r.list.fullness()
	}
	return r, nil
}

// languageOf returns the primary language for the stop list of p. sure reports whether the
// language is confirmed: pages declare the language of their template, and guesses may be
// wrong.
func languageOf(p *page.Page, fixed string) (lang string, sure bool) {
	if lang = primary(fixed); lang != "" {
		return lang, true
	}
	return cmp.Or(primary(p.Lang), primary(p.Meta.Lang), defaultLang), false
}

// minFitLength is the length of text from which the share of stop words identifies the
// language: some 30 words of an alphabet.
const minFitLength = 200

// fit disables stop words on a page whose text is not in the language of the list.
func (r *rules) fit(blocks []facts) {
	if !r.doubt || r.list == nil {
		return
	}
	least := r.MinFit
	if !r.SpaceTokens {
		least *= r.list.fullness()
	}
	length, words, stops := 0, 0, 0
	for i := range blocks {
		if b := &blocks[i]; b.length >= r.LengthLow && b.linkDensity() <= r.MaxLinkDensity {
			length += b.length
			words += b.words
			stops += b.stops
		}
	}
	if length >= minFitLength && float64(stops) < least*float64(words) {
		r.StopwordsLow, r.StopwordsHigh, r.unfit = 0, 0, true
	}
}
