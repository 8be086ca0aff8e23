package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"chaffinch/internal/files"
	"chaffinch/internal/packed"
	"chaffinch/recipe"
)

// outputFlags are the flags that name what a command writes. Those of one
// command alone have its name before them.
var outputFlags = []string{
	"cpuprofile", "trace",
	"out", "dropped", "comments", "errors", "summary", "report", "arpa", "bench", "figure", "glue", "floors", "missed", "per-page", "per-doc", "plots",
	"live", "save-docs", "save-lines", "save-made", "save-pieces", "save-predictions", "save-runs", "save-words", "save-pages", "eval ir --save", "eval classify --save", "save-texts", "eval lm --save", "per-topic", "cross-validate", "output-dir", "work-dir",
	"train stopwords --text",
}

// inputFlags are the flags that name files or folders that a command reads.
var inputFlags = []string{
	"config-file", "token-rules", "translation-marks", "recipe", "ids", "exclude", "model", "background", "data", "adapt", "dev", "annotate gold --pages", "serve --pages", "train lines --pages", "train ncleaner --pages", "raw", "clean", "rules", "filter", "filter run --sites", "nontext-model", "limit-on", "leave-one-out",
	"meta", "set", "train-set", "roles", "train-roles", "second", "predictions", "texts", "also", "registers", "phrases", "segmenter", "dictionary", "fold", "again", "topics", "qrels", "eval ir --run", "eval ir --gold", "vectors",
}

// walkedFlags are those whose folders are read as a whole, as arguments are.
var walkedFlags = []string{"against", "sources", "reports"}

// otherFlags look as if they named files and do not, or name what is read and
// written at the same time, or where only files of the program's own lie.
var otherFlags = []string{"temp-dir", "scratch", "path", "dir", "dedup run --index", "plagiarism search --index", "serve --annotate"}

// packedOutputs are the outputs that are packed if their names say so. Others are
// read as they are: models, folders, pages for a browser.
var packedOutputs = []string{
	"errors", "comments", "save-docs", "save-predictions", "clean --out", "convert --out", "crawl export links --out", "crawl export hosts --out", "dedup run --out", "dedup run --dropped", "filter run --out", "filter run --dropped", "filter apply --out", "filter apply --dropped", "tokenize --out",
	"vertical repair --out", "vertical tag --out", "vertical text --out", "vertical tokenize --out", "model arpa --out",
}

// rawOutputs are bytes of a record, whatever they are.
var rawOutputs = []string{"warc extract --out"}

// checkPacked is an error if the name of an output promises a packed file that it
// does not get.
func checkPacked(command, flag, path string) error {
	switch kind, _ := packed.CutSuffix(path); {
	case kind == packed.Plain || isOne(rawOutputs, command, flag):
	case !isOne(packedOutputs, command, flag):
		return fmt.Errorf("--%s %s: %s writes this file unpacked: leave out %s and pack it afterwards", flag, path, command, kind.Suffix())
	case !kind.Writes():
		return fmt.Errorf("--%s %s: %s is not written: take %s, or pack it afterwards", flag, path, kind, packed.WrittenSuffixes())
	}
	return nil
}

// isOne tells whether a list of flags has that one of a command.
func isOne(list []string, command, flag string) bool {
	return slices.Contains(list, flag) || slices.Contains(list, command+" --"+flag)
}

// commandName is the name of a command as users type it.
func commandName(n *kong.Node) string {
	path, _, _ := strings.Cut(n.Path(), " (") // other names follow
	return strings.TrimPrefix(path, "chaffinch ")
}

// checkPlaces is an error if a command would write onto what it reads, or two
// outputs onto each other.
func checkPlaces(k *kong.Context) error {
	n := k.Selected()
	if n == nil {
		return nil
	}
	var inputs, walked, outputs []files.Place
	name := commandName(n)
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
				if err := checkPacked(name, f.Name, path); err != nil {
					return err
				}
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
	if err := files.Apart(append(inputs, walked...), outputs); err != nil {
		return err
	}
	if i := slices.IndexFunc(outputs, func(p files.Place) bool { return p.What == "--out" && p.Path != "-" }); i >= 0 {
		var near []files.Place
		for _, ending := range recipe.Besides {
			near = append(near, files.Place{What: "the work file", Path: strings.TrimRight(outputs[i].Path, "/") + ending})
		}
		others := append(slices.Delete(slices.Clone(outputs), i, i+1), append(inputs, walked...)...)
		others = slices.DeleteFunc(others, func(p files.Place) bool { return p.What == "--work-dir" })
		if err := files.Apart(others, near); err != nil {
			return err
		}
	}
	if strings.HasPrefix(name, "eval ") || strings.HasPrefix(name, "annotate ") { // which know what to read in a folder
		return nil
	}
	return files.Outside(walked, outputs)
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
