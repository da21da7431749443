// The table of queries: opening and closing details, sorting, searching. The last part of the script.

const table = one("#queries-table");
const bodies = table ? [...table.tBodies] : [];

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

for (const body of bodies) {
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
}

// Sorting.

const sortKey = (body, column) => {
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
    const keys = new Map(bodies.map((body) => [body, sortKey(body, column)]));
    const ranks = new Map(bodies.map((body) => [body, sortKey(body, "rank")]));
    const compare = (a, b) => (keys.get(a) < keys.get(b) ? -1 : keys.get(a) > keys.get(b) ? 1 : 0);
    bodies.sort((a, b) => sign * compare(a, b) || ranks.get(a) - ranks.get(b));
    table.append(...bodies);
    for (const head of heads) {
        if (head.className === column) head.setAttribute("aria-sort", direction);
        else head.removeAttribute("aria-sort");
    }
    sortMenu.value = column;
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

// Texts, names and values, without their labels.
let texts = null;
const searchText = (body) =>
    all(".row code, pre, dd, .parameters td", body)
        .map((element) => element.textContent)
        .join("\n")
        .toLowerCase();

const FILTERS = {
    errors: { label: "With errors", selector: ".row .errors.some" },
    new: { label: "New", selector: ".row .mark.new" },
    slower: { label: "Slower", selector: ".row .mark.slower" },
    faster: { label: "Faster", selector: ".row .mark.faster" },
};
for (const [value, { label, selector }] of Object.entries(FILTERS)) {
    const matches = bodies.filter((body) => one(selector, body)).length;
    if (matches) filterMenu.append(html("option", { value, textContent: `${label} (${matches})` }));
}
filterMenu.hidden = filterMenu.options.length < 2;

const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length) texts ??= new Map(bodies.map((body) => [body, searchText(body)]));
    const selector = FILTERS[filterMenu.value]?.selector;
    let shown = 0;
    for (const body of bodies) {
        const matches = words.every((word) => texts.get(body).includes(word)) && (!selector || one(selector, body));
        body.hidden = !matches;
        if (matches) shown += 1;
    }
    found.textContent = `${count(shown)} of ${count(bodies.length)}`;
};
search.addEventListener("input", filter);
filterMenu.addEventListener("change", filter);
filter();

const openAll = one("#all");
openAll.addEventListener("click", () => {
    const isOpen = openAll.getAttribute("aria-pressed") !== "true";
    bodies.forEach((body) => setOpen(body, isOpen));
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
    const body = bodies.find((body) => `#${body.id}` === location.hash);
    if (!body) return;
    if (body.hidden) {
        search.value = filterMenu.value = "";
        filter();
    }
    setOpen(body, true);
    body.scrollIntoView();
};
addEventListener("hashchange", openLinked);

all("article pre").forEach(addCopyButton);
all(".needs-script").forEach((element) => (element.hidden = element.classList.contains("tools") && !table));
root.classList.add("scripted");
openLinked();
