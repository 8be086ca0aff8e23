package dedup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"chaffinch/internal/archive"
	"chaffinch/internal/sorts"
	"chaffinch/lab/gold"
)

// base is a text from which copies are made.
type base struct {
	group string // its set and its language
	lang  string
	paras []string
	words int
	key   uint64 // hash of the text
}

// Lengths of base documents in words. Longer texts are divided between paragraphs.
const (
	leastWords = 60
	mostWords  = 1200
)

// pages lists the sets of web pages whose gold texts are base documents, texts the archives of
// running text.
var (
	pages = []string{"daniel", "zh-news", "canola", "l3s-gn1", "dragnet", "newspaper4k"}
	texts = []string{"en", "ml-novels"}
)

// tokenized sources are in lower case and tokenized, unlike text of pages.
const tokenized = "en-movie-reviews"

// bases returns the texts of the half of cfg.
func bases(ctx context.Context, data string, cfg Config) ([]*base, error) {
	all, err := readBases(ctx, data, cfg)
	if err != nil {
		return nil, err
	}
	return choose(all, cfg), nil
}

// readBases reads the texts of both halves.
func readBases(ctx context.Context, data string, cfg Config) (all []*base, err error) {
	add := func(group, lang string, paras []string, most int) {
		for range most {
			b, rest := cut(paras)
			if b == nil {
				return
			}
			b.group, b.lang = group, lang
			all = append(all, b)
			paras = rest
		}
	}
	read := fromData
	if len(cfg.Texts) > 0 {
		read = func(ctx context.Context, _ string, add adder) error { return fromTexts(ctx, cfg.Texts, add) }
	}
	return all, read(ctx, data, add)
}

// adder adds the paragraphs of a text as at most most documents.
type adder func(group, lang string, paras []string, most int)

// piecesOfText is the maximum number of documents from one text.
const piecesOfText = 30

// fromTexts reads texts of the user.
func fromTexts(ctx context.Context, paths []string, add adder) error {
	for _, path := range paths {
		err := archive.Texts(path, func(source, tag string, r io.Reader) error {
			b, err := archive.ReadAll(r)
			add(source+"/"+tag, tag, strings.Split(string(b), "\n"), piecesOfText)
			return errors.Join(err, ctx.Err())
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// fromData reads the pages and texts of the data folder.
func fromData(ctx context.Context, data string, add adder) error {
	for _, name := range pages {
		if err := ctx.Err(); err != nil {
			return err
		}
		set, err := gold.Open(data, name)
		if err != nil {
			return err
		}
		for _, g := range set.Pages {
			if lang := g.Field("lang"); g.Fits(name) {
				if lang == "-" || strings.HasPrefix(lang, "en") {
					lang = "en"
				}
				add(name+"/"+lang, lang, strings.Split(g.Text, "\n"), 1)
			}
		}
	}
	for _, name := range texts {
		if err := ctx.Err(); err != nil {
			return err
		}
		path, err := archive.Find(filepath.Join(data, "text", name))
		if err != nil {
			return err
		}
		err = archive.Walk(path, func(p string, r io.Reader) error {
			if !strings.HasSuffix(p, ".txt") || strings.Contains(p, tokenized) {
				return nil
			}
			b, err := archive.ReadAll(r)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", path, p, err)
			}
			lang := "en"
			for code, tag := range map[string]string{"deu": "de", "fra": "fr", "spa": "es"} {
				if strings.Contains(p, "/"+code+"/") {
					lang = tag
				}
			}
			source, _, _ := strings.Cut(p, "/")
			add(source+"/"+lang, lang, strings.Split(string(b), "\n"), piecesOfText)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// cut removes the first document from the paragraphs. It returns nil if there is not enough text.
// The length of the document depends on its first paragraph.
func cut(paras []string) (*base, []string) {
	b := &base{}
	var want int
	for i, p := range paras {
		p = strings.Join(strings.Fields(p), " ")
		n := count(p)
		if n == 0 {
			continue
		}
		if want == 0 {
			want = leastWords + int(xxh3.HashString(p)%(mostWords-leastWords))
		}
		if n > mostWords || b.words+n > mostWords || b.words >= want {
			if b.words >= leastWords {
				return b, paras[i:]
			}
			continue
		}
		b.paras = append(b.paras, p)
		b.words += n
	}
	if b.words < leastWords {
		return nil, nil
	}
	return b, nil
}

// choose drops texts that share more than a twentieth of their n-grams (estimated from a sample)
// with others and selects the texts of the half. It orders them by a hash of the seed and the text,
// alternating between groups.
func choose(all []*base, cfg Config) []*base {
	for _, b := range all {
		b.key = xxh3.HashString(strings.Join(b.paras, "\n"))
	}
	sorts.StableFunc(all, byKey)
	seen := map[uint64]bool{}
	groups := map[string][]*base{}
	var names []string
	for _, b := range all {
		hashes := sampled(shingles(b.paras))
		known := 0
		for _, h := range hashes {
			if seen[h] {
				known++
			}
		}
		if known*20 > len(hashes) {
			continue
		}
		for _, h := range hashes {
			seen[h] = true
		}
		if (b.key>>63 == 1) != (cfg.Half == Test) {
			continue
		}
		b.key = xxh3.HashStringSeed(strings.Join(b.paras, "\n"), cfg.Seed)
		if groups[b.group] == nil {
			names = append(names, b.group)
		}
		groups[b.group] = append(groups[b.group], b)
	}
	slices.Sort(names)
	var out []*base
	for _, g := range groups {
		sorts.StableFunc(g, byKey)
	}
	for i := 0; ; i++ {
		n := len(out)
		for _, name := range names {
			if i < len(groups[name]) {
				out = append(out, groups[name][i])
			}
		}
		if len(out) == n {
			return out
		}
	}
}

func byKey(a, b *base) int { return cmp.Compare(a.key, b.key) }
