package sketch

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"chaffinch/corpus"
)

//go:embed grammars/*.txt
var grammars embed.FS

// universal is the name of the embedded grammar for any language.
const universal = "ud"

// Embedded returns the names of the embedded grammars: languages, and ud for any language.
func Embedded() (names []string) {
	entries, err := grammars.ReadDir("grammars")
	if err != nil {
		panic(err) // the folder is embedded
	}
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".txt"))
	}
	return names
}

// Load returns an embedded grammar, or reads a grammar from a file.
func Load(name string) (*Grammar, error) {
	if slices.Contains(Embedded(), name) {
		b, err := grammars.ReadFile(path.Join("grammars", name+".txt"))
		if err != nil {
			return nil, err
		}
		return Parse("grammar "+name, string(b))
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("grammar: %w: name a file, or one of %s", err, strings.Join(Embedded(), ", "))
	}
	return Parse(name, string(b))
}

// mostly is the share of the tokens of a corpus from which it is in one language.
const mostly = 0.9

// Default returns the name of the embedded grammar for a corpus: of the language of nearly all of its
// documents, otherwise ud. ok is false if the corpus lacks what the embedded grammars need: sentences
// (s), lemmas, and universal parts of speech (pos) with features (feats).
func Default(c *corpus.Corpus) (name string, ok bool) {
	for _, a := range []string{"lemma", "pos", "feats", "tag"} {
		if !slices.Contains(c.Attrs(), a) {
			return "", false
		}
	}
	pos, err := c.Attr("pos")
	if err != nil || !slices.Contains(c.Structs(), "s") {
		return "", false
	}
	if _, noun := pos.ID("NOUN"); !noun {
		return "", false
	}
	doc, err := c.Struct(c.Document())
	if err != nil {
		return universal, true
	}
	tokens, all := map[string]int64{}, int64(0)
	for i := range doc.Len() {
		start, end := doc.Span(i)
		lang, _, _ := strings.Cut(doc.Value("lang", i), "-")
		tokens[strings.ToLower(lang)] += end - start
		all += end - start
	}
	for lang, n := range tokens {
		if lang != universal && slices.Contains(Embedded(), lang) && float64(n) >= mostly*float64(all) {
			return lang, true
		}
	}
	return universal, true
}

// None as the name of a grammar means no sketches.
const None = "none"

// Update computes the sketches of the index in a folder, after the index was built. name is an embedded
// grammar, a file, or None; "" means the result of Default, if there is one. Sketches of an earlier index
// are removed. It returns the name of the grammar, or "" without sketches.
func Update(ctx context.Context, dir, name string, cfg BuildConfig) (grammar string, rep BuildReport, err error) {
	if err := Remove(dir); err != nil || name == None {
		return "", rep, err
	}
	c, err := corpus.Open(dir)
	if err != nil {
		return "", rep, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if name == "" {
		ok := false
		if name, ok = Default(c); !ok {
			return "", rep, nil
		}
	}
	g, err := Load(name)
	if err != nil {
		return "", rep, err
	}
	rep, err = Build(ctx, c, g, cfg)
	return name, rep, err
}
