// Package lines separates text from boilerplate in plain text that has lost its HTML, one
// line at a time. [New] returns a labeller of pages; [Model.Score] scores the lines of a
// document.
//
// The task, its data and its measures are from Anna Salmela, "Distinguishing Noise and Main
// Text Content from Web-Sourced Plain Text Documents Using Sequential Neural Networks"
// (master's thesis, University of Turku, 2022). Each line of a document is text or
// boilerplate. An encoder reads the line, and a recurrent layer reads the lines of the
// document in order. The thesis encodes lines with a transformer. This package uses features
// that an ordinary processor computes in a microsecond. The text mode of NCleaner (S. Evert,
// "A lightweight and efficient tool for cleaning Web pages", LREC 2008) does the same with
// character n-grams alone.
//
// A document is read into a sheet: a row of columns per line (columns.go), and the hashes of
// its word and character n-grams (grams.go). The columns of a line have four sources: its
// own characters (measure.go), its copies and its words in the document (repeat.go,
// topic.go), the lines around it (context.go), and the document as a whole (document.go).
//
// Unstable: this package may change in any release.
package lines
