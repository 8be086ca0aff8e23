package serve

import "sync"

// cache keeps what was made for a setting. It is safe for concurrent use.
type cache[K comparable, V any] struct {
	mu   sync.Mutex
	made map[K]V
}

// maxCached bounds the settings that are kept. What is kept of one is small: the models
// are shared.
const maxCached = 256

// get returns what was made for a setting, or makes it. What cannot be made is not kept.
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
