// Runs in a copy of the page, after the page's own script, and uses the page like a reader. Stores the values that it
// reads in an element at the end of the page, as base64 of JSON. The test compares them with the JSON report.
"use strict";

(() => {
    const all = (selector, within = document) => [...within.querySelectorAll(selector)];
    const one = (selector, within = document) => within.querySelector(selector);
    const seen = {};

    const figure = (element) => Number(one("data", element).value);
    const isShown = (element) => element.getClientRects().length > 0;
    const bodies = () => all("#queries-table > tbody").filter(isShown);
    const order = () => bodies().map((body) => body.id.slice(2));

    const COLUMNS = ["rank", "calls", "total", "share", "mean", "p50", "p95", "p99", "max", "errors"];

    const read = () => {
        seen.title = document.title;
        seen.all = Object.fromEntries(all(".tiles > div").map((tile) => [tile.id, figure(tile)]));
        seen.rows = bodies().map((body) => ({
            fingerprint: body.id.slice(2),
            figures: Object.fromEntries(COLUMNS.map((column) => [column, figure(one(`.row .${column}`, body))])),
            query: one(".row .query", body).textContent,
            texts: all("pre", body).map((pre) => pre.textContent),
            parameters: all(".parameters code", body).map((code) => code.textContent),
            messages: all(".facts dt", body)
                .filter((dt) => dt.textContent === "Errors")
                .flatMap((dt) => all("span", dt.nextElementSibling))
                .map((span) => [span.firstChild.textContent.trim(), figure(span)]),
            histogram: (one(".histogram", body)?.dataset.of ?? "")
                .split(" ")
                .filter(Boolean)
                .map((pair) => pair.split(",").map(Number)),
        }));
        seen.others = all("#unparsed article").map((article) => ({
            reason: one("h3", article).textContent,
            figures: all(".figures data", article).map((data) => Number(data.value)),
        }));
        seen.sums = Object.fromEntries(
            all(".sums tr[id]").map((row) => [row.id, all("data", row).map((data) => Number(data.value))]),
        );
        seen.bars = ["time", "calls"].map((name) =>
            all(`#most-${name} li`).map((bar) => [one("a", bar).hash.slice(3), figure(bar)]),
        );
        seen.timeline = JSON.parse(one("#timeline-data")?.textContent ?? "null");
        seen.charts = all(".chart path").map((path) => path.getBoundingClientRect().height);
    };

    const sort = () => {
        seen.sorted = {};
        for (const head of all("#queries-table > thead th")) {
            // First the default direction, then the other.
            seen.sorted[head.className] = [0, 1].map(() => {
                one("button", head).click();
                return [head.getAttribute("aria-sort"), order()];
            });
        }
        one("#sort").value = "calls";
        one("#sort").dispatchEvent(new Event("change"));
        seen.chosen = order();
        one("#queries-table > thead th.rank button").click();
    };

    const search = (words) => {
        const input = one("#search");
        seen.found = words.map((word) => {
            input.value = word;
            input.dispatchEvent(new Event("input"));
            return [order(), one("#found").textContent];
        });
        input.value = "";
        input.dispatchEvent(new Event("input"));
        const only = one("#only");
        seen.only = [...only.options].slice(1).map((option) => {
            only.value = option.value;
            only.dispatchEvent(new Event("change"));
            return [option.value, order()];
        });
        only.value = "";
        only.dispatchEvent(new Event("change"));
        seen.after = order();
    };

    const open = () => {
        const [body] = bodies();
        const detail = one(".detail", body);
        const before = isShown(detail);
        one(".row", body).click();
        seen.opened = [before, isShown(detail), one(".rank button", body).getAttribute("aria-expanded")];
        seen.columns = all(".histogram rect", body).filter((rect) => rect.getBoundingClientRect().height > 0).length;
        const copied = [];
        const clipboard = { writeText: async (text) => copied.push(text) };
        Object.defineProperty(navigator, "clipboard", { value: clipboard });
        all(".copy", body).forEach((button) => button.click());
        seen.copied = copied;
        one(".row", body).click();
        seen.closed = !isShown(detail);
        one("#all").click();
        seen.all_open = all(".detail").filter(isShown).length;
        one("#all").click();
    };

    const dark = () => {
        const colour = () => getComputedStyle(document.body).backgroundColor;
        const before = colour();
        one("#theme").click();
        seen.colours = [before, colour()];
        one("#theme").click();
    };

    const safe = () => {
        seen.safe = {
            ran: window.ran ?? null,
            foreign: all("img, iframe, object, embed, form, a[href^='javascript']").length,
            handlers: all("*").filter((element) => [...element.attributes].some((a) => /^on/i.test(a.name))).length,
            // The page has four script elements: its script, the figures of the timeline, the figures of parts, and
            // this script.
            scripts: all("script").length,
            loaded: performance.getEntriesByType("resource").filter((entry) => !entry.name.startsWith("data:")).length,
        };
    };

    try {
        // A link to a query has opened that query and no other.
        const opened = all(".detail").filter(isShown);
        seen.linked = opened.map((detail) => detail.closest("tbody").id);
        opened.forEach((detail) => one(".row", detail.closest("tbody")).click());
        read();
        sort();
        search(JSON.parse(document.currentScript.dataset.words));
        open();
        dark();
        safe();
    } catch (error) {
        seen.failed = `${error.stack}`;
    }
    const bytes = new TextEncoder().encode(JSON.stringify(seen));
    let binary = "";
    bytes.forEach((byte) => (binary += String.fromCharCode(byte)));
    const answer = document.createElement("output");
    answer.id = "answer";
    answer.textContent = btoa(binary);
    document.body.append(answer);
})();
