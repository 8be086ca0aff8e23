package worker

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"strings"

	"chaffinch/format/pdf/internal/wire"
)

// Limits of a document.
const (
	maxOutline = 10_000 // entries of the outline
	maxLevel   = 12     // levels of the outline
	maxPixels  = 16 << 20
)

// document is an open document.
type document struct {
	*instance
	handle     uint64
	pages      int
	actualText uint64 // address of the name
}

// load opens a document from memory.
func (d *document) load(raw []byte) error {
	at := d.alloc(len(raw) + 1)
	copy(d.view(at, len(raw)), raw)
	d.handle = d.call("FPDF_LoadMemDocument64", at, uint64(len(raw)), 0)
	if d.handle == 0 {
		const password, security = 4, 5 // FPDF_ERR_PASSWORD, FPDF_ERR_SECURITY
		code := d.int("FPDF_GetLastError")
		if code == password || code == security {
			return errEncrypted
		}
		return fmt.Errorf("PDFium cannot open the document (error %d)", code)
	}
	d.pages = d.int("FPDF_GetPageCount", d.handle)
	d.actualText = d.ascii("ActualText")
	return nil
}

// close stops the instance.
func (d *document) close() { d.mod.Close(d.ctx) }

// ascii allocates a string with a final zero and returns its address.
func (d *document) ascii(s string) uint64 {
	p := d.alloc(len(s) + 1)
	b := d.view(p, len(s)+1)
	b[copy(b, s)] = 0
	return p
}

func (d *document) describe() wire.Doc {
	meta := func(tag string) string { return strings.TrimSpace(d.utf16("FPDF_GetMetaText", d.handle, d.ascii(tag))) }
	doc := wire.Doc{
		Pages: d.pages, Title: meta("Title"), Author: meta("Author"), Subject: meta("Subject"),
		Created: meta("CreationDate"),
		Lang:    strings.TrimSpace(d.utf16("FPDFCatalog_GetLanguage", d.handle)),
	}
	seen := map[uint64]bool{}
	var walk func(parent uint64, level int)
	walk = func(parent uint64, level int) {
		for b := d.call("FPDFBookmark_GetFirstChild", d.handle, parent); b != 0; b = d.call("FPDFBookmark_GetNextSibling", d.handle, b) {
			if seen[b] || len(doc.Outline) >= maxOutline {
				return
			}
			seen[b] = true
			item := wire.Item{Title: strings.TrimSpace(d.utf16("FPDFBookmark_GetTitle", b)), Level: level, Page: -1}
			if dest := d.call("FPDFBookmark_GetDest", d.handle, b); dest != 0 {
				item.Page = d.int("FPDFDest_GetDestPageIndex", d.handle, dest)
			}
			doc.Outline = append(doc.Outline, item)
			if level < maxLevel {
				walk(b, level+1)
			}
		}
	}
	walk(0, 1)
	return doc
}

// render draws a page on white and returns it as PNG.
func (d *document) render(number, width int) ([]byte, error) {
	page := d.call("FPDF_LoadPage", d.handle, uint64(number))
	if page == 0 {
		return nil, fmt.Errorf("page %d cannot be read", number+1)
	}
	defer func() { d.call("FPDF_ClosePage", page) }()
	w, h := d.size(page)
	height := int(float64(width) * h / max(w, 1))
	if width < 1 || height < 1 || width*height > maxPixels {
		return nil, fmt.Errorf("page %d: image of %d × %d pixels (wanted at most %d pixels)", number+1, width, height, maxPixels)
	}
	bitmap := d.call("FPDFBitmap_Create", uint64(width), uint64(height), 0)
	if bitmap == 0 {
		return nil, fmt.Errorf("page %d: no memory for %d × %d pixels", number+1, width, height)
	}
	defer func() { d.call("FPDFBitmap_Destroy", bitmap) }()
	d.call("FPDFBitmap_FillRect", bitmap, 0, 0, uint64(width), uint64(height), 0xFFFFFFFF)
	const annotations = 1 // FPDF_ANNOT
	d.call("FPDF_RenderPageBitmap", bitmap, page, 0, 0, uint64(width), uint64(height), 0, annotations)
	stride := d.int("FPDFBitmap_GetStride", bitmap)
	b := d.view(d.call("FPDFBitmap_GetBuffer", bitmap), stride*height)
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		from, to := b[y*stride:], img.Pix[y*img.Stride:]
		for x := 0; x < 4*width; x += 4 { // BGRx to RGBA
			to[x], to[x+1], to[x+2], to[x+3] = from[x+2], from[x+1], from[x], 0xFF
		}
	}
	var out bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, img)
	return out.Bytes(), err
}
