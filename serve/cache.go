package serve

import "sync"

// cache holds values by setting. It is safe for concurrent use.
type cache[K comparable, V any] struct {
	mu   sync.Mutex
	made map[K]V
}

// maxCached is the maximum number of settings in a cache. Values are small, since models are
// shared.
const maxCached = 256

// get returns the value for a setting, and creates it if needed. Failures are not cached.
func (c *cache[K, V]) get(setting K, create func() (V, error)) (V, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.made[setting]; ok {
		return v, nil
	}
	v, err := create()
	if err != nil {
		return v, err
	}
	if c.made == nil || len(c.made) >= maxCached {
		c.made = map[K]V{}
	}
	c.made[setting] = v
	return v, nil
}
