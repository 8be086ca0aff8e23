package chart

import "chaffinch/internal/table"

// Placer finds free space for labels within a frame.
type Placer struct {
	Left, Right, Top, Bottom float64
	taken                    [][4]float64
}

// Occupy marks a box as occupied.
func (r *Placer) Occupy(x, y, width, height float64) {
	r.taken = append(r.taken, [4]float64{x, y, x + width, y + height})
}

func (r *Placer) free(b [4]float64) bool {
	if b[0] < r.Left || b[2] > r.Right || b[1] < r.Top || b[3] > r.Bottom {
		return false
	}
	for _, o := range r.taken {
		if b[0] < o[2] && o[0] < b[2] && b[1] < o[3] && o[1] < b[3] {
			return false
		}
	}
	return true
}

// Place finds free space for a label beside a dot and marks it as occupied. It returns the anchor
// point of the text and its text-anchor: "start", "middle" or "end".
func (r *Placer) Place(x, y float64, name string, size float64) (at Point, anchor string, ok bool) {
	w, h := float64(table.Width(name))*size*0.56, size
	for _, p := range []struct {
		x, y, from float64
		anchor     string
	}{
		{x + 5, y + 4, 0, "start"}, {x - 5, y + 4, 1, "end"}, {x, y - 6, 0.5, "middle"}, {x, y + 14, 0.5, "middle"},
		{x + 4, y - 5, 0, "start"}, {x + 4, y + 12, 0, "start"}, {x - 4, y - 5, 1, "end"}, {x - 4, y + 12, 1, "end"},
	} {
		x0 := p.x - float64(p.from*w)
		b := [4]float64{x0 - 1, p.y - h + 2, x0 + w + 1, p.y + 3}
		if r.free(b) {
			r.taken = append(r.taken, b)
			return Point{p.x, p.y}, p.anchor, true
		}
	}
	return Point{}, "", false
}
