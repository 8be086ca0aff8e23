package build

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chaffinch/build/recipe"
	"chaffinch/build/stage"
	"chaffinch/corpus/sketch"
	"chaffinch/dedup"
	"chaffinch/filter"
	"chaffinch/input"
	"chaffinch/internal/archive"
	"chaffinch/internal/files"
	"chaffinch/internal/settings"
	"chaffinch/page"
	"chaffinch/text/langid"
)

// recipeVersion is the version of the recipe format. History:
//
//	1: first
const recipeVersion = 1

// Recipe describes how a corpus is built from raw pages, from the inputs to the exports. A
// section that is missing is a step that is skipped, except Clean. A Recipe is plain data;
// docs/guides/build.md describes its YAML and JSON form.
type Recipe struct {
	// Version is the version of the recipe format.
	Version int `json:"version"`
	// Name is the name of the corpus, for the report and for files without a name. Default:
	// the name of the recipe file without its extension.
	Name string `json:"name,omitempty"`
	// About describes the corpus, for the report.
	About string `json:"about,omitempty"`
	// Inputs are files and folders.
	Inputs []string `json:"inputs,omitempty"`
	// Input configures how the inputs are read.
	Input input.Config `json:"input"`
	// ExcludedSites is a list of sites that asked to be excluded: a file of hosts, with their
	// subdomains, and of the beginnings of addresses, one per line. Their pages are dropped before
	// they are read. Default: none.
	ExcludedSites string `json:"excluded_sites,omitempty"`
	// Forgotten lists the sites and pages that [Forget] has removed. It is set in the recipe that the
	// folder of a build holds.
	Forgotten []string `json:"forgotten,omitempty"`
	// OnePass applies the rules of Filter to each page after its cleaning, and stores only the
	// text that is kept. The exports do not change. The report still counts the removed text and shows
	// samples. This takes less time and less than half the disk, but a change of the rules cleans all
	// pages again. Inline markup and fields of blocks are stored only if an output has them. Default:
	// false, cleaning and filter are steps that store kept and removed text.
	OnePass bool `json:"one_pass,omitempty"`
	// Clean configures the extraction of text from pages.
	Clean Clean `json:"clean"`
	// Filter drops pages by rules. It is a rules file in the form that [filter.Config]
	// reads. Default: nil, no filter.
	Filter json.RawMessage `json:"filter,omitempty"`
	// Dedup lists the methods that remove duplicates, in order.
	Dedup []Dedup `json:"dedup,omitempty"`
	// Vertical configures the tokenized output. Default: nil, no vertical.
	Vertical *Vertical `json:"vertical,omitempty"`
	// Index configures an index of the vertical. Default: nil, no index.
	Index *Index `json:"index,omitempty"`
	// Exports are files with the kept text.
	Exports []Export `json:"exports,omitempty"`
}

// Clean holds the settings of the step that extracts text from pages. They are the settings
// of [stage.Options], with the names of the command "chaffinch clean".
type Clean struct {
	Method         string          `json:"method,omitempty"`
	Config         json.RawMessage `json:"config,omitempty"`
	Keep           string          `json:"keep,omitempty"`
	Favour         string          `json:"favour,omitempty"`
	Lang           string          `json:"lang,omitempty"`
	Langs          []string        `json:"langs,omitempty"`
	MinConfidence  *float64        `json:"min_confidence,omitempty"`
	LangUnit       string          `json:"lang_unit,omitempty"`
	PageTypes      []string        `json:"page_types,omitempty"`
	Types          []string        `json:"types,omitempty"`
	OCR            string          `json:"ocr,omitempty"`
	Registers      bool            `json:"registers,omitempty"`
	Hidden         string          `json:"hidden,omitempty"`
	RepairMojibake bool            `json:"repair_mojibake,omitempty"`
	Title          bool            `json:"title,omitempty"`
	// TranslationMarks is a file of marks of machine translation.
	TranslationMarks string        `json:"translation_marks,omitempty"`
	Sites            bool          `json:"sites,omitempty"`
	MaxNodes         int           `json:"max_nodes,omitempty"`
	MaxDepth         int           `json:"max_depth,omitempty"`
	MaxPageTime      time.Duration `json:"max_page_time,omitempty"`
	// Stages are the stages of a page, as in a [recipe.Recipe]. They replace all settings
	// above except MaxPageTime.
	Stages []stage.Step `json:"stages,omitempty"`
}

// Dedup configures a step that removes duplicates.
type Dedup struct {
	// Method is the name of one of [recipe.DedupMethods]; Config holds its settings.
	Method string          `json:"method"`
	Config json.RawMessage `json:"config,omitempty"`
	// Rank selects the copy that is kept.
	Rank dedup.Rank `json:"rank,omitempty"`
	// MinWords drops documents with fewer remaining words.
	MinWords int `json:"min_words,omitempty"`
}

