// Package plagiarism finds text of one collection in another: which document a
// suspicious one was made from, and which passages of both are the same.
//
// Unstable: this package may change in any release.
package plagiarism
