package main

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"chaffinch/build/recipe"
	"chaffinch/format/suffix"
	"chaffinch/internal/files"
)

// outputFlags lists the flags that name outputs. A flag of a single command follows the name
// of the command.
var outputFlags = []string{
	"cpuprofile", "trace",
	"out", "dropped", "pii-report", "comments", "errors", "summary", "report", "bench", "figure", "glue", "floors", "missed", "per-page", "per-doc", "plots",
	"live", "save-docs", "save-lines", "save-made", "save-pieces", "save-predictions", "save-runs", "save-words", "save-pages", "eval ir --save", "eval classify --save", "eval lm --save", "eval labels --save", "eval tag --save", "tagged", "save-folds", "per-topic", "cross-validate", "output-dir", "work-dir",
	"train stopwords --text",
}

// inputFlags are the flags that name files or folders that a command reads.
var inputFlags = []string{
	"config-file", "grammar", "token-rules", "translation-marks", "recipe", "ids", "exclude", "crawl run --within", "crawl run --include", "model", "background", "data", "adapt", "dev", "annotate gold --pages", "serve --pages", "train lines --pages", "train ncleaner --pages", "raw", "clean", "rules", "filter", "filter run --sites", "pseudonym-key", "nontext-model", "limit-on", "more-good", "more-bad", "leave-one-out",
	"meta", "set", "train-set", "roles", "train-roles", "second", "predictions", "texts", "also", "registers", "phrases", "segmenter", "taggers", "langid", "close", "dictionary", "good-config", "lexicon", "fold", "again", "topics", "qrels", "eval ir --run", "eval ir --gold", "outcomes", "web-languages", "crawl propose --from", "crawl propose --index", "crawl propose --words",
}

// walkedFlags are those whose folders are read as a whole, as arguments are.
var walkedFlags = []string{"against", "sources", "reports"}

// otherFlags lists flags that seem to name files but do not, that name files for reading and
// writing, or that name folders of internal files.
var otherFlags = []string{"temp-dir", "scratch", "path", "dir", "excluded-sites", "chromium", "dedup run --index", "plagiarism search --index", "serve --annotate", "serve --words", "serve --store", "serve --allow"}

// packedOutputs lists the outputs that are compressed by the suffix of their names. Other
// outputs are read uncompressed: models, folders, pages for a browser.
var packedOutputs = []string{
	"errors", "comments", "save-docs", "save-predictions", "clean --out", "convert --out", "build merge --out", "crawl export links --out", "crawl export hosts --out", "dedup run --out", "dedup run --dropped", "filter run --out", "filter run --dropped", "filter apply --out", "filter apply --dropped", "tokenize --out",
	"vertical repair --out", "vertical tag --out", "vertical text --out", "vertical tokenize --out", "vertical conllu --out", "model arpa --out",
}

// Values of [outputFormats] that are no formats of files.
const (
	anyFormat = "any"    // bytes of a record, or a program of Go's reads it
	ownFormat = "own"    // the command, which knows the format, checks the name
	aFolder   = "folder" // of files
)

// outputFormats lists the formats of each output, by command and flag, or by flag for all
// commands.
var outputFormats = map[string]string{
	"cpuprofile": anyFormat, "trace": anyFormat, "bench": "text", "live": anyFormat, "warc extract --out": anyFormat,
	"clean --out": ownFormat, "comments": ownFormat, "convert --out": ownFormat, "build merge --out": ownFormat,
	"filter run --out": ownFormat, "filter apply --out": ownFormat, "dedup run --out": ownFormat, "dropped": ownFormat,
	"errors": "text", "eval langid --errors": "tsv", "eval metadata --errors": "tsv", "eval roles --errors": "tsv",
	"summary": "json", "floors": "json", "eval ir --save": "json", "eval classify --save": "json", "eval lm --save": "json", "eval labels --save": "json", "eval tag --save": "json", "tagged": "conllu", "save-folds": "jsonl", "train labels --save-predictions": "tsv", "train filter-limits --out": "json",
	"glue": "tsv", "missed": "tsv", "per-page": "tsv", "per-doc": "tsv", "per-topic": "tsv", "filter sites --out": "tsv", "annotate roles --out": "tsv",
	"save-lines": "tsv jsonl", "filter run --pii-report": "tsv jsonl",
	"save-docs": "jsonl", "eval dedup --save-docs": "jsonl vertical", "eval lines --save-predictions": "jsonl", "save-made": "jsonl",
	"crawl export links --out": "tsv text", "crawl export hosts --out": "tsv text", "crawl export wacz --out": "wacz",
	"report": "html", "crawl report --out": "html", "crawl policy --out": "html text", "explain --out": "html", "corpus compare --out": "html", "eval report --out": "html", "train langid --report": "markdown",
	"figure": "svg", "model arpa --out": "arpa",
	"tokenize --out": ownFormat, "vertical repair --out": "vertical prevertical", "vertical tokenize --out": "vertical", "vertical tag --out": "vertical", "vertical conllu --out": "vertical", "model pack --out": "model", "vertical text --out": "text",
	"train sentences --out": "text", "train blocks --out": "model", "train charset --out": "model", "train lines --out": "model", "train ncleaner --out": "model",
	"train words --out": "model", "train langid --out": "model", "train close --out": "model", "train segmenter --out": "model", "train tagger --out": "model", "train nontext --out": "model", "train labels --out": "model", "train stopwords --out": "model",
	"crawl run --out": aFolder, "build run --out": aFolder, "plagiarism index --out": aFolder, "plagiarism search --out": aFolder, "corpus index --out": aFolder, "corpus export --out": aFolder, "vertical parallel --out": aFolder,
	"annotate sheet --out": aFolder, "annotate gold --out": aFolder, "output-dir": aFolder, "work-dir": aFolder, "plots": aFolder, "train stopwords --text": aFolder,
	"save-predictions": aFolder, "save-pages": aFolder, "save-runs": aFolder, "save-words": aFolder, "save-pieces": aFolder, "train ncleaner --cross-validate": aFolder,
	"cross-validate": anyFormat, // a number
}

