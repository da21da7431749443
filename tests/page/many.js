// Runs in a copy of a page of many queries, after the page's own script: sorts, searches, asks for more and follows a
// link. Stores the values that it reads in an element at the end of the page, as base64 of JSON.
"use strict";

(() => {
    const all = (selector, within = document) => [...within.querySelectorAll(selector)];
    const one = (selector, within = document) => within.querySelector(selector);
    const shown = () => all("#queries-table > tbody").filter((body) => body.getClientRects().length > 0);
    const [word, linked] = JSON.parse(document.currentScript.dataset.words);
    const COLUMNS = ["calls", "total", "mean", "max", "errors"];
    const seen = { data: JSON.parse(one("#more-queries").textContent), first: shown().length, sorted: {} };
    for (const column of COLUMNS) {
        one(`#queries-table > thead th.${column} button`).click();
        seen.sorted[column] = shown().map((body) => Number(one(`.row .${column} data`, body).value));
    }
    one("#show-more").click();
    seen.more = shown().length;
    const input = one("#search");
    input.value = word;
    input.dispatchEvent(new Event("input"));
    seen.found = [one("#found").textContent, shown().map((body) => body.id)];
    location.hash = `#q-${linked}`;
    dispatchEvent(new Event("hashchange"));
    const body = document.getElementById(`q-${linked}`);
    seen.linked = [body.classList.contains("open"), one("pre", body).textContent, one(".calls", body).textContent];
    one(".row", body).click();
    const again = document.createElement("a");
    again.href = location.hash;
    document.body.append(again);
    again.click();
    seen.again = body.classList.contains("open");
    const answer = document.createElement("output");
    answer.id = "answer";
    answer.textContent = btoa(unescape(encodeURIComponent(JSON.stringify(seen))));
    document.body.append(answer);
})();
