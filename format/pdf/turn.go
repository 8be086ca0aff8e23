package pdf

import "chaffinch/format/pdf/internal/wire"

// quarters counts the characters of a page by their direction in quarter turns clockwise.
func quarters(p *wire.Page) (n [4]int) {
	for i := range p.Chars {
		if q, ok := quarter(p.Chars[i].Angle); ok {
			n[q]++
		}
	}
	return n
}

// quarter returns an angle in quarter turns clockwise.
func quarter(angle int16) (int, bool) {
	a := (int(angle)%360 + 360 + 45) % 360
	return a / 90, a%90 >= 45-upright && a%90 <= 45+upright
}

// turned returns a page on which the characters that are turned by q quarters are upright,
// without the others.
func turned(p *wire.Page, q int) *wire.Page {
	out := *p
	if q%2 == 1 {
		out.Width, out.Height = p.Height, p.Width
	}
	out.Chars = nil
	for _, c := range p.Chars {
		if k, ok := quarter(c.Angle); !ok || k != q {
			continue
		}
		box := turnBox(c.Box, q, p.Width, p.Height)
		// The baseline is at an edge of the box of turned characters; its own position is that
		// of an upright one.
		c.Base = box.Y1 - float32(.2*c.Size)
		c.Box, c.Angle = box, 0
		out.Chars = append(out.Chars, c)
	}
	out.Rules, out.Images, out.Links = nil, nil, nil
	for _, l := range p.Links {
		out.Links = append(out.Links, wire.Link{Box: turnBox(l.Box, q, p.Width, p.Height), URL: l.URL})
	}
	for _, b := range p.Rules {
		out.Rules = append(out.Rules, turnBox(b, q, p.Width, p.Height))
	}
	for _, b := range p.Images {
		out.Images = append(out.Images, turnBox(b, q, p.Width, p.Height))
	}
	return &out
}

// turnBox turns a box of a page of width w and height h counterclockwise by q quarters.
func turnBox(b wire.Box, q int, w, h float32) wire.Box {
	switch q {
	case 1:
		return wire.Box{X0: b.Y0, Y0: w - b.X1, X1: b.Y1, Y1: w - b.X0}
	case 2:
		return wire.Box{X0: w - b.X1, Y0: h - b.Y1, X1: w - b.X0, Y1: h - b.Y0}
	case 3:
		return wire.Box{X0: h - b.Y1, Y0: b.X0, X1: h - b.Y0, Y1: b.X1}
	}
	return b
}
