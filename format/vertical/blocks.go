package vertical

import (
	"io"
	"iter"
)

// Block is the text of a <p> of a vertical.
type Block struct {
	// Doc is the number of the document, from 1, or 0 outside documents.
	Doc int64
	// Text is the text before tokenization. It is valid until the next block.
	Text []byte
	// More indicates that the text continues in the next block. Texts of more than a
	// megabyte are split.
	More bool
}

// maxPart is the length in bytes from which a text is split.
const maxPart = 1 << 20

// Blocks restores the texts of a vertical. It yields a Block for each <p> or, without <p>,
// for consecutive tokens of a document. Tokens are separated by a blank, unless they are
// joined by <g/> or <sp s="..."/> holds other white space.
func Blocks(r *Reader) iter.Seq2[*Block, error] {
	return func(yield func(*Block, error) bool) {
		b := &Block{}
		glue := true // no blank before the next token
		flush := func() bool {
			parts := b.More
			if b.More = false; (len(b.Text) > 0 || parts) && !yield(b, nil) {
				return false
			}
			b.Text, glue = b.Text[:0], true
			return true
		}
		part := func() bool {
			if len(b.Text) < maxPart {
				return true
			}
			b.More = true
			ok := yield(b, nil)
			b.Text = b.Text[:0]
			return ok
		}
		for {
			l, err := r.Next()
			if err == io.EOF {
				flush()
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !part() {
				return
			}
			switch l.Kind {
			case Token:
				if !glue {
					b.Text = append(b.Text, ' ')
				}
				b.Text = append(b.Text, l.Fields[0]...)
				glue = false
			case Text:
				if !glue {
					b.Text = append(b.Text, '\n')
				}
				b.Text = append(b.Text, l.Fields[0]...)
				glue = false
			case Empty:
				switch string(l.Name) {
				case "g":
					glue = true
				case "sp":
					b.Text = append(b.Text, l.Value("s")...)
					glue = true
				}
			default:
				name := string(l.Name)
				if name != paragraph && name != r.cfg.Doc {
					continue
				}
				if !flush() {
					return
				}
				if name == r.cfg.Doc && l.Kind == Open {
					b.Doc++
				}
			}
		}
	}
}
