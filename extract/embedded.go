package extract

import (
	"html"
	"strings"

	"chaffinch/page"
)

// Text that a page has only in scripts: the state of a framework (__NEXT_DATA__, __NUXT__,
// __APOLLO_STATE__ and others), the stream of React's server components, and articleBody in
// JSON-LD. Scripts are read only if the page shows almost no text.

const (
	minScript      = 40      // fewest bytes of a script that is read
	maxScripts     = 2000    // most scripts of a page
	maxEmbedded    = 4 << 20 // most bytes of scripts that are read
	minShown       = 500     // a page with fewer bytes of text outside of links, and
	minShownLinked = 1000    // fewer bytes of text including links, shows almost none
	minEmbedded    = 150     // fewest bytes of prose, without spaces, that replace it
)

// script is a script that may hold text of the page.
type script struct {
	tag, from, to int // start of the start tag, span of the content
	kind          scriptKind
}

type scriptKind uint8

const (
	scriptCode scriptKind = iota
	scriptJSON
	scriptLinked // JSON-LD
)

// noteScript records the script whose start tag is at tag and whose content c starts at from.
func (s *scan) noteScript(typ, c string, tag, from int) {
	linked := strings.EqualFold(typ, "application/ld+json")
	s.hasScripts = s.hasScripts || !linked
	if len(c) < minScript || len(s.scripts) == maxScripts {
		return
	}
	k := scriptCode
	switch {
	case linked:
		k = scriptLinked
	case strings.HasSuffix(strings.ToLower(typ), "json"):
		k = scriptJSON
	case typ != "" && !strings.EqualFold(typ, "module") && !strings.Contains(strings.ToLower(typ), "javascript"):
		return
	}
	s.scripts = append(s.scripts, script{tag, from, from + len(c), k})
}

// shownText returns the bytes of shown text outside of links and of all shown text. Hidden text
// counts if reveal would show it.
func (s *scan) shownText() (n, all int) {
	hidden := 0
	for i := range s.done {
		b := &s.done[i]
		size := b.textEnd - b.textStart
		if b.hidden {
			hidden += size
			continue
		}
		if all += size; 2*b.linkChars < size {
			n += size
		}
	}
	if hidden >= minRevealed {
		n = max(n, hidden)
	}
	return n, all
}

// insertEmbedded inserts the text of the page's scripts, if the page shows almost none, and reports whether
// the page must be read again.
func (s *scan) insertEmbedded() bool {
	if s.searchedScripts || len(s.scripts) == 0 {
		return false
	}
	shown, all := s.shownText()
	if shown >= minShown || all >= minShownLinked {
		return false
	}
	s.searchedScripts = true
	text, prose, at := s.embeddedText()
	if prose < max(minEmbedded, 2*shown) {
		return false
	}
	src := s.lex.src
	f := rewriter{src: src}
	f.copy(0, at.tag)
	f.insert("<article>"+text+"</article>", at.tag, at.to-1)
	f.copy(at.tag, len(src))
	s.rewrites = append(s.rewrites, f.pieces)
	s.scriptProse = prose
	s.reread(f.out.String())
	return true
}

// embeddedText returns the longest prose in a script, as HTML, with the bytes of its prose and the
// script. The chunks of a stream in many scripts count as one script.
func (s *scan) embeddedText() (text string, prose int, at script) {
	src := s.lex.src
	var flight strings.Builder
	var first script
	left := maxEmbedded
	better := func(r *stateReader, from script) {
		if t, n := r.text(); n > prose {
			text, prose, at = t, n, from
		}
	}
	for _, sc := range s.scripts {
		c := src[sc.from:sc.to]
		if left -= len(c); left < 0 {
			break
		}
		switch {
		case sc.kind == scriptCode && strings.Contains(c, "__next_f"):
			if flight.Len() == 0 {
				first = sc
			}
			flightChunks(&flight, c)
		case sc.kind == scriptCode:
			r := newStateReader(c, false)
			r.assignments()
			better(r, sc)
		default:
			r := newStateReader(html.UnescapeString(c), sc.kind == scriptLinked)
			if strings.Contains(c, `"`) {
				r.src = c
			}
			r.all()
			better(r, sc)
		}
	}
	if flight.Len() > 0 {
		r := newStateReader("", false)
		r.flight(flight.String())
		better(r, first)
	}
	return text, prose, at
}

// needsScripts reports whether the page has scripts and shows no text, images or frames, or only a
// notice that scripts are loading or required.
func (s *scan) needsScripts(p *page.Page) bool {
	if !s.hasScripts || s.searchedScripts && s.scriptProse > 0 {
		return false
	}
	var buf [maxWarning]byte
	text := buf[:0]
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Hidden {
			continue
		}
		if len(text)+len(b.Text)+1 > maxWarning {
			return false
		}
		text = append(append(text, b.Text...), ' ')
	}
	t := strings.ToLower(strings.TrimSpace(string(text)))
	if t == "" {
		return s.imagesAbove == 0 && !s.hasFrames
	}
	return strings.Contains(t, "javascript") || len(t) <= maxLoading && strings.HasPrefix(t, "loading")
}

// Most bytes of the notices of pages to browsers without scripts.
const (
	maxWarning = 160 // to enable JavaScript
	maxLoading = 30  // to wait
)
