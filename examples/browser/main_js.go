package main

import (
	"syscall/js"

	"chaffinch/format/jsonl"
	"chaffinch/page"
)

func main() {
	c, err := newCleaner()
	if err != nil {
		panic(err) // invalid embedded models
	}
	clean := js.FuncOf(func(_ js.Value, args []js.Value) any {
		if len(args) == 0 || !args[0].InstanceOf(js.Global().Get("Uint8Array")) {
			return map[string]any{"error": "clean(html, url): html is no Uint8Array"}
		}
		url := ""
		if len(args) > 1 && args[1].Type() == js.TypeString {
			url = args[1].String()
		}
		html := make([]byte, args[0].Get("length").Int())
		js.CopyBytesToGo(html, args[0])
		p, err := c.clean(html, url)
		if err != nil {
			return map[string]any{"error": err.Error()}
		}
		return map[string]any{"text": p.Text(), "markdown": asMarkdown(p), "page": asJSON(p)}
	})
	js.Global().Set("chaffinch", map[string]any{"clean": clean})
	select {} // the function stays callable
}

// asJSON returns all blocks with their verdicts: docs/reference/formats/json.md.
func asJSON(p *page.Page) string { return string(jsonl.Document{Annotate: true}.Append(nil, p)) }
