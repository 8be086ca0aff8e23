// Package beam builds a corpus from a recipe of package build on Apache Beam: on Flink, or on Prism
// in one process. [Run] runs a [Build]. Text and outputs are written to a store in shards that are
// complete or absent, as with ranks, so that work repeated by Beam has no duplicate effect.
//
// Data that must be combined go through Beam: sketches by partitions of their keys, groups to the
// function that decides on duplicates, and marks back to the shards. The steps themselves are in
// packages build and dedup; this package only distributes them.
package beam
