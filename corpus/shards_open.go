package corpus

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ShardList is the suffix of files that list shards.
const ShardList = ".shards"

// maxShards bounds the shards of a corpus.
const maxShards = 10_000

// OpenShards opens the corpus whose shards a file lists, one a line, in the order of their documents:
// folders of indexes, relative to the file, or addresses of corpora of servers, which dial opens. Empty
// lines and lines that begin with # are skipped.
func OpenShards(ctx context.Context, file string, dial func(address string) (Shard, error)) (_ *Shards, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var shards []Shard
	defer func() {
		if err != nil {
			for _, x := range shards {
				x.Close()
			}
		}
	}()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if len(shards) == maxShards {
			return nil, fmt.Errorf("%s: more than %d shards", file, maxShards)
		}
		var x Shard
		switch remote := strings.HasPrefix(line, "http://") || strings.HasPrefix(line, "https://"); {
		case remote && dial == nil:
			return nil, fmt.Errorf("%s: line %d: %s: an address, wanted the folder of an index", file, n, line)
		case remote:
			x, err = dial(line)
		case filepath.IsAbs(line):
			x, err = Open(line)
		default:
			x, err = Open(filepath.Join(filepath.Dir(file), line))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", file, n, err)
		}
		shards = append(shards, x)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(shards) == 0 {
		return nil, fmt.Errorf("%s: no shards: wanted one folder of an index, or one address such as http://host:8017/v1/corpora/NAME, per line", file)
	}
	return NewShards(ctx, file, shards)
}
