// Package frontier holds the URLs that a crawl knows, on disk: a [Sieve]
// tells those that were never seen from the others, and a [Queue] keeps what is
// still to be fetched, for each host in the order of its score.
//
// Memory is bounded by settings and by the number of hosts, never by the number
// of addresses. Both are deterministic: what comes out depends on the calls alone.
// Neither keeps a log of its own. After a [Sieve.Flush] all of their state is in
// files that are never written again, named by a rising number, so that a
// checkpoint is the list of these files and what came after it can be done anew.
//
// The sieve is that of Mercator (Najork and Heydon, 2001) as BUbiNG has it
// (Boldi et al., 2018, section 4.1): keys are collected in memory and merged with
// the sorted file of all keys in one pass.
//
// Unstable: this package may change in any release.
package frontier
