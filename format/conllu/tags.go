package conllu

import "chaffinch/text/tag"

// Analysis returns the lemma and the tag of a word, "" for unspecified values. The lemma of the word
// "_" is "_".
func (w *Word) Analysis() (lemma string, t tag.Tag) {
	if lemma = w.Lemma; w.Form != "_" {
		lemma = specified(lemma)
	}
	return lemma, tag.Tag{UPOS: specified(w.UPOS), XPOS: specified(w.XPOS), Feats: specified(w.Feats)}
}

// specified returns a column, "" for "_".
func specified(column string) string {
	if column == "_" {
		return ""
	}
	return column
}

// Tagged returns the sentence of tagged words, given its tokens and whether a space follows each.
// Relations are unspecified.
func Tagged(tokens []string, space []bool, words []tag.Token) *Sentence {
	s := &Sentence{}
	misc := func(i int) string {
		if space[i] {
			return "_"
		}
		return "SpaceAfter=No"
	}
	end := 0 // of the words of the current multiword token
	for i := range words {
		w := &words[i]
		if w.Parts > 1 {
			end = i + w.Parts
			s.Words = append(s.Words, Word{ID: i + 1, Last: end, Form: tokens[w.Index], Misc: misc(w.Index)})
		}
		row := Word{ID: i + 1, Form: w.Form, Lemma: w.Lemma, UPOS: w.UPOS, XPOS: w.XPOS, Feats: w.Feats}
		if i >= end {
			row.Misc = misc(w.Index)
		}
		s.Words = append(s.Words, row)
	}
	return s
}
