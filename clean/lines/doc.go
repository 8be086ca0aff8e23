// Package lines tells text from boilerplate in plain text that has lost its
// HTML, one line at a time.
//
// The task, its data and its measures are those of Anna Salmela,
// "Distinguishing Noise and Main Text Content from Web-Sourced Plain Text
// Documents Using Sequential Neural Networks" (master's thesis, University of
// Turku, 2022): each line of a document is text or boilerplate, an encoder
// reads the line, and a recurrent layer reads the lines of the document in
// order. The thesis encodes lines by a transformer; this package by
// measurements that an ordinary processor takes in a microsecond. Text mode of
// NCleaner (S. Evert, "A lightweight and efficient tool for cleaning Web
// pages", LREC 2008) does the same job with character n-grams alone.
//
// A document is read into a sheet: a row of columns a line (columns.go), and
// the hashes of its word and character n-grams (grams.go). The columns of a
// line come from four places: its own characters (measure.go), its copies and
// its words in the document (repeat.go, topic.go), the lines around it
// (context.go), and the document as a whole (document.go).
//
// Unstable: this package may change in any release.
package lines
