package main

import (
	"fmt"
	"strings"

	"chaffinch/page"
)

// segments counts how jusText's paragraphs and our blocks correspond.
type segments struct {
	paragraphs, chars   int // of jusText
	same, sameChars     int // with a block of the same text
	inside, outside     int // part of a longer block; divided into shorter blocks
	hidden, garbled     int // in a hidden block; decoded with the wrong encoding
	missing             int // none of these
	missingChars, extra int // extra: blocks without a paragraph
}

// plain returns text with white space collapsed, so that its kind is irrelevant.
func plain(text string) string { return strings.Join(strings.Fields(text), "") }

// match finds for each paragraph of p the next block of the same text.
func (s *segments) match(m *method, p dumped, mine *page.Page, t *tally) error {
	v, err := m.label(p.Lang, mine.Blocks)
	if err != nil {
		return err
	}
	places := map[string][]int{}
	var shown, hidden strings.Builder
	for i := range mine.Blocks {
		text := plain(mine.Blocks[i].Text)
		places[text] = append(places[text], i)
		if mine.Blocks[i].Hidden {
			hidden.WriteString(text + "\n")
		} else {
			shown.WriteString(text + "\n")
		}
	}
	joined := strings.ReplaceAll(shown.String(), "\n", "")
	extra := len(mine.Blocks)
	for _, q := range p.Paragraphs {
		text := plain(q.Text)
		n := len([]rune(text))
		s.paragraphs++
		s.chars += n
		if at := places[text]; len(at) > 0 {
			places[text] = at[1:]
			extra--
			s.same++
			s.sameChars += n
			t.add(p.Set+"/"+p.ID, "", q.Text, q.CF, q.Class, v[at[0]])
			continue
		}
		switch {
		case strings.Contains(shown.String(), text):
			s.inside++
		case strings.Contains(joined, text):
			s.outside++
		case strings.Contains(hidden.String(), text):
			s.hidden++
		case strings.ContainsRune(text, '\uFFFD'):
			s.garbled++
		default:
			s.missing++
			s.missingChars += n
			if t.show > 0 && s.missing <= 10*t.show {
				fmt.Printf("  %s/%s: no block has %.150q\n", p.Set, p.ID, q.Text)
			}
		}
	}
	s.extra += extra
	return nil
}

func (s *segments) print() {
	fmt.Printf("From the page on: of jusText's %d paragraphs (%d characters),\n", s.paragraphs, s.chars)
	fmt.Printf("  %.2f %% (%.2f %% of the characters) are one of our blocks\n", percent(s.same, s.paragraphs), percent(s.sameChars, s.chars))
	fmt.Printf("  %.2f %% are part of a block, %.2f %% are several blocks, %.2f %% are in blocks that the page hides,\n",
		percent(s.inside, s.paragraphs), percent(s.outside, s.paragraphs), percent(s.hidden, s.paragraphs))
	fmt.Printf("  %.2f %% have characters that jusText could not decode,\n", percent(s.garbled, s.paragraphs))
	fmt.Printf("  %.2f %% (%.2f %% of the characters) are none of these; %d blocks are no paragraph\n",
		percent(s.missing, s.paragraphs), percent(s.missingChars, s.chars), s.extra)
	fmt.Println("Paragraphs that are a block:")
}
