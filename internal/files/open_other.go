//go:build !linux

package files

// unpolled is a flag to open regular files, which Linux needs.
const unpolled = 0
