// Package docs embeds the manual. [Pages] holds its Markdown files by their paths below docs.
//
// Unstable: this package may change in any release.
package docs

import "embed"

// Pages holds the tutorials, the guides, the reference and the explanations, without pictures.
//
//go:embed README.md glossary.md tutorials/*.md guides/*.md reference/*.md reference/formats reference/models explanation/*.md
var Pages embed.FS
