// Package vertical speaks the formats of corpus managers. [Encoder.Append] writes a page,
// [NewReader] reads a file.
//
// The vertical ([Encoder], [Reader]) has one token per line, its annotation in
// columns behind tabs, and structure tags on lines of their own, as Manatee
// (NoSketch Engine), the IMS Corpus Workbench and BlackLab read it. The
// prevertical ([Prevertical]) is running text between the same tags, as
// SpiderLing and jusText write it and as unitok reads it.
//
// Formats: docs/formats/vertical.md and docs/formats/prevertical.md.
package vertical
