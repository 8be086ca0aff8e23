// Package plagiarism detects reused text. [Align] finds the passages that two texts
// share, and [SearchAll] finds the passages of documents in an index of sources. A
// [Task] finds the source document of each suspicious document.
//
// Unstable: this package may change in any release.
package plagiarism