// Vertical configures the step that tokenizes.
type Vertical struct {
	// File is the vertical file, compressed according to its suffix. Default: corpus.vert.
	File string `json:"file,omitempty"`
	// TokenRules is a file of rules; Segmenters are model files. See [recipe.Output].
	TokenRules string   `json:"token_rules,omitempty"`
	Segmenters []string `json:"segmenters,omitempty"`
	// Tag adds columns by built-in taggers, and by the model files Taggers. See [recipe.Output].
	Tag     bool     `json:"tag,omitempty"`
	Taggers []string `json:"taggers,omitempty"`
	// Tokenizer and Tagger are commands. TaggerColumns names the columns that the tagger
	// adds. TaggerInput selects the sentence separator in the tagger's input.
	Tokenizer     string   `json:"tokenizer,omitempty"`
	Tagger        string   `json:"tagger,omitempty"`
	TaggerColumns []string `json:"tagger_columns,omitempty"`
	TaggerInput   string   `json:"tagger_input,omitempty"`
	// Registry writes the registry files with which corpus managers index the vertical.
	Registry bool `json:"registry,omitempty"`
}

// Index configures the step that indexes the vertical.
type Index struct {
	// Folder is the folder of the index. Default: index.
	Folder string `json:"folder,omitempty"`
	// Lower and Document are the fields of [corpus.BuildConfig]. Defaults: lc and doc.
	Lower    string `json:"lower,omitempty"`
	Document string `json:"document,omitempty"`
	// Grammar is the embedded grammar of the word sketches, or none. Default: the grammar of the
	// corpus's language if the tokens have lemmas and universal parts of speech, otherwise none.
	Grammar string `json:"grammar,omitempty"`
}

// Export configures a file, or a folder with one file per page, of the kept text.
type Export struct {
	// File is the name of a file, or the name of a folder followed by a slash.
	File string `json:"file"`
	// Langs are the languages of the pages to write. Default: all languages.
	Langs []string `json:"langs,omitempty"`
	// Format is the name of one of [recipe.Formats]. Default: the format of the suffix of
	// File; text for a folder.
	Format string `json:"format,omitempty"`
	// Fields, Without and FrontMatter are the fields of [recipe.Output].
	Fields      []string `json:"fields,omitempty"`
	Without     []string `json:"without,omitempty"`
	FrontMatter bool     `json:"front_matter,omitempty"`
}

// Load reads a recipe. The name is the name of a bundled recipe or of a file.
func Load(name string) (*Recipe, error) {
	b, unknown := Bundled(name)
	if unknown == nil {
		return Parse(name, b)
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, fmt.Errorf("recipe %s: a folder, wanted a file or one of %s, before the inputs", name, strings.Join(BundledNames(), ", "))
	}
	b, err := archive.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) && filepath.Base(name) == name && filepath.Ext(name) == "" {
		return nil, fmt.Errorf("recipe %s: no such file, and %w", name, unknown)
	}
	if err != nil {
		return nil, fmt.Errorf("recipe %s: %w", name, files.Cause(err))
	}
	return Parse(name, b)
}

// Parse parses a recipe in YAML or JSON. The name is the file name; errors contain it and
// the line.
func Parse(name string, b []byte) (*Recipe, error) {
	doc, err := parseDocument(name, b)
	if err != nil {
		return nil, err
	}
	r := new(Recipe)
	if err := settings.Parse(doc.json, r); err != nil {
		return nil, doc.at(settings.PathOf(err), err)
	}
	r.setDefaults(name)
	if path, err := r.check(); err != nil {
		return nil, doc.at(path, err)
	}
	return r, nil
}

// setDefaults fills in missing names.
func (r *Recipe) setDefaults(file string) {
	if r.Name == "" {
		base := filepath.Base(file)
		r.Name = strings.TrimSuffix(base, filepath.Ext(base))
	}
	if v := r.Vertical; v != nil {
		v.File = cmp.Or(v.File, "corpus.vert")
	}
	if x := r.Index; x != nil {
		x.Folder = cmp.Or(x.Folder, "index")
		x.Lower = cmp.Or(x.Lower, "lc")
		x.Document = cmp.Or(x.Document, "doc")
	}
}

