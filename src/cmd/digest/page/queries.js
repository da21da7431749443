// The table of queries: opening and closing details, sorting, searching. The last part of the script.
// Queries without details are in the page as data; they get a row when they are to be seen.

const table = one("#queries-table");
const COLUMNS = ["calls", "total", "share", "mean", "p50", "p95", "p99", "max", "errors"];

// A query has a body, a part of the table, or data: fingerprint, SQL, figures, change, its factor.
const detailed = table ? [...table.tBodies].map((body) => ({ id: body.id, body })) : [];
const short = JSON.parse(one("#more-queries")?.textContent ?? "[]").map((data, index) => ({
    id: `q-${data[0]}`,
    data,
    rank: detailed.length + index + 1,
}));
const queries = [...detailed, ...short];

// Rows that are shown at once where there are many, and by how many more the button shows.
const STEP = short.length ? 100 : Infinity;
let limit = STEP;

// Copy buttons and histograms are added when details are opened for the first time.
const complete = (body) => {
    if (body.dataset.complete) return;
    body.dataset.complete = "yes";
    all("pre", body).forEach(addCopyButton);
    all(".histogram", body).forEach(drawHistogram);
};

const setOpen = (body, isOpen) => {
    if (isOpen) complete(body);
    body.classList.toggle("open", isOpen);
    one(".rank button", body).setAttribute("aria-expanded", isOpen);
};

const prepare = (body) => {
    const cell = one(".rank", body);
    const detail = one(".detail", body);
    detail.id = `${body.id}-detail`;
    const button = html("button", { type: "button", ariaLabel: `Query ${cell.textContent}` }, [...cell.childNodes]);
    button.setAttribute("aria-expanded", "false");
    button.setAttribute("aria-controls", detail.id);
    cell.append(button);
    one(".row", body).addEventListener("click", () => {
        // A click that ends a selection of text does not open anything.
        if (getSelection().isCollapsed) setOpen(body, !body.classList.contains("open"));
    });
};
detailed.forEach(({ body }) => prepare(body));

// Rows of queries without details.

const percent = (share) => (share > 0 && share < 0.0005 ? "<0.1%" : `${(share * 100).toFixed(1)}%`);

const figureText = (column, value) => {
    if (column === "calls" || column === "errors") return count(value);
    return column === "share" ? percent(value) : time(value);
};

const cell = (className, children) => html("td", { className }, children);

const bodyOf = (query) => {
    if (query.body) return query.body;
    const [fingerprint, sql, figures, change, factor] = query.data;
    const cells = [
        cell("rank", [html("data", { value: query.rank, textContent: query.rank })]),
        cell("query", [html("code", { textContent: sql })]),
        ...COLUMNS.map((column, index) => {
            const value = figures[index];
            const some = column === "errors" && value > 0 ? " some" : "";
            return cell(column + some, [html("data", { value, textContent: figureText(column, value) })]);
        }),
    ];
    if (one("thead .change", table)) {
        const text = [change === "unchanged" ? null : change, factor && `${threeDigits(factor)}×`];
        const children = [text.filter(Boolean).join(" ") || "–"];
        const mark = html("span", { className: change === "unchanged" ? "" : `mark ${change}` }, children);
        cells.push(cell("change", [mark]));
    }
    const detail = html("td", { colSpan: cells.length }, [
        html("section", {}, [html("h3", { textContent: "Query" }), html("pre", { className: "sql", textContent: sql })]),
        html("p", { className: "note", textContent: `Fingerprint ${fingerprint}; --format json has its details.` }),
    ]);
    query.body = html("tbody", { id: query.id }, [
        html("tr", { className: "row" }, cells),
        html("tr", { className: "detail" }, [detail]),
    ]);
    prepare(query.body);
    return query.body;
};

// Sorting.

const sortKey = ({ body, data, rank }, column) => {
    if (data) {
        if (column === "rank") return rank;
        if (column === "query") return (data.small ??= data[1].toLowerCase());
        if (column === "change") return data[4] ?? (data[3] === "new" ? Infinity : 1);
        return data[2][COLUMNS.indexOf(column)];
    }
    const cell = one(`.row .${column}`, body);
    if (column === "query") return cell.textContent.toLowerCase();
    const figure = one("data", cell);
    if (figure) return Number(figure.value);
    // Changes without a factor: a new query has no earlier mean, others count as unchanged.
    return one(".new", cell) ? Infinity : 1;
};

const heads = table ? all("thead th", table) : [];
const sortMenu = one("#sort");

const defaultDirection = (column) => (column === "rank" || column === "query" ? "ascending" : "descending");

