package testkit

import "chaffinch/internal/disk"

// Tests do not wait for the disk, which would take most of the time of tests that write.
func init() { disk.Lazy() }
