package robots

import "strings"

// field is the field of a line.
type field uint8

const (
	noField field = iota
	agentField
	allowField
	disallowField
	sitemapField
	delayField
	rateField
	usageField
	signalField
)

// fields maps names of fields in lower case, including misspellings that other parsers accept.
var fields = map[string]field{
	"user-agent": agentField, "user agent": agentField, "useragent": agentField, "user-agents": agentField, "users-agent": agentField,
	"user-agnet": agentField, "useg-agent": agentField, "ser-agent": agentField, "user_agent": agentField,

	"allow": allowField,

	"disallow": disallowField, "disallows": disallowField, "dissallow": disallowField, "dissalow": disallowField, "disalow": disallowField,
	"diasllow": disallowField, "disallaw": disallowField, "desallow": disallowField, "diallow": disallowField, "disllow": disallowField,
	"dsallow": disallowField, "dssalow": disallowField,

	"sitemap": sitemapField, "sitemaps": sitemapField, "site-map": sitemapField,

	"crawl-delay": delayField, "crawl delay": delayField, "crawldelay": delayField, "craw-delay": delayField, "crawl-deley": delayField, "clawl-delay": delayField,
	"request-rate": rateField,

	"content-usage": usageField, "content-signal": signalField, "content-signals": signalField,
}

// longestName is the most bytes of a name.
const longestName = 16

func fieldOf(name string) field {
	if len(name) > longestName {
		return noField
	}
	return fields[strings.ToLower(name)]
}
