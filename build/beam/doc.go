// Package beam builds a corpus by a recipe of package build on Apache Beam: on Flink, or
// on Prism in one process. Text and outputs lie in a store, in shards that appear whole or
// not at all, as those of ranks do, so that what Beam does again is never there twice.
// What must meet goes through Beam: sketches by parts of their keys, what is left of these
// to where it is decided on, and marks back to the shards. What each of them does is that
// of packages build and dedup; here is only who is given what.
package beam
