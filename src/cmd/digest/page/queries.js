// The queries of the page: open and close, sort, search. It comes last.

const table = one("#queries-table");
const bodies = table ? [...table.tBodies] : [];

const complete = (body) => {
    if (body.dataset.complete) return;
    body.dataset.complete = "yes";
    all("pre", body).forEach(addCopy);
    all(".histogram", body).forEach(histogram);
};

const open = (body, is = !body.classList.contains("open")) => {
    if (is) complete(body);
    body.classList.toggle("open", is);
    one(".rank button", body).setAttribute("aria-expanded", is);
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
        if (getSelection().isCollapsed) open(body);
    });
}

const value = (body, column) => {
    const cell = one(`.row .${column}`, body);
    if (column === "query") return cell.textContent.toLowerCase();
    // A new query has no earlier mean to be compared with.
    const figure = one("data", cell);
    return figure ? Number(figure.value) : one(".new", cell) ? Infinity : 1;
};

const heads = table ? all("thead th", table) : [];
const sort = one("#sort");

const sorted = (column, way) => {
    const up = way === "ascending";
    const keys = new Map(bodies.map((body) => [body, value(body, column)]));
    const rank = new Map(bodies.map((body) => [body, value(body, "rank")]));
    const order = (a, b) => (keys.get(a) < keys.get(b) ? -1 : keys.get(a) > keys.get(b) ? 1 : 0);
    bodies.sort((a, b) => (up ? order(a, b) : order(b, a)) || rank.get(a) - rank.get(b));
    table.append(...bodies);
    for (const head of heads) {
        if (head.className === column) head.setAttribute("aria-sort", way);
        else head.removeAttribute("aria-sort");
    }
    sort.value = column;
};

for (const head of heads) {
    const column = head.className;
    // The most first, but the first rank and the start of the alphabet.
    const usual = column === "rank" || column === "query" ? "ascending" : "descending";
    const other = usual === "ascending" ? "descending" : "ascending";
    const button = html("button", { type: "button" }, [...head.childNodes]);
    button.addEventListener("click", () =>
        sorted(column, head.getAttribute("aria-sort") === usual ? other : usual),
    );
    head.append(button);
    const name = column === "rank" ? "As listed" : `By ${head.textContent.toLowerCase()}`;
    sort.append(html("option", { value: column, textContent: name }));
}
sort.value = heads.find((head) => head.hasAttribute("aria-sort"))?.className ?? "rank";
sort.addEventListener("change", () => {
    const names = sort.value === "rank" || sort.value === "query";
    sorted(sort.value, names ? "ascending" : "descending");
});

const search = one("#search");
const only = one("#only");
const found = one("#found");

// What is searched: texts and names, not their labels.
let texts = null;
const text = (body) =>
    all(".row code, pre, dd, .parameters td", body)
        .map((element) => element.textContent)
        .join("\n")
        .toLowerCase();

const tests = {
    errors: (body) => Boolean(one(".row .errors.some", body)),
    new: (body) => Boolean(one(".row .mark.new", body)),
    slower: (body) => Boolean(one(".row .mark.slower", body)),
    faster: (body) => Boolean(one(".row .mark.faster", body)),
};
const names = { errors: "With errors", new: "New", slower: "Slower", faster: "Faster" };
for (const [key, test] of Object.entries(tests)) {
    const number = bodies.filter(test).length;
    if (number) only.append(html("option", { value: key, textContent: `${names[key]} (${number})` }));
}
only.hidden = only.options.length < 2;

const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length) texts ??= new Map(bodies.map((body) => [body, text(body)]));
    let number = 0;
    for (const body of bodies) {
        const is =
            words.every((word) => texts.get(body).includes(word)) && (!only.value || tests[only.value](body));
        body.hidden = !is;
        number += is;
    }
    found.textContent = `${count(number)} of ${count(bodies.length)}`;
};
search.addEventListener("input", filter);
only.addEventListener("change", filter);
filter();

const everything = one("#all");
everything.addEventListener("click", () => {
    const is = everything.getAttribute("aria-pressed") !== "true";
    bodies.forEach((body) => open(body, is));
    everything.setAttribute("aria-pressed", is);
    everything.textContent = is ? "Close all" : "Open all";
});

addEventListener("keydown", (event) => {
    const typing = /^(input|select|textarea)$/i.test(event.target.tagName);
    if (event.key === "/" && !typing && table) {
        event.preventDefault();
        search.focus();
    }
});

// A link to a query opens it, whatever is searched for.
const follow = () => {
    const body = bodies.find((body) => `#${body.id}` === location.hash);
    if (!body) return;
    if (body.hidden) {
        search.value = only.value = "";
        filter();
    }
    open(body, true);
    body.scrollIntoView();
};
addEventListener("hashchange", follow);

all("article pre").forEach(addCopy);
all(".needs-script").forEach((element) => (element.hidden = element.classList.contains("tools") && !table));
root.classList.add("scripted");
follow();
