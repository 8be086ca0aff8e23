package dedup

import (
	"math"
	"math/rand/v2"
	"strings"
	"unicode"
)

// edit changes a fraction of the words of a document, spread evenly. A word is replaced with
// another word of the language, preceded by an additional one, deleted, or exchanged with the next.
func edit(r *rand.Rand, paras []Para, share float64, pool []string) []Para {
	total := 0
	for _, p := range paras {
		total += p.Words
	}
	hit := make([]bool, total)
	for _, i := range r.Perm(total)[:int(math.Round(share*float64(total)))] {
		hit[i] = true
	}
	out := make([]Para, 0, len(paras))
	for _, p := range paras {
		q := editPara(r, p, hit[:p.Words], pool)
		hit = hit[p.Words:]
		if q.Words > 0 {
			out = append(out, q)
		}
	}
	return out
}

// editPara changes the words of a paragraph that are set in hit.
func editPara(r *rand.Rand, p Para, hit []bool, pool []string) Para {
	ps := pieces(p.Text)
	out := make([]piece, 0, len(ps)+len(ps)/4)
	gap := " "
	if len(ps) > 1 && ps[0].gap == "" {
		gap = "" // a script without spaces
	}
	changed, word := 0, 0
	for i := 0; i < len(ps); i++ {
		if ps[i].word == "" {
			out = append(out, ps[i])
			continue
		}
		now := hit[word]
		word++
		if !now {
			out = append(out, ps[i])
			continue
		}
		changed++
		switch r.IntN(4) {
		case 0:
			out = append(out, piece{pool[r.IntN(len(pool))], ps[i].gap})
		case 1:
			out = append(out, piece{pool[r.IntN(len(pool))], gap}, ps[i])
		case 2:
			if len(out) > 0 && strings.TrimSpace(ps[i].gap) != "" {
				out[len(out)-1].gap = ps[i].gap // the full stop stays
			}
		case 3:
			if i+1 == len(ps) {
				out = append(out, ps[i])
				continue
			}
			out = append(out, piece{ps[i+1].word, ps[i].gap}, piece{ps[i].word, ps[i+1].gap})
			i++
			word++
		}
	}
	p.Text = strings.TrimSpace(join(out))
	p.Edited = float64(changed) / float64(max(1, p.Words))
	p.Words = count(p.Text)
	return p
}

// replacePassage replaces a run of consecutive words with words of another document.
func replacePassage(r *rand.Rand, paras []Para, share float64, other []Para) []Para {
	total := 0
	for _, p := range paras {
		total += p.Words
	}
	length := int(math.Round(share * float64(total)))
	from := r.IntN(total - length + 1)
	var foreign []piece
	for _, p := range other {
		foreign = append(foreign, pieces(p.Text)...)
	}
	out := make([]Para, 0, len(paras))
	word := 0
	for _, p := range paras {
		ps := pieces(p.Text)
		changed := 0
		for i := range ps {
			if ps[i].word == "" {
				continue
			}
			if word >= from && word < from+length {
				ps[i] = foreign[word%len(foreign)]
				changed++
			}
			word++
		}
		p.Text = strings.TrimSpace(join(ps))
		p.Edited = float64(changed) / float64(max(1, p.Words))
		p.Words = count(p.Text)
		if p.Words > 0 {
			out = append(out, p)
		}
	}
	return out
}

// changeLayout changes white space, case and quotation marks, but no words.
func changeLayout(r *rand.Rand, paras []Para) []Para {
	quotes := strings.NewReplacer("“", `"`, "”", `"`, "’", "'", "‘", "'", "–", "-", "…", "...")
	fold := []func(string) string{strings.ToLower, strings.ToUpper, func(s string) string { return s }}[r.IntN(3)]
	out := make([]Para, len(paras))
	for i, p := range paras {
		p.Text = quotes.Replace(fold(p.Text))
		p.Text = strings.Map(func(c rune) rune {
			if unicode.IsSpace(c) && r.IntN(8) == 0 {
				return ' ' // a no-break space
			}
			return c
		}, p.Text)
		p.Text = strings.ReplaceAll(p.Text, ". ", ".  ")
		p.Words = count(p.Text)
		out[i] = p
	}
	return out
}
