package crawl

import (
	"path/filepath"

	"chaffinch/crawl/frontier"
	"chaffinch/crawl/schedule"
)

// MinMemory is the least value of [Config.Memory].
const MinMemory = 96 << 20

// bufferMemory is the memory of the sieve and of the queue of URLs, regardless of their number.
const bufferMemory = 48 << 20

// memoryParts divides [Config.Memory].
type memoryParts struct {
	texts int64 // fingerprints of texts
	rules int64 // files whose parsed rules are in memory; these take about four times as much
	hosts int64
	queue int64 // places of the URLs of hosts
}

func (cfg *Config) memory() memoryParts {
	p := memoryParts{texts: cfg.Memory / 4, rules: cfg.Memory / 64}
	rest := cfg.Memory - bufferMemory - p.texts - 4*p.rules
	p.queue = rest / 4
	p.hosts = rest - p.queue
	return p
}

// frontier returns the configuration of the frontier.
func (c *crawl) frontier() schedule.Frontier {
	memory := c.cfg.memory()
	queue := frontier.DefaultQueue
	queue.Memory = memory.queue
	return schedule.Frontier{Dir: filepath.Join(c.cfg.Dir, "frontier"), Sieve: frontier.DefaultSieve, Queue: queue, Memory: memory.hosts, Owns: c.cfg.share.filter(), Late: c.cfg.share != nil && c.cfg.share.late}
}
