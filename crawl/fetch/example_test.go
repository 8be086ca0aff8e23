package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"chaffinch/crawl/fetch"
	"chaffinch/page/weburl"
)

func Example() {
	cfg := fetch.Default
	cfg.UserAgent = "finch/1.0 (+https://a.example/bot; mailto:finch@a.example)"
	client, err := fetch.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	u, err := weburl.Parse("https://a.example/", nil)
	if err != nil {
		log.Fatal(err)
	}
	res, err := client.Get(context.Background(), u, fetch.Options{})
	var why *fetch.Error
	switch {
	case errors.As(err, &why):
		fmt.Println("nothing came:", why.Reason)
	case res.Location != weburl.URL{}:
		fmt.Println("moved to", res.Location)
	default:
		fmt.Println(res.Status, len(res.Body), "bytes", res.Cut)
	}
}
