package crawl

import (
	"errors"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"

	"chaffinch/internal/disk"
)

// TestFullDisk lets the disk be full from some change on, again and again, and wants the
// crawl to end with an error that says so, and to go on once there is room.
func TestFullDisk(t *testing.T) {
	disk.Lazy()
	dir, net := t.TempDir(), newSmallNet()
	ends := 0
	for room := 15; ; room += 60 {
		var why EndReason
		synctest.Test(t, func(t *testing.T) {
			var left atomic.Int64
			left.Store(int64(room))
			defer disk.Watch(func(op disk.Op, _ string) error {
				if left.Add(-1) < 0 && op != disk.OpRemove && op != disk.OpTruncate { // those need no room
					return syscall.ENOSPC
				}
				return nil
			})()
			cfg := testConfig(dir, net)
			cfg.CheckpointEvents = 60
			report, err := Run(t.Context(), cfg)
			if err != nil && !errors.Is(err, syscall.ENOSPC) {
				t.Fatalf("with room for %d changes: %v", room, err)
			}
			if err == nil {
				why = report.Reason
			}
		})
		if t.Failed() {
			return
		}
		if why == Exhausted {
			break
		}
		ends++
	}
	if ends < 3 {
		t.Errorf("the disk was full %d times", ends)
	}
	checkCrawl(t, dir, net, 1+ends)
}
