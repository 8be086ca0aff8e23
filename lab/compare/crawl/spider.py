"""Crawls a web with Scrapy, with the settings of its guide to broad crawls and with robots.txt.

spider.py SEED [DELAY]      # DELAY in seconds between requests to a host
"""

import sys
import time

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor


class Spider(scrapy.Spider):
    name = "compare"
    links = LinkExtractor()
    pages = 0

    def parse(self, response):
        Spider.pages += 1
        for link in self.links.extract_links(response):
            yield scrapy.Request(link.url)


delay = float(sys.argv[2]) if len(sys.argv) > 2 else 0
process = CrawlerProcess(
    {
        "ROBOTSTXT_OBEY": True,
        "CONCURRENT_REQUESTS": 200,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1 if delay else 8,
        "DOWNLOAD_DELAY": delay,
        "RANDOMIZE_DOWNLOAD_DELAY": False,
        "REACTOR_THREADPOOL_MAXSIZE": 20,
        "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.DownloaderAwarePriorityQueue",
        "COOKIES_ENABLED": False,
        "RETRY_ENABLED": False,
        "LOG_LEVEL": "ERROR",
        "USER_AGENT": "compare",
    }
)
process.crawl(Spider, start_urls=[sys.argv[1]])
began = time.monotonic()
process.start()
print(f"scrapy: {Spider.pages} pages in {time.monotonic() - began:.1f} s")
