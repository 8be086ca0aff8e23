package recipe

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"chaffinch/build/stage"
	"chaffinch/clean/method"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// spoiling is a source whose pages are useless as soon as they are given back.
type spoiling struct {
	*source
	back *int
}

func (s spoiling) Release(p *page.Page) {
	*s.back++
	for i := range p.Raw {
		p.Raw[i] = 'X'
	}
	s.source.Release(p)
}

// keeping is a source that takes no page back.
type keeping struct{ pipeline.Source }

// TestRelease wants the same output from pages whose memory is used again, with
// every method and every format: nothing may refer to a page after its record is made.
func TestRelease(t *testing.T) {
	const pages = 24
	dir := t.TempDir()
	for i := range pages {
		head := fmt.Sprintf(`<html lang="en"><head><title>Page %d</title><meta name="author" content="Nobody %d"></head><body>`, i, i)
		var b bytes.Buffer
		b.WriteString(head)
		for k := range 5 + i%20 {
			fmt.Fprintf(&b, `<div class="c%d"><x-part%d id="i%d"><p>%s</p></x-part%d></div>`, i, k, i, testkit.Words(uint64(100*i+k), 300), k)
		}
		if i%3 == 0 { // not UTF-8
			b.WriteString("<p>caf\xe9 cr\xe8me</p>")
		} else if i%3 == 1 {
			b.WriteString("<p>café crème</p>")
		}
		must.Write(t, filepath.Join(dir, fmt.Sprint(i)), b.Bytes())
	}
	for _, m := range method.Names() {
		for _, f := range Formats {
			if m != method.Default && f.Name != "json" { // the format knows nothing of the method
				continue
			}
			var out [2]bytes.Buffer
			back := 0
			for k := range out {
				at := runOf(dir, "")
				at.Stdout, at.Workers, at.PageTime, at.BatchPages = &out[k], 1, 0, 1
				run := must.Get(Open(Clean(CleanOptions{Options: stage.Options{Method: m}, Format: f.Name, Annotate: f.Annotates}), at))(t)
				if k == 0 {
					run.chain.Source = keeping{run.chain.Source}
				} else {
					run.chain.Source = spoiling{run.chain.Source.(*source), &back}
				}
				must.Succeed(t, must.Err(run.Do(t.Context())))
				must.Succeed(t, run.Close())
			}
			if back != pages {
				t.Errorf("%s, %s: %d of %d pages given back", m, f.Name, back, pages)
			}
			if f.Annotates && out[0].Len() == 0 || !bytes.Equal(out[0].Bytes(), out[1].Bytes()) {
				t.Errorf("%s, %s: the output of pages whose memory is used again differs", m, f.Name)
			}
		}
	}
}
