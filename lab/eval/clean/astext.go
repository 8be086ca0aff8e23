package clean

import (
	"context"
	"fmt"
	"strings"

	"chaffinch/extract"
	"chaffinch/format/plain"
	"chaffinch/page"
)

// renderings are the ways in which pages are made plain text.
var renderings = []struct {
	name, help string
	dump       plain.Dump
}{
	{"blocks", "one block per line, as tag-remover writes", plain.Dump{}},
	{"breaks", "one block per line, and a new line at each line break, as WET files have", plain.Dump{Breaks: true}},
	{"wrapped", "lines of 78 characters, empty lines between blocks, as lynx -dump writes", plain.Dump{Breaks: true, Width: 78}},
}

// renderingNames returns the names of the ways in which pages are made plain text.
func renderingNames() []string {
	var names []string
	for _, r := range renderings {
		names = append(names, r.name)
	}
	return names
}

// AsText is a stage that makes an HTML page the plain text that a program
// without knowledge of boilerplate saves of it, so that methods can be measured
// on text that has lost its HTML. Stages that read text follow: nothing of the
// HTML is left for them, neither elements nor addresses nor metadata.
type AsText struct {
	extract *extract.Extractor
	dump    plain.Dump
	name    string
}

// NewAsText returns the stage for one of renderings.
func NewAsText(rendering string) (*AsText, error) {
	for _, r := range renderings {
		if r.name != rendering {
			continue
		}
		cfg := extract.Default
		cfg.Inline, cfg.Metadata = r.dump.Breaks, false
		x, err := extract.New(cfg)
		return &AsText{x, r.dump, r.name}, err
	}
	return nil, fmt.Errorf("pages as text %q: take one of %s", rendering, strings.Join(renderingNames(), ", "))
}

// Name is "as text" with the rendering.
func (t *AsText) Name() string { return "as text " + t.name }

// Do replaces p by its text.
func (t *AsText) Do(ctx context.Context, p *page.Page) error {
	if err := t.extract.Do(ctx, p); err != nil {
		return err
	}
	*p = page.Page{ID: p.ID, Raw: t.dump.Append(nil, p), MIME: plain.Text, Lang: p.Lang, Drop: p.Drop}
	return nil
}
