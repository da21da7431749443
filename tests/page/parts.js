// Runs in a copy of a page, after the page's own script: chooses each part of the menu, then a period, then all again,
// and exports. Stores the values that it reads in an element at the end of the page, as base64 of JSON.
"use strict";

(() => {
    const all = (selector, within = document) => [...within.querySelectorAll(selector)];
    const one = (selector, within = document) => within.querySelector(selector);
    const shown = () => all("#queries-table > tbody").filter((body) => body.getClientRects().length > 0);
    const figure = (body, column) => Number(one(`.row .${column} data`, body)?.value ?? NaN);
    const read = () => ({
        note: one("#part-note").hidden ? null : one("#part-note span").textContent,
        statements: one("#all-statements dd").textContent,
        queries: one("#all-queries dd").textContent,
        errors: one("#all-errors dd").textContent,
        rows: shown().map((body) => [body.id.slice(2), ...["calls", "total", "errors"].map((c) => figure(body, c))]),
        means: shown().map((body) => figure(body, "mean")),
        bars: all("#most-time li a").map((link) => link.hash.slice(3)),
        p95: shown().map((body) => one(".row .p95", body).textContent),
        changes: shown().map((body) => one(".row .change", body)?.textContent),
        calls: one(".chart.calls path").getAttribute("d"),
    });
    const seen = { whole: read(), parts: [] };
    const menu = one("#part");
    for (const option of [...menu.options].slice(1)) {
        menu.value = option.value;
        menu.dispatchEvent(new Event("change"));
        seen.parts.push({ group: option.parentElement.label, name: option.textContent, ...read() });
    }
    const timeline = one("#timeline");
    const box = one(".chart > svg").getBoundingClientRect();
    timeline.setPointerCapture = () => {};
    const point = (name, share) =>
        timeline.dispatchEvent(
            new PointerEvent(name, { clientX: box.left + box.width * share, clientY: box.top + 5, button: 0 }),
        );
    point("pointerdown", 0.25);
    point("pointermove", 0.5);
    point("pointerup", 0.5);
    seen.period = read();
    window.Blob = class {
        constructor(parts) {
            seen.csv = parts.join("");
        }
    };
    URL.createObjectURL = () => "#";
    one("#csv").click();
    timeline.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    seen.again = read();
    const [body] = shown();
    // The button works although text is selected.
    getSelection().selectAllChildren(one("h1"));
    one(".row .rank button", body).click();
    seen.linked = location.hash.slice(3) === body.id.slice(2);
    const bars = all(".when-it-ran rect", body);
    seen.bars = bars.map((bar) => one("title", bar).textContent);
    const answer = document.createElement("output");
    answer.id = "answer";
    answer.textContent = btoa(unescape(encodeURIComponent(JSON.stringify(seen))));
    document.body.append(answer);
})();