// formatsOf returns the formats that an output of a command may have.
func formatsOf(command, flag string) string {
	return cmp.Or(outputFormats[command+" --"+flag], outputFormats[flag])
}

// checkName is an error if the name of an output promises a format or a packing that it
// does not get.
func checkName(command, flag, path string) error {
	formats, p := formatsOf(command, flag), suffix.Of(path)
	switch {
	case formats == anyFormat:
		return nil
	case formats == aFolder:
		if err := suffix.CheckFolder(path); err != nil {
			return fmt.Errorf("--%s: %w", flag, err)
		}
		return nil
	case p.Packing != "" && !isOne(packedOutputs, command, flag):
		return fmt.Errorf("--%s %s: %s cannot compress this file: leave out %s and compress it afterwards", flag, path, command, p.Packing)
	}
	written := strings.Fields(formats)
	if formats == ownFormat {
		written = []string{p.Format}
	}
	if err := suffix.Check(path, written...); err != nil {
		return fmt.Errorf("--%s: %w", flag, err)
	}
	return nil
}

// isOne reports whether a list of flags contains the flag of a command.
func isOne(list []string, command, flag string) bool {
	return slices.Contains(list, flag) || slices.Contains(list, command+" --"+flag)
}

// checkPlaces returns an error if a command would overwrite an input, or write two outputs
// to one place.
func checkPlaces(k *kong.Context) error {
	n := k.Selected()
	if n == nil {
		return nil
	}
	var inputs, walked, outputs []files.Place
	var promise error // that a name breaks
	name := commandPath(n)
	for _, a := range n.Positional {
		for _, path := range values(a.Target) {
			walked = append(walked, files.Place{What: "the input", Path: path})
		}
	}
	for _, f := range k.Flags() {
		for _, path := range values(f.Target) {
			p := files.Place{What: "--" + f.Name, Path: path}
			switch {
			case isOne(outputFlags, name, f.Name):
				promise = cmp.Or(promise, checkName(name, f.Name, path))
				outputs = append(outputs, p)
			case slices.Contains(walkedFlags, f.Name):
				walked = append(walked, p)
			case isOne(inputFlags, name, f.Name) || isOne(otherFlags, name, f.Name):
				if path, _, ok := strings.Cut(path, "="); ok { // PATH=NAME
					inputs = append(inputs, files.Place{What: p.What, Path: path})
				}
				inputs = append(inputs, p)
			}
		}
	}
	if err := cmp.Or(files.CheckDistinct(append(inputs, walked...), outputs), promise, checkOwned(name, outputs)); err != nil {
		return err
	}
	if i := slices.IndexFunc(outputs, func(p files.Place) bool { return p.What == "--out" && p.Path != "-" }); i >= 0 {
		var near []files.Place
		for _, ending := range recipe.Besides {
			near = append(near, files.Place{What: "the work file", Path: strings.TrimRight(outputs[i].Path, "/") + ending})
		}
		others := append(slices.Delete(slices.Clone(outputs), i, i+1), append(inputs, walked...)...)
		others = slices.DeleteFunc(others, func(p files.Place) bool { return p.What == "--work-dir" })
		if err := files.CheckDistinct(others, near); err != nil {
			return err
		}
	}
	if strings.HasPrefix(name, "eval ") || strings.HasPrefix(name, "annotate ") { // which know what to read in a folder
		return nil
	}
	return files.CheckNotWithin(walked, outputs)
}

// values returns the text of a flag or an argument, all of it if it is a list.
func values(v reflect.Value) (list []string) {
	switch {
	case v.Kind() == reflect.String:
		list = []string{v.String()}
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.String:
		for i := range v.Len() {
			list = append(list, v.Index(i).String())
		}
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}
