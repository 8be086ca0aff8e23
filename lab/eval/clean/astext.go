package clean

import (
	"context"
	"fmt"
	"strings"

	"chaffinch/extract"
	"chaffinch/format/plain"
	"chaffinch/page"
)

// renderings lists the conversions of pages to plain text.
var renderings = []struct {
	name, help string
	dump       plain.Dump
}{
	{"blocks", "one block per line, as tag-remover writes", plain.Dump{}},
	{"breaks", "one block per line, and a new line at each line break, as WET files have", plain.Dump{Breaks: true}},
	{"wrapped", "lines of 78 characters, empty lines between blocks, as lynx -dump writes", plain.Dump{Breaks: true, Width: 78}},
}

// renderingNames returns the names of the conversions of pages to plain text.
func renderingNames() []string {
	var names []string
	for _, r := range renderings {
		names = append(names, r.name)
	}
	return names
}

// AsText is a stage that replaces an HTML page with plain text, as saved by a program without
// boilerplate removal. It measures methods on text without HTML. Stages that read text must follow,
// since no elements, addresses or metadata remain.
type AsText struct {
	extract *extract.Extractor
	dump    plain.Dump
	name    string
}

// NewAsText returns the stage for one of [renderings].
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

// Name returns "as text" and the name of the rendering.
func (t *AsText) Name() string { return "as text " + t.name }

// Do replaces p with its text.
func (t *AsText) Do(ctx context.Context, p *page.Page) error {
	if err := t.extract.Do(ctx, p); err != nil {
		return err
	}
	*p = page.Page{ID: p.ID, Raw: t.dump.Append(nil, p), MIME: plain.Text, Lang: p.Lang, Drop: p.Drop}
	return nil
}
