package blocks

import (
	"math"
	"testing"
)

// columnsOf returns the columns of a page by the text of its blocks.
func columnsOf(t *testing.T, html string) func(text string, c column) float64 {
	t.Helper()
	p := cut(t, html)
	s := new(sheet)
	s.read(p)
	return func(text string, c column) float64 {
		t.Helper()
		for i := range p.Blocks {
			if p.Blocks[i].Text == text {
				return float64(s.col(c)[i])
			}
		}
		t.Fatalf("no block %q", text)
		return 0
	}
}

const stating = `<html><head><title>Boat of the miller found - The Village Gazette</title>
<meta property="og:description" content="Nobody has seen him since the winter storm, say neighbours.">
<meta property="article:published_time" content="2021-03-09T10:00:00Z">
<script type="application/ld+json">{"@type":"NewsArticle","headline":"Boat of the miller found","author":{"@type":"Person","name":"Ada Lock"},
"articleBody":"The boat of the miller lay on the other bank with a lamp still burning in it when the ferry came at dawn. Since then nobody has crossed the river, and the mill stands still; the wheel ..."}</script>
</head><body><p>The Village Gazette<article><h1>Boat of the miller found</h1><p>Nobody has seen him since the winter storm, say neighbours.
<p>By Ada Lock<p>9 March 2021<p>12 April 2019<img alt="The mill by the water"><p>The mill by the water
<p>The boat of the miller lay on the other bank with a lamp still burning in it when the ferry came at dawn.
<p>Since then nobody has crossed the river, and the mill stands still; the wheel turns no more.</article>
<article class=teaser><p>The baker of the other village says that she will sell her bread on this side too.</article><p>Printed on paper`

func TestMetadataColumns(t *testing.T) {
	at := columnsOf(t, stating)
	const (
		title  = "Boat of the miller found"
		lead   = "Nobody has seen him since the winter storm, say neighbours."
		first  = "The boat of the miller lay on the other bank with a lamp still burning in it when the ferry came at dawn."
		second = "Since then nobody has crossed the river, and the mill stands still; the wheel turns no more."
		baker  = "The baker of the other village says that she will sell her bread on this side too."
	)
	for _, c := range []struct {
		text      string
		c         column
		low, high float64
	}{
		{title, colMetaTitle, 1, 1}, {"The Village Gazette", colMetaTitle, 0, .7}, {first, colMetaTitle, 0, .5},
		{title, colMetaTitleBest, 1.3, 1.3},
		{title, colFromTitle, 0, 0}, {"The Village Gazette", colFromTitle, -1, -1}, {lead, colFromTitle, 1, 1},
		{"The Village Gazette", colWordsFromTitle, -2, -1}, {lead, colWordsFromTitle, 1, 2},
		{lead, colMetaDescription, 1, 1}, {lead, colMetaSummary, 1, 1}, {first, colMetaDescription, 0, .4},
		{"By Ada Lock", colMetaAuthor, .6, .7}, {"By Ada Lock", colMetaAuthors, 1, 1}, {first, colMetaAuthors, 0, 0},
		{"9 March 2021", colMetaDate, 1, 1}, {"12 April 2019", colMetaDate, 0, 0},
		{first, colMetaText, 1, 1}, {second, colMetaText, .7, .99}, {baker, colMetaText, 0, .2},
		{title, colMetaPlace, 0, 0}, {first, colMetaPlace, 1, 1}, {second, colMetaPlace, 1, 1}, {baker, colMetaPlace, 2, 2},
		{baker, colMetaTextSize, 1, 1.2},
		{"The mill by the water", colImagesAbove, 1, 1}, {"The mill by the water", colAlt, 1, 1}, {first, colImagesAbove, 0, 0}, {"12 April 2019", colImagesBelow, 1, 1},
		{title, colArticle, 1, 1}, {baker, colArticle, 2, 2}, {"Printed on paper", colArticle, 0, 0},
		{baker, colArticles, 2, 2}, {first, colArticleShare, .7, .9}, {baker, colArticleShare, .1, .3},
	} {
		if v := at(c.text, c.c); v < c.low-1e-6 || v > c.high+1e-6 {
			t.Errorf("%s of %q is %v, wanted %v to %v", columnNames[c.c], c.text, v, c.low, c.high)
		}
	}
}

// TestSilentPage: a page that states nothing has the values that say so, also after
// one that does.
func TestSilentPage(t *testing.T) {
	s := new(sheet)
	s.read(cut(t, stating))
	s.read(cut(t, "<p>One line of text<p>and another, by Ada Lock on 9 March 2021"))
	for c, want := range map[column]float64{
		colMetaTitle: 0, colMetaTitleBest: 0, colFromTitle: farBlocks, colMetaDescription: 0, colMetaAuthor: 0, colMetaDate: 0,
		colMetaText: -1, colMetaPlace: -1, colMetaTextSize: -1, colArticle: 0, colArticles: 0,
	} {
		for i, v := range s.col(c) {
			if math.Abs(float64(v)-want) > 1e-6 {
				t.Errorf("%s of block %d is %v, wanted %v", columnNames[c], i, v, want)
			}
		}
	}
}

func TestLongestPart(t *testing.T) {
	for title, want := range map[string]string{
		"The boat is found - Gazette": "The boat is found ", "Gazette | The boat is found": " The boat is found", "One-eyed cat": "One-eyed cat",
		"": "", "»": "", "Häuser am Fluß · Blatt": "Häuser am Fluß ", "1:0 for the mill": "1:0 for the mill",
	} {
		if got := longestPart(title); got != want {
			t.Errorf("longest part of %q is %q, wanted %q", title, got, want)
		}
	}
}

func TestDayOf(t *testing.T) {
	for date, want := range map[string]day{
		"2021-03-09T10:00:00Z": {2021, 3, 9}, "20210309": {2021, 3, 9}, "2021/03/09": {2021, 3, 9}, "2021-13-09": {}, "9 March 2021": {}, "2021": {}, "": {},
		"2021-03": {}, "1021-03-09": {},
	} {
		got, ok := dayOf(date)
		if ok != (want != day{}) || ok && got != want {
			t.Errorf("day of %q is %v, %v, wanted %v", date, got, ok, want)
		}
	}
}
