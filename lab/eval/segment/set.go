package segment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path"
	"strings"

	"chaffinch/internal/archive"
	"chaffinch/lab/eval/floors"
	_ "chaffinch/model/data/segmenters"
	"chaffinch/text/token"
	"chaffinch/text/token/segment"
)

// Result holds the scores of a file with the rules of this project and with the boundaries of UAX
// 29.
type Result struct {
	// Name is the name of the file, Rules the name of its rules.
	Name, Rules string
	HasTokens   bool // otherwise Tokens is meaningless
	Ours, Annex Score
}

// Set scores the files in the formats of read in a folder or an archive, in order. models replace
// the embedded models that find words. wanted selects languages. If it is empty, the languages with
// their own rules are scored and, for files with tokens, languages with a model, or with all every
// language.
func Set(ctx context.Context, in string, models []*segment.Model, wanted []string, all bool) (results []*Result, data floors.Fingerprint, err error) {
	sum := sha256.New()
	langs := map[string]bool{}
	for _, l := range wanted {
		langs[l] = true
	}
	err = walk(in, func(name string, r io.Reader) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if e := path.Ext(name); e != ".txt" && e != ".conllu" {
			return nil
		}
		g, err := read(name, io.TeeReader(r, sum))
		if err != nil {
			return err
		}
		tok, err := token.New(token.Config{Lang: g.Lang, Words: models})
		if err != nil {
			return err
		}
		rules := tok.Lang()
		own := rules != token.For("").Lang() || g.HasTokens && tok.FindsWords()
		if len(langs) > 0 && !langs[g.Lang] || len(langs) == 0 && !all && !own {
			return nil
		}
		res := &Result{Name: g.Name, Rules: rules, HasTokens: g.HasTokens, Ours: evaluate(g, tok.Split), Annex: evaluate(g, annex)}
		results = append(results, res)
		data.Files++
		data.Lines += res.Ours.Sentences.Gold
		return nil
	})
	data.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return results, data, err
}

// walk calls fn for a file in a format of read, or for the files of a folder or an archive.
func walk(in string, fn func(name string, r io.Reader) error) error {
	if e := path.Ext(in); e != ".txt" && e != ".conllu" {
		return archive.Walk(in, fn)
	}
	f, err := os.Open(in)
	if err != nil {
		return err
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil && st.IsDir() {
		return archive.Walk(in, fn)
	}
	return fn(in, f)
}

// Floored returns the figures that have floors, by file.
func Floored(results []*Result) (systems []floors.System) {
	for _, r := range results {
		figures := map[string]float64{"sent_f": r.Ours.Sentences.F()}
		if r.HasTokens {
			figures["token_f"] = r.Ours.Tokens.F()
		}
		systems = append(systems, floors.System{Name: strings.TrimSuffix(r.Name, path.Ext(r.Name)), Figures: figures})
	}
	return systems
}
