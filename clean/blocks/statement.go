package blocks

import (
	"chaffinch/internal/truth"
	"chaffinch/page"
)

// Limits of the comparison with the page's metadata.
const (
	datedWords = 60  // maximum words of a block with the date of the page
	leastTitle = .5  // minimum similarity of a title
	sureTitle  = .7  // similarity of a certain title
	leastText  = .6  // minimum share of a block that is in the metadata text
	leastPairs = 5   // minimum words of such a block
	farBlocks  = 100 // maximum distance from the title, also used without a title
	someText   = 20  // minimum words of a metadata text
)

// metadataColumns sets the columns that compare blocks with the page's own metadata.
func (s *sheet) metadataColumns() {
	if s.metadata == nil {
		s.metadata = new(metadata)
	}
	m := s.metadata
	likes := s.wants(colMetaDescription, colMetaAuthors)
	m.read(s.page, likes)
	title, best := -1, 0.
	s.named = -1
	titles := s.want(colMetaTitle)
	for i := range s.blocks {
		l := m.compare(&s.hashes[i])
		if titles != nil {
			titles[i] = float32(l.title)
		}
		if likes {
			s.set(colMetaDescription, i, l.description)
			s.set(colMetaSummary, i, l.whole)
			s.set(colMetaAuthor, i, l.author)
			s.set(colMetaAuthors, i, l.authors)
		}
		st := &s.blocks[i]
		if st.hidden {
			continue
		}
		if v := titleScore(st, l.title); v > best {
			title, best = i, v
			s.named = -1
			if l.title >= sureTitle {
				s.named = i
			}
		}
	}
	bs, blocks := s.blocks, s.page.Blocks
	each(s.want(colMetaDate), func(i int) float64 {
		if bs[i].digits == 0 || bs[i].words > datedWords {
			return 0
		}
		return m.dated(blocks[i].Text)
	})
	each(s.want(colImagesAbove), func(i int) float64 { return float64(min(blocks[i].ImagesAbove, 9)) })
	each(s.want(colImagesBelow), func(i int) float64 {
		if i+1 == len(blocks) {
			return 0
		}
		return float64(min(blocks[i+1].ImagesAbove, 9))
	})
	each(s.want(colAlt), func(i int) float64 { return s.likeAlt(blocks[i].Alt, &s.hashes[i]) })
	s.fill(colMetaTitleBest, best)
	s.fromTitle(title)
	s.statedText()
	s.articles()
}

// titleScore returns a score of block b as the title of the page, 0 for none. It adds the
// similarity to the titles in the metadata and a bonus for headings, the largest for level
// 1.
func titleScore(b *blockStats, like float64) float64 {
	if like < leastTitle {
		like = 0
	}
	if b.kind != page.Heading {
		return like
	}
	return like + [...]float64{0, .3, .15, .1, .05, .05, .05}[min(b.level, 6)]
}

// fromTitle sets the distances from the title block in blocks and words. title is -1 if the
// page has none.
func (s *sheet) fromTitle(title int) {
	if title < 0 {
		s.fill(colFromTitle, farBlocks)
		s.fill(colWordsFromTitle, 0)
		return
	}
	sums := s.sums
	each(s.want(colFromTitle), func(i int) float64 { return float64(max(-farBlocks, min(farBlocks-1, i-title))) })
	each(s.want(colWordsFromTitle), func(i int) float64 {
		if i >= title {
			return log1(int32(sums[i].words - sums[title].words))
		}
		return -log1(int32(sums[title].words - sums[i].words))
	})
}

// likeAlt returns the share of the first words of a block that equal the words of the text
// of the image above it, position by position.
func (s *sheet) likeAlt(alt string, words *wordHashes) float64 {
	if alt == "" || words.count == 0 {
		return 0
	}
	w := &s.metadata.hashes
	measure(alt[:min(len(alt), phraseBytes)], w)
	same, n := 0, min(words.count, w.count, headWords)
	for k := range n {
		if words.head[k] == w.head[k] {
			same++
		}
	}
	return ratio(float64(same), float64(min(max(words.count, w.count), headWords)))
}

// statedText sets the columns of running text that the page repeats in its metadata, -1 if
// it does not.
func (s *sheet) statedText() {
	t := &s.metadata.text
	if t.words < someText {
		s.fill(colMetaText, -1)
		s.fill(colMetaPlace, -1)
		s.fill(colMetaTextSize, -1)
		return
	}
	first, last, words := s.n, -1, 0
	texts := s.want(colMetaText)
	for i := range s.blocks {
		share := t.share(&s.hashes[i])
		if texts != nil {
			texts[i] = float32(share)
		}
		if share >= leastText && s.hashes[i].count > leastPairs {
			first, last = min(first, i), i
			words += int(s.blocks[i].words)
		}
	}
	// 0 before its first block, 1 up to its last block, 2 after it.
	each(s.want(colMetaPlace), func(i int) float64 { return truth.Float64(i >= first) + truth.Float64(i > last) })
	s.fill(colMetaTextSize, ratio(float64(words), float64(t.words)))
}
