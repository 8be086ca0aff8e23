// Package vertical reads and writes the formats of corpus managers. [Encoder.Append] writes
// a page and [NewReader] reads a file.
//
// The vertical ([Encoder], [Reader]) has one token per line. Its annotation follows in
// columns separated by tabs, and structure tags are separate lines. Manatee (NoSketch
// Engine), the IMS Corpus Workbench and BlackLab read it. The prevertical ([Prevertical]) is
// running text between the same tags, as written by SpiderLing and jusText and read by
// unitok.
//
// Formats: docs/reference/formats/vertical.md and docs/reference/formats/prevertical.md.
package vertical
