package recipe

import (
	"fmt"
	"slices"

	"chaffinch/page"
	"chaffinch/pipeline"
	"chaffinch/text/langid"
)

// Aside is a further output of a recipe: the kept blocks of one role, in separate records
// with the metadata of the page. The main output omits these blocks unless it is annotated.
type Aside struct {
	// Role is the role of the blocks, such as [page.RoleComment].
	Role page.Role `json:"role,omitempty" was:"class"`
	// Removed writes the text that is in no other output, annotated: removed blocks and
	// dropped pages. Role is not used then.
	Removed bool `json:"removed,omitempty"`
	// Format is the name of an entry of [Formats].
	Format string `json:"format"`
}

// encoders returns the encoders of all outputs, the main one first. They do not select
// blocks by role: see view.
func (o *Output) encoders() ([]pipeline.Encoder, error) {
	f, err := FormatOf(o.Format)
	if err != nil {
		return nil, err
	}
	enc, err := f.encoder(*o)
	if err != nil {
		return nil, err
	}
	list := []pipeline.Encoder{enc}
	for _, a := range o.Aside {
		if a.Role == page.NoRole && !a.Removed {
			return nil, fmt.Errorf("aside: no role: take %s", page.RoleComment)
		}
		f, err := FormatOf(a.Format)
		if err != nil {
			return nil, fmt.Errorf("aside: %w", err)
		}
		if enc, err = f.encoder(Output{Format: a.Format, Annotate: a.Removed}); err != nil {
			return nil, fmt.Errorf("aside: %w", err)
		}
		list = append(list, enc)
	}
	return list, nil
}

// view wraps the encoder of the i-th output so that it receives only the pages and blocks of
// this output.
func (o *Output) view(i int, enc pipeline.Encoder) pipeline.Encoder {
	if i > len(o.Aside) {
		return enc
	}
	if len(o.Langs) > 0 {
		return tongues{o.viewOf(i, enc), o.Langs}
	}
	return o.viewOf(i, enc)
}

// viewOf is like view, without the selection of languages.
func (o *Output) viewOf(i int, enc pipeline.Encoder) pipeline.Encoder {
	if len(o.Aside) == 0 || i == 0 && o.Annotate {
		return enc
	}
	if i > 0 && o.Aside[i-1].Removed {
		return removed{enc}
	}
	if i > 0 {
		role := o.Aside[i-1].Role
		return view{enc, func(r page.Role) bool { return r == role }}
	}
	return view{enc, func(r page.Role) bool {
		return !slices.ContainsFunc(o.Aside, func(a Aside) bool { return a.Role == r && !a.Removed })
	}}
}

// view encodes the blocks with selected roles and omits the others.
type view struct {
	pipeline.Encoder
	wants func(page.Role) bool
}

// HoldsField reports whether the format can represent a field.
func (v view) HoldsField(f *page.Field) bool {
	h, ok := v.Encoder.(pipeline.FieldHolder)
	return !ok || h.HoldsField(f)
}

// Append appends the record of the selected blocks of p, or nothing if there are none.
func (v view) Append(dst []byte, p *page.Page) []byte {
	if p.Drop != page.None {
		return v.Encoder.Append(dst, p)
	}
	wanted, others := 0, 0
	for i := range p.Blocks {
		if b := &p.Blocks[i]; !b.Label.Keep() {
			continue
		} else if v.wants(b.Role) {
			wanted++
		} else {
			others++
		}
	}
	if wanted > 0 && others == 0 {
		return v.Encoder.Append(dst, p)
	}
	part := *p
	if part.Images = nil; wanted == 0 {
		part.Drop = page.AllBad
		return v.Encoder.Append(dst, &part)
	}
	if v.wants(page.NoRole) {
		part.Images = p.Images
	}
	part.Blocks = slices.Clone(p.Blocks)
	for i := range part.Blocks {
		if b := &part.Blocks[i]; !v.wants(b.Role) {
			b.Label = page.Bad
		}
	}
	return v.Encoder.Append(dst, &part)
}

// removed encodes dropped pages, and the blocks of other pages that were removed fully or in
// part.
type removed struct{ pipeline.Encoder }

// Append appends the record of the text removed from p, or nothing if all text is kept.
func (r removed) Append(dst []byte, p *page.Page) []byte {
	if p.Drop != page.None {
		return r.Encoder.Append(dst, p)
	}
	part := *p
	part.Blocks, part.Images = nil, nil
	for i := range p.Blocks {
		if LosesText(&p.Blocks[i]) {
			part.Blocks = append(part.Blocks, p.Blocks[i])
		}
	}
	if len(part.Blocks) == 0 {
		return dst
	}
	return r.Encoder.Append(dst, &part)
}

// LosesText reports whether a block of a kept page was removed, fully or in part.
func LosesText(b *page.Block) bool {
	return !b.Label.Keep() || slices.ContainsFunc(b.Sentences, func(s page.Sentence) bool { return !s.Label.Keep() })
}

// tongues encodes pages in selected languages.
type tongues struct {
	pipeline.Encoder
	langs []string
}

// HoldsField reports whether the format can represent a field.
func (t tongues) HoldsField(f *page.Field) bool {
	h, ok := t.Encoder.(pipeline.FieldHolder)
	return !ok || h.HoldsField(f)
}

// Append appends the record of p, or nothing if p is in another language.
func (t tongues) Append(dst []byte, p *page.Page) []byte {
	if !slices.ContainsFunc(t.langs, func(l string) bool { return langid.Covers(l, p.Lang) }) {
		return dst
	}
	return t.Encoder.Append(dst, p)
}
