package testkit

import "chaffinch/internal/disk"

// Tests wait for no disk: most of the time of those that write went there.
func init() { disk.Lazy() }
