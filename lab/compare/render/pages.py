"""Renders the pages of the simulated web with Playwright and prints their words: one browser, a new
context for each page, images, media and fonts refused.

    python3 pages.py CHROMIUM ORIGIN PAGES ROUNDS"""

import sys
import time

from playwright.sync_api import sync_playwright

REFUSED = {"image", "media", "font"}


def main():
    program, origin, pages, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    words = 0
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=program, chromium_sandbox=False)
        for _ in range(rounds):
            for n in range(1, pages + 1):
                start = time.monotonic()
                context = browser.new_context(service_workers="block")
                page = context.new_page()
                page.route("**/*", lambda r: r.abort() if r.request.resource_type in REFUSED else r.continue_())
                page.goto(f"{origin}/{n}", wait_until="networkidle", timeout=30_000)
                found = len(page.inner_text("body").split())
                context.close()
                words += found
                print(n, found, f"{time.monotonic() - start:.2f}")
        browser.close()
    print("words", words)


main()
