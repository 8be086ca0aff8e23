// Package prometheus writes metrics in the text format of Prometheus, version 0.0.4. [New] starts a
// response; [Writer.One] writes a metric.
package prometheus

import (
	"fmt"
	"io"
	"net/http"
)

// Writer writes metrics whose names begin with Prefix.
type Writer struct {
	W      io.Writer
	Prefix string
}

// New returns a Writer for an HTTP response.
func New(w http.ResponseWriter, prefix string) Writer {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	return Writer{w, prefix}
}

// Head writes the header of a metric. kind is counter, gauge or histogram.
func (w Writer) Head(name, kind, help string) {
	fmt.Fprintf(w.W, "# HELP %[1]s%[2]s %[4]s\n# TYPE %[1]s%[2]s %[3]s\n", w.Prefix, name, kind, help)
}

// Value writes a value of the metric of the last Head. labels have the form `route="/",code="200"`,
// "" for none.
func (w Writer) Value(name, labels string, value any) {
	if labels != "" {
		labels = "{" + labels + "}"
	}
	fmt.Fprintf(w.W, "%s%s%s %v\n", w.Prefix, name, labels, value)
}

// One writes a metric with one value.
func (w Writer) One(name, kind, help string, value any) {
	w.Head(name, kind, help)
	w.Value(name, "", value)
}
