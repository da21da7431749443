// Uses every control of a page, and reports the errors of its script.
(() => {
    const errors = [];
    addEventListener("error", (event) => errors.push(String(event.message)));
    addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));
    const all = (selector) => [...document.querySelectorAll(selector)];
    const attempt = (what, action) => {
        try {
            action();
        } catch (error) {
            errors.push(`${what}: ${error}`);
        }
    };
    let used = 0;
    const use = () => {
        for (const button of all("button")) attempt(`button ${button.textContent}`, () => (button.click(), (used += 1)));
        for (const summary of all("summary")) attempt("summary", () => (summary.click(), (used += 1)));
        for (const select of all("select")) {
            for (const option of [...select.options].slice(0, 40)) {
                attempt(`choice ${option.value}`, () => {
                    select.value = option.value;
                    select.dispatchEvent(new Event("change"));
                    used += 1;
                });
            }
            attempt("first choice", () => {
                select.value = select.options[0]?.value ?? "";
                select.dispatchEvent(new Event("change"));
            });
        }
        for (const row of all(".row")) attempt("row", () => (row.click(), (used += 1)));
    };
    use();
    const search = document.querySelector("#search");
    const find = (text) => {
        search.value = text;
        search.dispatchEvent(new Event("input"));
        return all("#queries-table > tbody").filter((body) => !body.hidden).length;
    };
    const found = {};
    for (const text of ["42P01", "\u202e", "u202e", "nothing of this", ""]) attempt("search", () => (found[text] = find(text)));
    const messages = (text) => (find(text), all(".messages tbody tr").filter((row) => !row.hidden).length);
    const found_messages = { "42P01": messages("42P01"), none: messages("nothing of this"), all: messages("") };
    use();
    const answer = {
        errors,
        used,
        found,
        found_messages,
        is_scripted: document.documentElement.classList.contains("scripted"),
        links: all("nav a").map((link) => [link.textContent, Boolean(document.querySelector(link.getAttribute("href")))]),
        overprints: all(".plain td").filter((cell) => cell.scrollWidth > cell.clientWidth + 1 && getComputedStyle(cell).overflow === "visible").map((cell) => cell.textContent.slice(0, 80)),
    };
    const output = document.createElement("output");
    output.id = "answer";
    output.textContent = btoa(unescape(encodeURIComponent(JSON.stringify(answer))));
    document.body.append(output);
})();
