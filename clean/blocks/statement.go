package blocks

import (
	"math"

	"chaffinch/page"
)

// Bounds of what is compared.
const (
	datedWords = 60  // words of a block that may hold the day of the page
	leastTitle = .5  // likeness of a block that holds the name of the page
	sureTitle  = .7  // likeness of one that does without doubt
	leastText  = .6  // share of a block in the stated text that makes it a part of it
	leastPairs = 5   // words of such a block
	farBlocks  = 100 // from the title; of a page without one too
	someText   = 20  // words of a stated text that counts
)

// metadataColumns sets the columns of what the page states of itself.
func (s *sheet) metadataColumns() {
	if s.metadata == nil {
		s.metadata = new(metadata)
	}
	m := s.metadata
	m.read(s.page)
	title, best := -1, 0.
	s.named = -1
	for i := range s.blocks {
		b, st := &s.page.Blocks[i], &s.blocks[i]
		l := m.compare(st)
		s.set(colMetaTitle, i, l.title)
		s.set(colMetaDescription, i, l.description)
		s.set(colMetaSummary, i, l.whole)
		s.set(colMetaAuthor, i, l.author)
		s.set(colMetaAuthors, i, l.authors)
		date := 0.
		if st.digits > 0 && st.words <= datedWords {
			date = m.dated(b.Text)
		}
		s.set(colMetaDate, i, date)
		if v := titleScore(b, l.title); !b.Hidden && v > best {
			title, best = i, v
			s.named = -1
			if l.title >= sureTitle {
				s.named = i
			}
		}
		s.set(colImagesAbove, i, math.Min(float64(b.ImagesAbove), 9))
		below := 0
		if i+1 < s.n {
			below = min(s.page.Blocks[i+1].ImagesAbove, 9)
		}
		s.set(colImagesBelow, i, float64(below))
		s.set(colAlt, i, s.likeAlt(b, st))
	}
	s.fill(colMetaTitleBest, best)
	s.fromTitle(title)
	s.statedText()
	s.articles()
}

// titleScore tells how much a block looks like the one that names the page: by its
// likeness to the stated names, the largest heading before others. 0 for none.
func titleScore(b *page.Block, like float64) float64 {
	if like < leastTitle {
		like = 0
	}
	if b.Kind != page.Heading {
		return like
	}
	return like + [...]float64{0, .3, .15, .1, .05, .05, .05}[min(b.Level, 6)]
}

// fromTitle sets the columns of the way from the block that names the page, -1
// where there is none.
func (s *sheet) fromTitle(title int) {
	for i := range s.blocks {
		blocks, words := float64(farBlocks), 0.
		if title >= 0 {
			blocks = math.Max(-farBlocks, math.Min(farBlocks-1, float64(i-title)))
			if i >= title {
				words = log1(int(s.sums[i].words - s.sums[title].words))
			} else {
				words = -log1(int(s.sums[title].words - s.sums[i].words))
			}
		}
		s.set(colFromTitle, i, blocks)
		s.set(colWordsFromTitle, i, words)
	}
}

// likeAlt returns the share of the first words of a block and of the text of
// the image above it that are the same, word by word.
func (s *sheet) likeAlt(b *page.Block, st *blockStats) float64 {
	if b.Alt == "" || st.count == 0 {
		return 0
	}
	w := &s.metadata.hashes
	measure(b.Alt[:min(len(b.Alt), phraseBytes)], w)
	same, n := 0, min(st.count, w.count, headWords)
	for k := range n {
		if st.head[k] == w.head[k] {
			same++
		}
	}
	return ratio(float64(same), float64(min(max(st.count, w.count), headWords)))
}

// statedText sets the columns of the running text that the page repeats in its
// metadata: -1 where it does not.
func (s *sheet) statedText() {
	t := &s.metadata.text
	if t.words < someText {
		s.fill(colMetaText, -1)
		s.fill(colMetaPlace, -1)
		s.fill(colMetaTextSize, -1)
		return
	}
	first, last, words := s.n, -1, 0
	for i := range s.blocks {
		st := &s.blocks[i]
		share := t.share(&st.wordHashes)
		s.set(colMetaText, i, share)
		if share >= leastText && st.count > leastPairs {
			first, last = min(first, i), i
			words += st.words
		}
	}
	// Before its first block, from there to its last one, after that.
	for i := range s.blocks {
		s.set(colMetaPlace, i, flag(i >= first)+flag(i > last))
	}
	s.fill(colMetaTextSize, ratio(float64(words), float64(t.words)))
}