const sortBy = (column, direction) => {
    const sign = direction === "ascending" ? 1 : -1;
    for (const query of queries) {
        query.key = sortKey(query, column);
        query.rank ??= sortKey(query, "rank");
    }
    queries.sort((a, b) => sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : 0) || a.rank - b.rank);
    for (const head of heads) {
        if (head.className === column) head.setAttribute("aria-sort", direction);
        else head.removeAttribute("aria-sort");
    }
    sortMenu.value = column;
    show();
};

for (const head of heads) {
    const column = head.className;
    const first = defaultDirection(column);
    const second = first === "ascending" ? "descending" : "ascending";
    const button = html("button", { type: "button" }, [...head.childNodes]);
    button.addEventListener("click", () => sortBy(column, head.getAttribute("aria-sort") === first ? second : first));
    head.append(button);
    const label = column === "rank" ? "As listed" : `By ${head.textContent.toLowerCase()}`;
    sortMenu.append(html("option", { value: column, textContent: label }));
}
sortMenu.value = heads.find((head) => head.hasAttribute("aria-sort"))?.className ?? "rank";
sortMenu.addEventListener("change", () => sortBy(sortMenu.value, defaultDirection(sortMenu.value)));

// Searching and filtering.

const search = one("#search");
const filterMenu = one("#only");
const found = one("#found");
const more = one("#show-more");

// Texts, names and values, without their labels.
const searchText = (query) => {
    const texts = query.data
        ? [query.data[1], query.data[0]]
        : all(".row code, pre, dd, .parameters td", query.body).map((element) => element.textContent);
    return (query.text ??= texts.join("\n").toLowerCase());
};

const FILTERS = {
    errors: { label: "With errors", selector: ".row .errors.some", holds: (data) => data[2][8] > 0 },
    new: { label: "New", selector: ".row .mark.new", holds: (data) => data[3] === "new" },
    slower: { label: "Slower", selector: ".row .mark.slower", holds: (data) => data[3] === "slower" },
    faster: { label: "Faster", selector: ".row .mark.faster", holds: (data) => data[3] === "faster" },
};
const passes = ({ body, data }, { selector, holds }) => (data ? holds(data) : one(selector, body));
for (const [value, filter] of Object.entries(FILTERS)) {
    const matches = queries.filter((query) => passes(query, filter)).length;
    if (matches) filterMenu.append(html("option", { value, textContent: `${filter.label} (${count(matches)})` }));
}
filterMenu.hidden = filterMenu.options.length < 2;

// A query that a link has named: it is shown wherever it stands.
let linked = null;

const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const filter = FILTERS[filterMenu.value];
    const isMatch = (query) =>
        (!words.length || words.every((word) => searchText(query).includes(word))) && (!filter || passes(query, filter));
    const matches = queries.filter(isMatch);
    const shown = new Set(matches.slice(0, limit));
    if (linked && matches.includes(linked)) shown.add(linked);
    for (const query of queries) {
        if (shown.has(query)) continue;
        if (query.data) query.body?.remove();
        else query.body.hidden = true;
    }
    const bodies = queries.filter((query) => shown.has(query)).map(bodyOf);
    bodies.forEach((body) => (body.hidden = false));
    table?.append(...bodies);
    found.textContent = `${count(matches.length)} of ${count(queries.length)}`;
    if (more) more.hidden = matches.length <= shown.size;
};
const searchAnew = () => {
    limit = STEP;
    show();
};
search.addEventListener("input", searchAnew);
filterMenu.addEventListener("change", searchAnew);
more?.addEventListener("click", () => {
    limit += STEP;
    show();
});

const openAll = one("#all");
openAll.addEventListener("click", () => {
    const isOpen = openAll.getAttribute("aria-pressed") !== "true";
    queries.forEach(({ body }) => body && setOpen(body, isOpen));
    openAll.setAttribute("aria-pressed", isOpen);
    openAll.textContent = isOpen ? "Close all" : "Open all";
});

addEventListener("keydown", (event) => {
    const isTyping = /^(input|select|textarea)$/i.test(event.target.tagName);
    if (event.key === "/" && !isTyping && table) {
        event.preventDefault();
        search.focus();
    }
});

// A link to a query opens it, and clears a search that hides it.
const openLinked = () => {
    const query = queries.find(({ id }) => `#${id}` === location.hash);
    if (!query) return;
    linked = query;
    if (!query.body?.isConnected || query.body.hidden) {
        search.value = filterMenu.value = "";
        show();
    }
    setOpen(query.body, true);
    query.body.scrollIntoView();
};
addEventListener("hashchange", openLinked);

all("article pre").forEach(addCopyButton);
all(".needs-script").forEach((element) => (element.hidden = element.classList.contains("tools") && !table));
root.classList.add("scripted");
show();
openLinked();
