// Package prefetch loads elements of large tables into the caches of the processor before they are
// read.
package prefetch