// check returns the first error and the path of the setting that has it.
func (r *Recipe) check() (path string, err error) {
	if r.Version == 0 {
		return "version", fmt.Errorf("version: there is none, wanted version: %d", recipeVersion)
	}
	if r.Version != recipeVersion {
		return "version", fmt.Errorf("version: %d, wanted %d, which this program reads", r.Version, recipeVersion)
	}
	if r.Input.Kept {
		return "input.kept", errors.New("input.kept: text that is clean needs no cleaning: chaffinch dedup and convert take it")
	}
	if c, err := r.pages(); err != nil {
		return "clean", fmt.Errorf("clean: %w", err)
	} else if _, _, err := c.Build(); err != nil {
		return "clean", fmt.Errorf("clean: %w", err)
	}
	if _, err := r.rules(); err != nil {
		return below("filter", err), fmt.Errorf("filter: %w", err)
	}
	for i := range r.Dedup {
		if key, err := r.Dedup[i].check(); err != nil {
			name, _, _ := strings.Cut(key[1:], ".")
			return fmt.Sprintf("dedup[%d]%s", i, key), fmt.Errorf("dedup.%s: %w", name, err)
		}
	}
	if path, err := r.checkTokens(); err != nil {
		return path, fmt.Errorf("%s: %w", path, err)
	}
	return r.checkExports()
}

// pages returns the recipe of the cleaning step. Its main output is JSON with typed blocks;
// its second output holds the removed text.
func (r *Recipe) pages() (*recipe.Recipe, error) {
	c := &r.Clean
	if c.Hidden != "" && c.Hidden != "drop" && c.Hidden != "keep" {
		return nil, fmt.Errorf("hidden: %q, wanted drop or keep", c.Hidden)
	}
	o := recipe.CleanOptions{
		Options: stage.Options{
			Method: c.Method, MethodConfig: c.Config, Keep: c.Keep, Favour: c.Favour, Lang: c.Lang, MinConfidence: c.MinConfidence, LangUnit: c.LangUnit,
			PageTypes: c.PageTypes, Formats: c.Types, OCR: c.OCR, Registers: c.Registers, KeepHidden: c.Hidden == "keep", RepairMojibake: c.RepairMojibake, Title: c.Title, TranslationMarks: c.TranslationMarks, Sites: c.Sites, MaxNodes: c.MaxNodes, MaxDepth: c.MaxDepth,
			MaxPageTime: c.MaxPageTime, MaxPageBytes: r.Input.MaxPageBytes,
		},
		Format: textFormat,
	}
	for _, s := range c.Langs {
		w, err := langid.ParseWanted(s)
		if err != nil {
			return nil, fmt.Errorf("langs: %w", err)
		}
		o.Langs = append(o.Langs, w)
	}
	if c.Lang != "" && len(c.Langs) > 0 {
		return nil, errors.New("langs filters by detected language, lang states one language for all: leave out one of them")
	}
	if rules, err := r.rules(); r.OnePass && err == nil && rules != nil { // check reports the error
		cfg := rules.Config()
		o.Filter, o.FilterNodes = &cfg, true
	}
	made := recipe.Clean(o)
	in := r.Input
	in.Field = cmp.Or(in.Field, input.Default.Field)
	in.MaxPageBytes = cmp.Or(in.MaxPageBytes, input.Default.MaxPageBytes)
	in.MaxRatio = cmp.Or(in.MaxRatio, input.Default.MaxRatio)
	made.Input = in
	if len(c.Stages) > 0 {
		others := *c
		others.Stages, others.MaxPageTime = nil, 0
		if b, _ := json.Marshal(others); string(b) != "{}" {
			return nil, fmt.Errorf("stages replace all settings of the cleaning: leave out %s", b)
		}
		made.Stages = c.Stages
		if o.Filter != nil {
			return nil, errors.New("stages and one_pass: add the stage filter to stages, and leave out one_pass")
		}
	}
	if r.ExcludedSites != "" || len(r.Forgotten) > 0 {
		list := filter.AddressConfig{Listed: r.Forgotten}
		if r.ExcludedSites != "" {
			list.Files = []string{r.ExcludedSites}
		}
		config, err := json.Marshal(list)
		if err != nil {
			return nil, err
		}
		made.Stages = append([]stage.Step{{Stage: "exclude", Config: config}}, made.Stages...)
	}
	if r.OnePass {
		made.Output.Lean = r.isFlat()
	} else {
		made.Output.Aside = []recipe.Aside{{Removed: true, Format: "jsonl"}}
	}
	return made, nil
}

// isFlat reports whether all outputs have formats without markup and fields of blocks.
func (r *Recipe) isFlat() bool {
	return r.Vertical == nil && !slices.ContainsFunc(r.Exports, func(e Export) bool {
		out, err := e.output()
		if err != nil {
			return true
		}
		f, err := recipe.FormatOf(out.Format)
		return err != nil || !f.Flat
	})
}

