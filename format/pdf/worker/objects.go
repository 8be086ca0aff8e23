package worker

import (
	"chaffinch/format/pdf/internal/wire"
)

// Types of page objects and segments of paths.
const (
	objectText  = 1 // FPDF_PAGEOBJ_TEXT
	objectPath  = 2 // FPDF_PAGEOBJ_PATH
	objectImage = 3 // FPDF_PAGEOBJ_IMAGE
	objectForm  = 5 // FPDF_PAGEOBJ_FORM

	segmentMove = 2 // FPDF_SEGMENT_MOVETO
)

// walk reads lines, rectangles and images of a page or form.
func (r *pageReader) walk(parent uint64, count, get string, m matrix, depth int) {
	for i := range r.int(count, parent) {
		if r.objects++; r.objects > maxObjects || len(r.out.Rules) > maxRules {
			return
		}
		object := r.call(get, parent, uint64(i))
		if object == 0 {
			continue
		}
		switch r.int("FPDFPageObj_GetType", object) {
		case objectText:
			r.textSpan(object, m)
		case objectPath:
			r.path(object, m)
		case objectImage:
			if b, ok := r.bounds(object, m); ok {
				r.out.Images = append(r.out.Images, b)
			}
		case objectForm:
			if depth < maxForms {
				r.walk(object, "FPDFFormObj_CountObjects", "FPDFFormObj_GetObject", r.matrix("FPDFPageObj_GetMatrix", object).then(m), depth+1)
			}
		}
	}
}

// textSpan adds a text object to the span that it is in.
func (r *pageReader) textSpan(object uint64, m matrix) {
	for i := range min(r.int("FPDFPageObj_CountMarks", object), maxMarks) {
		mark := r.call("FPDFPageObj_GetMark", object, uint64(i))
		if mark == 0 || r.int("FPDFPageObjMark_GetParamValueType", mark, r.actualText) == 0 {
			continue
		}
		b, ok := r.bounds(object, m)
		if !ok {
			continue
		}
		r.inSpan[object] = mark
		if s := r.spans[mark]; s != nil {
			s.box = s.box.Union(b)
		} else {
			r.spans[mark] = &span{box: b}
		}
	}
}

func (r *pageReader) bounds(object uint64, m matrix) (wire.Box, bool) {
	at := r.scratch
	if r.call("FPDFPageObj_GetBounds", object, at, at+4, at+8, at+12) == 0 {
		return wire.Box{}, false
	}
	var x0, y0, x1, y1 float64
	r.floats32(at, &x0, &y0, &x1, &y1)
	return m.box(x0, y0, x1, y1), true
}

// matrix returns the matrix that a function writes to the address after args.
func (r *pageReader) matrix(function string, args ...uint64) matrix {
	m := matrix{a: 1, d: 1}
	if r.call(function, append(args, r.scratch)...) != 0 {
		r.floats32(r.scratch, &m.a, &m.b, &m.c, &m.d, &m.e, &m.f)
	}
	return m
}

// thin is the most width of a line in points.
const thin = 3

// path adds the lines of a path: thin rectangles, rectangles, and segments that are horizontal
// or vertical.
func (r *pageReader) path(object uint64, m matrix) {
	b, ok := r.bounds(object, m)
	if !ok {
		return
	}
	n := r.int("FPDFPath_CountSegments", object)
	if b.X1-b.X0 <= thin || b.Y1-b.Y0 <= thin || n <= 5 {
		r.out.Rules = append(r.out.Rules, b)
		return
	}
	if n > 2000 { // a drawing
		return
	}
	m = r.matrix("FPDFPageObj_GetMatrix", object).then(m)
	var lastX, lastY float64
	for i := range n {
		s := r.call("FPDFPath_GetPathSegment", object, uint64(i))
		if s == 0 || r.call("FPDFPathSegment_GetPoint", s, r.scratch, r.scratch+4) == 0 {
			return
		}
		var x, y float64
		r.floats32(r.scratch, &x, &y)
		x, y = m.apply(x, y)
		if r.int("FPDFPathSegment_GetType", s) != segmentMove {
			line := wire.Box{X0: float32(min(x, lastX)), Y0: float32(min(y, lastY)), X1: float32(max(x, lastX)), Y1: float32(max(y, lastY))}
			if w, h := line.X1-line.X0, line.Y1-line.Y0; w+h > thin && (w <= 1 || h <= 1) {
				r.out.Rules = append(r.out.Rules, line)
			}
		}
		lastX, lastY = x, y
	}
}
