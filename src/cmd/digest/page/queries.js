// The table of queries: opens and closes details, sorts and searches. Queries without details are JSON until their row
// is first shown.

const table = one("#queries-table");
const COLUMNS = ["calls", "total", "share", "mean", "p50", "p95", "p99", "max", "errors"];

// A query with details has a `body`, which is its part of the table. Any other query has `data`. This array contains
// the fingerprint, the SQL, the figures, the change, the change as a factor, the figures by name, and the figures by
// slot.
const detailed = table ? [...table.tBodies].map((body) => ({ id: body.id, body })) : [];
const short = JSON.parse(one("#more-queries")?.textContent ?? "[]").map((data, index) => ({
    id: `q-${data[0]}`,
    data,
    rank: detailed.length + index + 1,
}));
const queries = [...detailed, ...short];

// Number of rows that are shown at first, and that the button adds. If all queries have details, all rows are shown.
const STEP = short.length ? 100 : Infinity;
let limit = STEP;

// Adds copy buttons and histograms when details are opened for the first time.
const complete = (body) => {
    if (body.dataset.complete) return;
    body.dataset.complete = "yes";
    all("pre", body).forEach(addCopyButton);
    all(".histogram", body).forEach(drawHistogram);
    const query = queries.find((query) => query.body === body);
    all(".when-it-ran", body).forEach((figure) => drawWhenItRan(figure, query));
    const link = html("button", { type: "button", className: "quiet link", textContent: "Copy link" });
    link.addEventListener("click", async () => {
        await copy(`${location.href.split("#")[0]}#${body.id}`);
        link.textContent = "Copied";
        setTimeout(() => (link.textContent = "Copy link"), 1500);
    });
    (one(".facts", body) ?? one(".detail > td", body)).append(link);
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
    one(".row", body).addEventListener("click", (event) => {
        // Ignores a click that ends a text selection. A click on the button selects no text.
        if (!getSelection().isCollapsed && !button.contains(event.target)) return;
        setOpen(body, !body.classList.contains("open"));
        // Puts the query into the page's address, so that the address is a link to it.
        if (body.classList.contains("open")) history.replaceState(null, "", `#${body.id}`);
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
        cell("query", [html("code", {}, isolated(sql))]),
        ...COLUMNS.map((column, index) => {
            const value = figures[index];
            const some = column === "errors" && value > 0 ? " some" : "";
            return cell(column + some, [html("data", { value, textContent: figureText(column, value) })]);
        }),
    ];
    if (one(".change", table.tHead)) {
        const text = [change === "same" ? null : change, factor && `${threeDigits(factor)}×`];
        const children = [text.filter(Boolean).join(" ") || "–"];
        const mark = html("span", { className: change === "same" ? "" : `mark ${change}` }, children);
        cells.push(cell("change", [mark]));
    }
    const whenItRan = html("figure", { className: "when-it-ran" }, [
        html("figcaption", {}, [html("b", { textContent: "Timeline" })]),
    ]);
    const detail = html("td", { colSpan: cells.length }, [
        html("section", {}, [html("h3", { textContent: "Query" }), html("pre", { className: "sql" }, isolated(sql))]),
        ...(timeline ? [whenItRan] : []),
        html("p", { className: "note", textContent: `Fingerprint ${fingerprint}; --format json has its details.` }),
    ]);
    query.body = html("tbody", { id: query.id }, [
        html("tr", { className: "row" }, cells),
        html("tr", { className: "detail" }, [detail]),
    ]);
    prepare(query.body);
    return query.body;
};

// Returns a query's figures in the whole log. The first call reads them from the row. It precedes the first change of
// the row, because the filters below call this function for all queries.
const wholeFigures = (query) => {
    const shown = () => COLUMNS.map((column) => Number(one(`.row .${column} data`, query.body).value));
    return (query.figures ??= query.data?.[2] ?? shown());
};

// Returns a query's figures in the order of COLUMNS, for the chosen part or the whole log.
const figuresOf = (query) => (part ? partFigures(query) : wholeFigures(query));

// Shows a query's figures for the chosen part or the whole log.
const showFigures = (query) => {
    if (query.shown === part) return;
    query.shown = part;
    const figures = part && partFigures(query);
    // The change is the last figure. It is unknown for a part, like the percentiles.
    [...COLUMNS, "change"].forEach((column, index) => {
        const cell = one(`.row .${column}`, query.body);
        if (!cell) return;
        cell.whole ??= { children: [...cell.childNodes], className: cell.className };
        cell.className = cell.whole.className;
        if (!part) {
            cell.replaceChildren(...cell.whole.children);
            return;
        }
        if (column === "errors") cell.classList.toggle("some", figures[index] > 0);
        const value = figures[index] ?? null;
        const children = value === null ? ["–"] : [html("data", { value, textContent: figureText(column, value) })];
        if (column === "share" && value !== null) children.push(bar(value, 4));
        cell.replaceChildren(...children);
    });
};

// Sorting.

const sortKey = (query, column) => {
    const { body, data, rank } = query;
    const index = COLUMNS.indexOf(column);
    if (part && index >= 0) return partFigures(query)[index] ?? -1;
    if (part && column === "change") return 0;
    if (data) {
        if (column === "rank") return rank;
        if (column === "query") return (data.small ??= data[1].toLowerCase());
        if (column === "change") return data[4] ?? (data[3] === "new" ? Infinity : 1);
        return data[2][index];
    }
    const cell = one(`.row .${column}`, body);
    if (column === "query") return cell.textContent.toLowerCase();
    const figure = one("data", cell);
    if (figure) return Number(figure.value);
    // A query without a factor sorts first if it is new. Otherwise, it sorts like an unchanged query.
    return one(".new", cell) ? Infinity : 1;
};

// Skips tables inside details.
const heads = table ? all("th", table.tHead) : [];
const sortMenu = one("#sort");

const defaultDirection = (column) => (column === "rank" || column === "query" ? "ascending" : "descending");

// The current sort order.
let order = null;

const sortBy = (column, direction) => {
    order = { column, direction };
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

// Searches SQL, names and values, but not their labels.
const searchText = (query) => {
    const texts = query.data
        ? [query.data[1], query.data[0]]
        : all(".row code, pre, dd, .parameters td", query.body).map((element) => element.textContent);
    return (query.text ??= texts.join("\n").toLowerCase());
};

const FILTERS = {
    errors: { label: "With errors", holds: (query) => figuresOf(query)[8] > 0 },
    new: { label: "New", holds: (query) => changeOf(query, "new") },
    slower: { label: "Slower", holds: (query) => changeOf(query, "slower") },
    faster: { label: "Faster", holds: (query) => changeOf(query, "faster") },
};
const changeOf = ({ body, data }, change) =>
    !part && (data ? data[3] === change : one(`.row .mark.${change}`, body) !== null);
const matchesOf = ({ label, holds }) => `${label} (${count(queries.filter(holds).length)})`;
for (const [value, filter] of Object.entries(FILTERS)) {
    if (queries.some(filter.holds)) filterMenu.append(html("option", { value, textContent: matchesOf(filter) }));
}
filterMenu.hidden = filterMenu.options.length < 2;

const messageRows = all(".messages tbody tr");

// The query that the address links to. It is shown even beyond the limit.
let linked = null;

const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const filter = FILTERS[filterMenu.value];
    const isMatch = (query) =>
        (!part || isInPart(query)) &&
        (!words.length || words.every((word) => searchText(query).includes(word))) && (!filter || filter.holds(query));
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
    queries.filter((query) => shown.has(query)).forEach(showFigures);
    // The search also filters messages, by SQLSTATE and text.
    for (const row of messageRows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    found.queries = matches;
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

// Parts of the log. If the reader has not sorted the table, choosing a part sorts it by total time.
const showPart = (chosen) =>
    choosePart(chosen, queries, () => {
        limit = STEP;
        // Updates the figures first, because the table is sorted by them.
        queries.filter(({ body }) => body).forEach(showFigures);
        for (const option of filterMenu.options) if (option.value) option.textContent = matchesOf(FILTERS[option.value]);
        if (table) sortBy(order?.column ?? "total", order?.direction ?? "descending");
    });
partMenu.addEventListener("change", () => showPart(chosenPart()));
one("button", partNote).addEventListener("click", () => showPart(null));
choosePeriod = (period) => showPart(period && partOfPeriod(period));
fillPartMenu();
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

// Opens the query that the address links to. Clears a search that hides the query.
const openLinked = () => {
    const query = queries.find(({ id }) => `#${id}` === location.hash);
    if (!query) return;
    linked = query;
    if (!query.body?.isConnected || query.body.hidden) {
        search.value = filterMenu.value = "";
        if (part) showPart(null);
        else show();
    }
    setOpen(query.body, true);
    query.body.scrollIntoView();
};
addEventListener("hashchange", openLinked);
// A click on a link to the page's current address causes no `hashchange`.
document.addEventListener("click", ({ target }) => {
    if (target.closest("a")?.getAttribute("href") === location.hash) openLinked();
});

all("article pre").forEach(addCopyButton);
all(".needs-script").forEach((element) => (element.hidden = element.classList.contains("tools") && !table));
root.classList.add("scripted");
show();
openLinked();