// check returns the first error and the key of the setting that has it.
func (d *Dedup) check() (key string, err error) {
	if _, err := recipe.DedupMethodOf(d.Method); err != nil {
		return ".method", nearest(err, d.Method, recipe.DedupNames())
	}
	if _, err := recipe.Dedup(d.Method, d.Config); err != nil {
		return below(".config", err), err
	}
	if d.Rank != "" && !slices.Contains(dedup.Ranks, d.Rank) {
		return ".rank", fmt.Errorf("%q, wanted one of %v", d.Rank, dedup.Ranks)
	}
	if d.MinWords < 0 {
		return ".min_words", fmt.Errorf("%d, wanted 0 or more", d.MinWords)
	}
	return "", nil
}

// rules returns the rules of the filter, or nil if there is no filter.
func (r *Recipe) rules() (*filter.Set, error) {
	if r.Filter == nil {
		return nil, nil
	}
	cfg := filter.Default
	if err := cfg.AddFile(r.Filter); err != nil {
		return nil, err
	}
	return filter.New(cfg)
}

// below returns the path of an error in the settings at path.
func below(path string, err error) string {
	if in := settings.PathOf(err); in != "" {
		return path + "." + in
	}
	return path
}

// nearest adds the name that was probably meant to an error about a name.
func nearest(err error, name string, names []string) error {
	return fmt.Errorf("%w%s", err, settings.DidYouMean(name, names))
}

// checkTokens returns the first error in vertical and index, and its path.
func (r *Recipe) checkTokens() (path string, err error) {
	v, x := r.Vertical, r.Index
	if x != nil && v == nil {
		return "index", errors.New("an index is made of a vertical: add the section vertical")
	}
	if v == nil {
		return "", nil
	}
	if err := ownPlace(v.File); err != nil {
		return "vertical.file", err
	}
	switch format, err := recipe.FormatOfName(v.File); {
	case err != nil:
		return "vertical.file", err
	case format != "vertical":
		return "vertical.file", fmt.Errorf("%s, wanted a name such as corpus.vert or corpus.vert.zst", v.File)
	case v.Tag && (v.Tagger != "" || v.Tokenizer != ""):
		return "vertical.tag", errors.New("a program tokenizes or tags: leave out tag, or the program")
	case v.Tagger == "" && len(v.TaggerColumns) > 0:
		return "vertical.tagger_columns", errors.New("they name the columns of a tagger: name that too")
	case v.Tagger != "" && len(v.TaggerColumns) == 0:
		return "vertical.tagger", errors.New("name the columns that it adds as tagger_columns, such as [lemma, tag]")
	}
	out, err := v.output()
	if err != nil {
		return "vertical", err
	}
	if _, _, err := recipe.Convert(recipe.ConvertOptions{Output: out}).Build(); err != nil {
		return "vertical", err
	}
	if t := v.tagger(0); t != nil {
		if err := t.Check(); err != nil {
			return "vertical.tagger", err
		}
	}
	if x == nil {
		return "", nil
	}
	if err := ownPlace(x.Folder); err != nil {
		return "index.folder", err
	}
	if overlap(v.File, x.Folder) {
		return "index.folder", fmt.Errorf("%s, where the vertical %s is: wanted another name", x.Folder, v.File)
	}
	if g := append(sketch.Embedded(), sketch.None); x.Grammar != "" && !slices.Contains(g, x.Grammar) {
		return "index.grammar", nearest(fmt.Errorf("%q, wanted one of %s", x.Grammar, strings.Join(g, ", ")), x.Grammar, g)
	}
	cfg := x.config(v)
	if err := cfg.Check(); err != nil {
		return "index", err
	}
	return "", nil
}

// isFolder reports whether an export writes one file per page.
func (e *Export) isFolder() bool {
	return strings.HasSuffix(e.File, "/") || strings.HasSuffix(e.File, string(filepath.Separator))
}

// output returns the settings of the written file.
func (e *Export) output() (recipe.Output, error) {
	o := recipe.Output{Format: e.Format, Fields: e.Fields, Without: e.Without, FrontMatter: e.FrontMatter, Langs: e.Langs}
	if o.Format == "" && !e.isFolder() {
		var err error
		if o.Format, err = recipe.FormatOfName(e.File); err != nil {
			return o, err
		}
	}
	o.Format = cmp.Or(o.Format, "text")
	if e.isFolder() {
		return o, nil
	}
	return o, o.CheckName(e.File)
}

// JSON returns the recipe as JSON, including defaults.
func (r *Recipe) JSON() []byte {
	b, err := settings.Format(r)
	if err != nil {
		panic(err) // plain data
	}
	return append(b, '\n')
}

// role returns the display name of a role.
func role(name string) string { return cmp.Or(name, page.NoRole.String(), "no role") }
