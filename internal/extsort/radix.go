package extsort

import "bytes"

// sort sorts the buffer by its keys, byte by byte from the last to the first
// (least significant digit radix sort), and merges records with equal keys.
// Bytes that all keys share cost nothing but the count.
func (s *Sorter) sort() {
	size, key := s.cfg.Record, s.cfg.Key
	n := len(s.buf) / size
	if n == 0 {
		return
	}
	counts := make([][256]int32, key)
	for i := 0; i < len(s.buf); i += size {
		for j, c := range s.buf[i : i+key] {
			counts[j][c]++
		}
	}
	if cap(s.aux) < len(s.buf) {
		s.aux = make([]byte, cap(s.buf))
	}
	from, to := s.buf, s.aux[:len(s.buf)]
	for j := key - 1; j >= 0; j-- {
		c := &counts[j]
		if int(c[from[j]]) == n {
			continue
		}
		at := 0
		var next [256]int
		for b, m := range c {
			next[b] = at
			at += int(m) * size
		}
		scatter(to, from, size, j, &next)
		from, to = to, from
	}
	s.buf, s.aux = from, to[:cap(to)]
	s.merge()
}

// scatter copies each record to its place by byte j.
func scatter(to, from []byte, size, j int, next *[256]int) {
	switch size { // copies of a known length are inlined
	case 24:
		for i := 0; i < len(from); i += 24 {
			at := next[from[i+j]]
			next[from[i+j]] = at + 24
			*(*[24]byte)(to[at:]) = *(*[24]byte)(from[i:])
		}
	case 28:
		for i := 0; i < len(from); i += 28 {
			at := next[from[i+j]]
			next[from[i+j]] = at + 28
			*(*[28]byte)(to[at:]) = *(*[28]byte)(from[i:])
		}
	default:
		for i := 0; i < len(from); i += size {
			at := next[from[i+j]]
			next[from[i+j]] = at + size
			copy(to[at:at+size], from[i:i+size])
		}
	}
}

// merge merges neighbours with equal keys.
func (s *Sorter) merge() {
	if s.cfg.Merge == nil {
		return
	}
	size, key := s.cfg.Record, s.cfg.Key
	out := 0
	for i := size; i < len(s.buf); i += size {
		rec := s.buf[i : i+size]
		if bytes.Equal(s.buf[out:out+key], rec[:key]) {
			s.cfg.Merge(s.buf[out:out+size], rec)
			continue
		}
		out += size
		if out != i {
			copy(s.buf[out:out+size], rec)
		}
	}
	s.buf = s.buf[:out+size]
}
