// Package subtitles reads subtitles, SubRip (SRT) and WebVTT, and converts them to HTML with
// paragraphs of running text. [Read] joins the lines of consecutive cues.
//
// Unstable: this package may change in any release.
package subtitles

import (
	"context"
	"html"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"chaffinch/format/document"
	"chaffinch/page"
	"chaffinch/text/charset"
)

// pause is the time without a cue after which a paragraph ends.
const pause = 4 * time.Second

// Read converts subtitles to HTML. The error is from ctx.
func Read(ctx context.Context, raw []byte, limits document.Limits) (document.Document, error) {
	r := reader{b: document.NewBuilder(limits)}
	r.b.Head(document.Meta{})
	text := strings.TrimPrefix(charset.Decode(raw, "").Text, "\ufeff")
	vtt := strings.HasPrefix(text, "WEBVTT")
	cues := 0
	for block := range blocks(text) {
		if cues&1023 == 0 && ctx.Err() != nil {
			return document.Document{}, ctx.Err()
		}
		c, ok := parse(block)
		switch {
		case ok:
			cues++
		case !vtt && cues > 0: // text after an empty line, or with invalid times
			c.from, c.to = r.lastTo, r.lastTo
		default:
			continue
		}
		r.add(c)
	}
	r.end()
	if cues == 0 {
		return document.Document{Drop: page.Damaged}, ctx.Err()
	}
	return r.b.Document(), ctx.Err()
}

// blocks iterates over the groups of lines between empty lines, and between cues without an empty line
// between them.
func blocks(text string) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		var block []string
		timed := false // the block has a line of times
		for line := range strings.Lines(lineEnds.Replace(text)) {
			if line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff")); line != "" {
				if isTimes(line) {
					if n := len(block); timed {
						if isNumber(block[n-1]) {
							n--
						}
						if !yield(block[:n]) {
							return
						}
						block = append(block[:0], block[n:]...)
					}
					timed = true
				}
				block = append(block, line)
				continue
			}
			if len(block) > 0 && !yield(block) {
				return
			}
			block, timed = block[:0], false
		}
		if len(block) > 0 {
			yield(block)
		}
	}
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// cue is the text that is shown during a span of time.
type cue struct {
	from, to time.Duration
	lines    []string
}

// isTimes reports whether a line holds the times of a cue, perhaps invalid ones.
func isTimes(line string) bool {
	from, _, ok := strings.Cut(line, "->")
	return ok && from != "" && from[0] >= '0' && from[0] <= '9' && strings.Contains(from, ":")
}

// isNumber reports whether a line is the number of a cue.
func isNumber(line string) bool { return strings.Trim(line, "0123456789") == "" }

// parse parses a cue and reports whether the block is one with valid times. Other blocks are the header,
// notes and styles.
func parse(block []string) (c cue, ok bool) {
	at := slices.IndexFunc(block, isTimes) // after the number or name of the cue, or the header
	if isNote(block[0]) {
		return c, false
	}
	if at >= 0 {
		from, to, _ := strings.Cut(block[at], "->")
		from = strings.TrimRight(from, "-")
		to, _, _ = strings.Cut(strings.ReplaceAll(strings.TrimSpace(to), "\t", " "), " ") // settings of the cue
		var ok1, ok2 bool
		c.from, ok1 = parseTime(strings.TrimSpace(from))
		c.to, ok2 = parseTime(to)
		ok = ok1 && ok2
	} else if len(block) == 1 && isNumber(block[0]) {
		return c, false
	}
	for _, line := range block[at+1:] {
		if line = plain(line); line != "" {
			c.lines = append(c.lines, line)
		}
	}
	return c, ok
}

// isNote reports whether a block that begins with line is a comment of WebVTT.
func isNote(line string) bool {
	rest, ok := strings.CutPrefix(line, "NOTE")
	return ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

// parseTime parses a time such as 01:02:03,456 or 02:03.456 and reports whether it is valid.
func parseTime(s string) (time.Duration, bool) {
	var t time.Duration
	parts := strings.Split(strings.Replace(s, ",", ".", 1), ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	for _, p := range parts[:len(parts)-1] {
		n, err := strconv.ParseUint(p, 10, 16)
		if err != nil {
			return 0, false
		}
		t = t*60 + time.Duration(n)*time.Minute
	}
	sec, err := strconv.ParseFloat(parts[len(parts)-1], 64)
	if err != nil || !(0 <= sec && sec < 100) {
		return 0, false
	}
	return t + time.Duration(sec*float64(time.Second)), true
}

// plain returns a line without tags, positions in braces, references and musical notes.
func plain(line string) string {
	var b strings.Builder
	tags, positions := true, true // the rest of the line may contain some
	for len(line) > 0 {
		end := byte(0)
		switch {
		case tags && line[0] == '<' && len(line) > 1 && line[1] > ' ':
			end = '>'
		case positions && strings.HasPrefix(line, `{\`):
			end = '}'
		}
		if end != 0 {
			if i := strings.IndexByte(line, end); i > 0 {
				line = line[i+1:]
				continue
			}
			tags, positions = tags && end != '>', positions && end != '}'
		}
		b.WriteByte(line[0])
		line = line[1:]
	}
	return spoken(html.UnescapeString(b.String()))
}

// spoken returns a line without musical notes. Signs # are notes on both sides, or beside a space.
func spoken(line string) string {
	line = strings.Trim(line, " \t♪")
	begins, ends := strings.HasPrefix(line, "#"), strings.HasSuffix(line, "#")
	if begins && ends {
		return strings.Trim(line, " \t#")
	}
	return strings.Trim(strings.TrimSuffix(strings.TrimPrefix(line, "# "), " #"), " \t")
}

// reader joins cues.
type reader struct {
	b      *document.Builder
	text   strings.Builder // of the paragraph
	last   []string        // lines of the last cue
	lastTo time.Duration
}

// add adds a cue. Lines that the last cue showed, too, are the begin of rolling captions and are
// not repeated.
func (r *reader) add(c cue) {
	lines := c.lines
	for n := min(len(r.last), len(lines)); n > 0 && c.from-r.lastTo <= pause; n-- {
		if slices.Equal(r.last[len(r.last)-n:], lines[:n]) {
			lines = lines[n:]
			break
		}
	}
	if r.text.Len() > 0 && (c.from-r.lastTo > pause || ends(r.text.String())) {
		r.end()
	}
	for _, line := range lines {
		if said, ok := strings.CutPrefix(line, "-"); ok { // another speaker
			r.end()
			line = strings.TrimSpace(said)
		}
		if r.text.Len() > 0 {
			r.text.WriteByte(' ')
		}
		r.text.WriteString(line)
	}
	r.last, r.lastTo = append(r.last[:0], c.lines...), max(r.lastTo, c.to)
}

// paragraphChars is the length in bytes from which a paragraph ends with its next sentence.
const paragraphChars = 400

// ends reports whether a paragraph is long and its last sentence is complete.
func ends(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, "\"'”’»)"))
	return len(text) >= paragraphChars && strings.ContainsRune(".!?…。！？", last)
}

// end writes the paragraph.
func (r *reader) end() {
	if r.text.Len() > 0 {
		r.b.Block("p", r.text.String())
		r.text.Reset()
	}
}
