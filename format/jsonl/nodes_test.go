package jsonl

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"chaffinch/format/tree"
	"chaffinch/internal/jsonscan"
)

// FuzzNodes: blocks are parsed as package encoding/json parses them.
func FuzzNodes(f *testing.F) {
	for _, s := range []string{
		`[]`, ` [ { } ] `, `null`, `{}`, ``, `[{"kind":"list","ordered":true,"number":3,"blocks":[{"text":"a \"b\" \u00e9\n","level":2}]}]`,
		`[{"text":"x","inline":[{"kind":"link","start":1,"end":2,"url":"https://a.example/","alt":"y"}],"score":0.25,"lang_confidence":1e-3,"hidden":false}]`,
		`[{"kind":null}]`, `[{"Kind":"a"}]`, `[{"level":300}]`, `[{"level":-1}]`, `[{"number":-4}]`, `[{"start":1.5}]`, `[{"text":"\ud800"}]`, "[{\"text\":\"\xff\"}]",
		`[{"text":"a","text":"b"}]`, `[{"blocks":[{"text":"a"}],"blocks":[{"url":"b"}]}]`, `[{"x":[1,{"y":NaN}]}]`, `[{"score":NaN}]`, `[{"score":01}]`, "[{\"text\":\"\t\"}]", "[{\"\x10\":0}]", `[{"\u006bind":"a"}]`, "[{\"\xff\":0}]", `[{"a":1,}]`, `[1]`, `[{}`, `[{}] x`,
		`[{"kind":"cell","column":1,"columns":2,"rows":3,"header":true,"path":"p","lang":"en","label":"good","role":"title","class":"comment","by":"b","why":"w","end":9}]`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var want []tree.Node
		wrong := json.Unmarshal(b, &want)
		got, err := parseNodes([]tree.Node{{Text: "of the line before", Hidden: true}}, b)
		if (err != nil) != (wrong != nil) || err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v; wanted %+v, %v", b, got, err, want, wrong)
		}
	})
}

// TestNodesScanned: the lines of the encoder are parsed without package encoding/json.
func TestNodesScanned(t *testing.T) {
	const line = `[{"kind":"list","ordered":true,"number":3,"blocks":[{"kind":"paragraph","text":"a \"b\" \u00e9\n","inline":[{"kind":"link","start":1,"end":2,"url":"u"}],"score":0.25,"label":"good"}]}]`
	s := nodeScanner{jsonscan.Scanner{B: []byte(line)}}
	if list, err := s.nodes(nil); err != nil || len(list) != 1 || errors.Is(err, errUncommon) {
		t.Errorf("%+v, %v", list, err)
	}
}

func BenchmarkNodes(b *testing.B) {
	line := []byte(`[{"kind":"paragraph","text":"A paragraph of a page with a few words.","path":"html.body.main.p","start":1200,"end":1400,"label":"good","score":0.9871234},{"kind":"list","blocks":[{"kind":"item","blocks":[{"kind":"paragraph","text":"one","label":"good","score":0.5}]}]}]`)
	for name, parse := range map[string]func([]byte) ([]tree.Node, error){"scanner": func(b []byte) ([]tree.Node, error) { return parseNodes(nil, b) }, "encoding/json": func(b []byte) (list []tree.Node, err error) { return list, json.Unmarshal(b, &list) }} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				parse(line)
			}
		})
	}
}
