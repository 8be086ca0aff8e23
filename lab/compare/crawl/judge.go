package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"sort"
	"strings"
	"time"
)

// visit is a request in the server's log.
type visit struct{ from, to time.Duration }

// tolerance is the part of a delay that a request may be early: the server sees requests later than
// they are sent.
const tolerance = .1

// judge prints whether a crawler kept robots.txt and the delays, by the server's log: the requests
// that robots.txt forbids, and the requests to a host that came earlier than -delay, or the host's
// Crawl-delay, after the preceding request.
func judge(file string) {
	f, err := os.Open(file)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	visits := map[string][]visit{}
	forbidden, requests := 0, 0
	in := bufio.NewScanner(f)
	for in.Scan() {
		var v visit
		var host, path string
		if _, err := fmt.Sscanf(in.Text(), "%d %d http://%s", &v.from, &v.to, &host); err != nil {
			log.Fatalf("%s: %q: %v", file, in.Text(), err)
		}
		host, path, _ = strings.Cut(host, "/")
		if path == "robots.txt" {
			continue // some crawlers fetch them outside their schedule
		}
		requests++
		if strings.HasPrefix(path, "secret") {
			forbidden++
		}
		visits[host] = append(visits[host], v)
	}
	if err := in.Err(); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("  %d requests to %d hosts, %d of them forbidden by robots.txt\n", requests, len(visits), forbidden)
	var plain, slow gaps
	for host, list := range visits {
		sort.Slice(list, func(i, j int) bool { return list[i].from < list[j].from })
		to := &plain
		if crawlDelay(host) > 0 {
			to = &slow
		}
		for i := 1; i < len(list); i++ {
			to.add(list[i].from-list[i-1].from, max(*delay, crawlDelay(host)))
		}
	}
	plain.print("the configured delay")
	slow.print("Crawl-delay")
}

// gaps counts the times between requests to a host.
type gaps struct {
	n, early int
	least    time.Duration
}

func (g *gaps) add(gap, want time.Duration) {
	if g.n == 0 || gap < g.least {
		g.least = gap
	}
	if g.n++; float64(gap) < (1-tolerance)*float64(want) {
		g.early++
	}
}

func (g *gaps) print(name string) {
	if g.n > 0 {
		fmt.Printf("  hosts with %s: %d of %d requests early, shortest interval %v\n", name, g.early, g.n, g.least.Round(time.Millisecond))
	}
}
