package build_test

import (
	"strings"
	"testing"

	"chaffinch/build"
	"chaffinch/internal/testkit/must"
)

// TestParseErrors wants file and line, what was found and what was wanted.
func TestParseErrors(t *testing.T) {
	for in, want := range map[string]string{
		"":          "r.yaml: nothing in it, wanted a recipe",
		"clean: {}": "r.yaml:1: version: there is none, wanted version: 1",
		"version: 1\nfilter:\n  use: [c4]\n  limits:\n    gopher_quality.word: {min: 3}": `r.yaml:2: filter: limits: scores "gopher_quality.word" are not known: did you mean gopher_quality.words?`,
		"version: 2": "r.yaml:1: version: 2, wanted 1",
		"version: 1\nfilter:\n  use: [c4]\n  limits:\n    c4.sentences: {min: .NaN}":  "r.yaml:5: min: .NaN, wanted a finite number",
		"version: 1\nfilter:\n  use: [c4]\n  limits:\n    c4.sentences: {max: -.inf}": "r.yaml:5: max: -.inf, wanted a finite number",
		"version: 1\nclaen: {}":                                                                       `r.yaml:2: unknown key "claen": did you mean clean?`,
		"version: 1\nclean:\n  kep: text":                                                             `r.yaml:3: clean: unknown key "kep": did you mean keep?`,
		"version: 1\nclean:":                                                                          "r.yaml:2: clean: no value: wanted one, or {} for the defaults",
		"version: 1\nclean:\n  keep: novel":                                                           `r.yaml:2: clean: `,
		"version: 1\nclean:\n  max_page_time: 20":                                                     "r.yaml:3: clean.max_page_time: 20, wanted a duration with its unit",
		"version: 1\ninput:\n  max_page_bytes: lots":                                                  `r.yaml:3: input.max_page_bytes: "lots": wanted a size such as`,
		"version: 1\ndedup:\n  - method: onion\n  - method: minhsh":                                   "r.yaml:4: dedup.method: method \"minhsh\" is not known: take one of onion, minhash, exact, decontaminate; did you mean minhash?",
		"version: 1\ndedup:\n  - method: onion\n    config:\n      pecent: 3":                         `r.yaml:5: dedup.config: method onion: config: unknown key "pecent": did you mean percent?`,
		"version: 1\ndedup:\n  - method: onion\n    rank: oldest":                                     `r.yaml:4: dedup.rank: "oldest", wanted one of`,
		"version: 1\nexports:\n  - file: a.jsonl\n  - file: ../b.jsonl":                               `r.yaml:4: exports.file: "../b.jsonl" leads out of the folder`,
		"version: 1\nexports:\n  - file: a.jsonl\n  - file: ./a.jsonl":                                "r.yaml:4: exports.file: ./a.jsonl, where the build also writes a.jsonl",
		"version: 1\nexports:\n  - file: steps/a.jsonl":                                               `r.yaml:3: exports.file: "steps/a.jsonl": the build itself uses the name steps`,
		"version: 1\nexports:\n  - file: build.json":                                                  `r.yaml:3: exports.file: "build.json": the build itself uses the name build.json`,
		"version: 1\nexports:\n  - file: a.jsonl\n  - file: a.jsonl/b.jsonl":                          "r.yaml:4: exports.file: a.jsonl/b.jsonl, where the build also writes a.jsonl",
		"version: 1\nvertical: {}\nindex: {folder: index}\nexports:\n  - file: index/x.jsonl":         "r.yaml:5: exports.file: index/x.jsonl, where the build also writes index",
		"version: 1\nvertical: {file: v.vert}\nindex: {folder: v.vert}":                               "r.yaml:3: index.folder: v.vert, where the vertical v.vert is",
		"version: 1\nexports:\n  - file: a.docx":                                                      "r.yaml:3: exports: output a.docx: suffix .docx is not known",
		"version: 1\nfilter:\n  use: [gopher_qualty]":                                                 `r.yaml:2: filter: use: rules "gopher_qualty" are not known: did you mean gopher_quality?`,
		"version: 1\nfilter:\n  use: [c4]\n  limts: {}":                                               `r.yaml:4: filter: unknown key "limts": did you mean limits?`,
		"version: 1\nfilter:\n  use: [gopher_quality]\n  limits:\n    gopher_quality.words: {min: x}": `r.yaml:5: filter: `,
		"version: 1\nfilter: {}":                                                                      `r.yaml:2: filter: no rules`,
		"version: 1\nindex: {}":                                                                       "r.yaml:2: index: an index is made of a vertical",
		"version: 1\nvertical:\n  file: a.txt":                                                        "r.yaml:3: vertical.file: a.txt, wanted a name such as corpus.vert",
		"version: 1\nvertical: {tagger: x}":                                                           "r.yaml:2: vertical.tagger: name the columns that it adds",
		"version: 1\nversion: 1":                                                                      "r.yaml:2: not YAML: mapping key \"version\" already defined",
		"a: &x [1]\nb: *x":                                                                            "r.yaml:1: a: anchors, aliases and tags of YAML are not read",
		"version: 1\n---\nversion: 1":                                                                 "r.yaml:3: a second document",
		"{\n\"version\": 1,\n\"clean\": {\"keeep\": \"text\"}\n}":                                     `r.yaml:3: clean: unknown key "keeep": did you mean keep?`,
		"- version: 1": "r.yaml:1: not YAML: ",
		"version: 1\nclean:\n  stages: [{stage: extract}]\n  keep: text":                                                         "r.yaml:2: clean: stages replace all settings of the cleaning",
		"version: 1\nclean: {langs: [danskk]}":                                                                                   "r.yaml:2: clean: ",
		"version: 1\nclean: {langs: [no, da]}\nexports:\n  - {file: a.jsonl, langs: [nb, sv]}\n  - {file: b.jsonl, langs: [sv]}": "r.yaml:5: exports.langs: b.jsonl would be empty: its languages are sv, and clean retains only no, da",
		"version: 1\nvertical: {file: c.vert}\nexports: [{file: c.vert, langs: [de]}]":                                           "r.yaml:3: exports.file: c.vert, where the build also writes c.vert",
	} {
		if _, err := build.Parse("r.yaml", []byte(in)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v\nwant %s", in, err, want)
		}
	}
}

// TestBundled reads the recipes that come along.
func TestBundled(t *testing.T) {
	names := build.BundledNames()
	if len(names) == 0 {
		t.Fatal("none")
	}
	for _, name := range names {
		if r, err := build.Load(name); err != nil || r.About == "" || r.Name != name {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	must.Fail(t, must.Err(build.Load("lingiust")), "take one of")
	must.Fail(t, must.Err(build.Load("missing.yaml")), "recipe missing.yaml: no such file or directory")
	must.Fail(t, must.Err(build.Load(t.TempDir())), "a folder, wanted a file or one of linguist")
}
