package recipe

import (
	"fmt"
	"slices"

	"chaffinch/page"
	"chaffinch/pipeline"
)

// Aside is a further output of a recipe: the kept blocks of one role, in records
// of their own with what is known of the page. The main output leaves these blocks
// out, unless it is annotated.
type Aside struct {
	// Role is what the blocks are, such as [page.RoleComment].
	Role page.Role `json:"role" was:"class"`
	// Format is the name of an entry of [Formats].
	Format string `json:"format"`
}

// encoders makes the encoders of all outputs, the main one first. They know
// nothing of roles: see view.
func (o *Output) encoders() ([]pipeline.Encoder, error) {
	f, err := formatOf(o.Format)
	if err != nil {
		return nil, err
	}
	enc, err := f.encoder(*o)
	if err != nil {
		return nil, err
	}
	list := []pipeline.Encoder{enc}
	for _, a := range o.Aside {
		if a.Role == page.NoRole {
			return nil, fmt.Errorf("aside: no role: take %s", page.RoleComment)
		}
		f, err := formatOf(a.Format)
		if err != nil {
			return nil, fmt.Errorf("aside: %w", err)
		}
		if enc, err = f.encoder(Output{Format: a.Format}); err != nil {
			return nil, fmt.Errorf("aside: %w", err)
		}
		list = append(list, enc)
	}
	return list, nil
}

// view returns the encoder of the i-th output for what that takes of a page.
func (o *Output) view(i int, enc pipeline.Encoder) pipeline.Encoder {
	if len(o.Aside) == 0 || i == 0 && o.Annotate {
		return enc
	}
	if i > 0 {
		role := o.Aside[i-1].Role
		return view{enc, func(r page.Role) bool { return r == role }}
	}
	return view{enc, func(r page.Role) bool {
		return !slices.ContainsFunc(o.Aside, func(a Aside) bool { return a.Role == r })
	}}
}

// view encodes those blocks of a page whose role is wanted, as if the others
// had been left out.
type view struct {
	pipeline.Encoder
	wants func(page.Role) bool
}

// HoldsField tells whether the format has a place for a field.
func (v view) HoldsField(f *page.Field) bool {
	h, ok := v.Encoder.(pipeline.FieldHolder)
	return !ok || h.HoldsField(f)
}

// Append appends the record of what p has of the view, nothing if it has nothing.
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
