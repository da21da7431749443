// Shows a part of the log: the statements of one user, database, application, host or tag, or of a period. The
// timeline, the tiles, the bar charts and the table show the chosen part. They contain the part's calls, time and
// errors, but no percentiles and no comparison with a baseline. The details of queries and the sections after the table
// always show the whole log.

const parts = JSON.parse(one("#parts")?.textContent ?? '{"facets":[],"queries":[],"all":[]}');
// The chosen part: { facet, name, label }, or { from, to, label } in slots. null is the whole log.
let part = null;

const ofDetailed = new Map(parts.queries.map(([fingerprint, ...lists]) => [`q-${fingerprint}`, lists]));
const listsOf = (query) => (query.data ? query.data.slice(5) : ofDetailed.get(query.id));

// Returns the calls, milliseconds and errors of a query in a part.
const sumsOf = (query, { facet, name, from, to }) => {
    const [names, slots] = listsOf(query);
    if (facet !== undefined) {
        for (let at = 0; at < names.length; at += 5) {
            if (names[at] === facet && names[at + 1] === name) return names.slice(at + 2, at + 5);
        }
        return [0, 0, 0];
    }
    return sumOfSlots(slots, from, to);
};

const sumOfSlots = (slots, from, to) => {
    const sums = [0, 0, 0];
    for (let at = 0; at < slots.length; at += 4) {
        if (slots[at] < from || slots[at] >= to) continue;
        for (let i = 0; i < 3; i += 1) sums[i] += slots[at + 1 + i];
    }
    return sums;
};

// Returns whether a query belongs to the chosen part. If the part is a period, and a call ends after it, the query may
// have only time in the part.
const isInPart = ({ sums }) => sums.some((sum) => sum > 0);

// Returns whether the log lacks durations of some of a query's calls, because of a threshold or a sample. In this case,
// the mean of a part is unknown, because the part may contain any number of these calls.
const lacksDurations = (query) => listsOf(query)[2];

// Returns a query's figures in the chosen part, in the order of COLUMNS. Unknown figures are null.
const partFigures = (query) => {
    const [calls, ms, errors] = query.sums;
    const share = part.sums[1] > 0 ? ms / part.sums[1] : 0;
    const mean = calls && ms && !lacksDurations(query) ? ms / calls : null;
    return [calls, ms, share, mean, null, null, null, null, errors];
};

// Converts slots to columns for the timeline and the timelines of queries.
const columnsOf = (slots) => {
    const last = Math.ceil((timelineStart + timelineSpan - parts.start) / parts.seconds);
    const columns = Array.from({ length: Math.max(last, 1) }, () => [0, 0, 0]);
    for (let at = 0; at < slots.length; at += 4) {
        if (columns[slots[at]]) columns[slots[at]] = slots.slice(at + 1, at + 4);
    }
    return { start: parts.start, step: parts.seconds, each: widthInWords(parts.seconds), columns };
};

const widthInWords = (seconds) =>
    ({ 1: "second", 60: "minute", 3600: "hour", 86400: "day" })[seconds] ?? time(seconds * 1000);

// Draws a query's timeline when its details are opened.
const drawWhenItRan = (figure, query) => {
    const { start, step, each, columns } = columnsOf(listsOf(query)[1]);
    const highest = Math.max(...columns.map(([calls, , errors]) => calls + errors));
    const percent = (amount) => `${((amount / columns.length) * 100).toFixed(3)}%`;
    const bars = columns.flatMap(([calls, ms, errors], index) => {
        if (!calls && !errors) return [];
        const at = clock(start + index * step);
        const text = `${at} (${each}): ${counted(calls, "call")}, ${time(ms)}, ${counted(errors, "error")}`;
        const height = (amount) => (amount / highest) * HEIGHT;
        const [ofCalls, ofErrors] = [height(calls), height(errors)];
        const bar = (className, y, height) =>
            svg("rect", { class: className, x: percent(index), y, width: percent(0.9), height }, [
                svg("title", {}, [text]),
            ]);
        return [
            bar("some", HEIGHT - Math.max(ofCalls + ofErrors, 1.5), Math.max(ofCalls, ofErrors ? 0 : 1.5)),
            bar("failed", HEIGHT - ofErrors, ofErrors),
        ];
    });
    const base = svg("line", { class: "base", x1: 0, x2: "100%", y1: HEIGHT + 0.5, y2: HEIGHT + 0.5 });
    const [first, last] = [start, start + step * columns.length].map(clock);
    const labels = [
        svg("text", { x: 0, y: HEIGHT + 15, class: "from" }, [first.slice(0, 16)]),
        svg("text", { x: "100%", y: HEIGHT + 15, class: "until" }, [last.slice(0, 16)]),
    ];
    one("figcaption", figure).append(` of calls and errors per ${each}: at most ${count(highest)}`);
    const label = `${figure.textContent}, from ${first} to ${last}`;
    figure.append(
        svg("svg", { width: "100%", height: HEIGHT + 20, role: "img", "aria-label": label }, [...bars, base, ...labels]),
    );
};

// Shows the chosen part in the tiles at the top of the page.
const showTiles = (queries) => {
    const figures = part && {
        statements: count(part.sums[0]),
        total: time(part.sums[1]),
        queries: count(queries.filter(isInPart).length),
        errors: count(part.sums[2]),
    };
    for (const name of ["statements", "total", "queries", "errors"]) {
        const cell = one(`#all-${name} dd`);
        cell.whole ??= [...cell.childNodes];
        cell.replaceChildren(...(figures ? [figures[name]] : cell.whole));
    }
};

// Shows the chosen part in the bar charts.
const showBars = (queries) => {
    for (const [id, index, text] of [
        ["#most-time", 1, (value) => [time(value), " ", html("small", { textContent: percent(value / part.sums[1]) })]],
        ["#most-calls", 0, (value) => [count(value)]],
    ]) {
        const list = one(`${id} ol`);
        if (!list) continue;
        list.whole ??= [...list.children];
        if (!part) {
            list.replaceChildren(...list.whole);
            continue;
        }
        const top = queries.filter(({ sums }) => sums[index] > 0).sort((a, b) => b.sums[index] - a.sums[index]);
        const items = top.slice(0, 10).map((query) => {
            const sql = html("code", {}, isolated(query.data ? query.data[1] : one(".row code", query.body).textContent));
            const value = query.sums[index];
            return html("li", {}, [
                html("a", { href: `#${query.id}` }, [sql]),
                html("span", { className: "figure" }, text(value)),
                bar(value / top[0].sums[index], 6),
            ]);
        });
        list.replaceChildren(...items);
    }
};

// Returns a horizontal bar. `share` is its width, `height` is in pixels.
const bar = (share, height) =>
    svg("svg", { width: "100%", height, "aria-hidden": "true" }, [
        svg("rect", { width: `${(share * 100).toFixed(1)}%`, height }),
    ]);

const partMenu = one("#part");
const partNote = one("#part-note");

// Chooses a part of the log, or the whole log. `showAgain` redraws the table.
const choosePart = (chosen, queries, showAgain) => {
    part = chosen;
    if (part) {
        const { facet, name, from, to } = part;
        part.sums = facet === undefined ? sumOfSlots(parts.all, from, to) : parts.facets[facet].totals[name];
        for (const query of queries) query.sums = sumsOf(query, part);
        one("span", partNote).replaceChildren(
            "Only ",
            html("bdi", { textContent: part.label }),
            ": calls, times and errors are those of this part; percentiles and changes are not known for it. " +
                "The head, the details of queries, and what follows the queries are of the whole log.",
        );
    }
    partNote.hidden = !part;
    partMenu.value = part?.facet === undefined ? "" : `${part.facet} ${part.name}`;
    if (timeline) {
        drawTimeline(part?.facet === undefined ? null : columnsOf(parts.facets[part.facet].timelines[part.name]));
        timeline.showBand(
            part?.from === undefined ? null : [part.from, part.to].map((slot) => parts.start + slot * parts.seconds),
        );
    }
    showTiles(queries);
    showBars(queries);
    showAgain();
};

// Fills the menu of facets. Facets with one name are omitted, except tags.
const fillPartMenu = () => {
    parts.facets.forEach(({ label, names, more, totals }, facet) => {
        if (names.length < (label === "Tags" ? 1 : 2)) return;
        const order = names.map((_, name) => name).sort((a, b) => totals[b][1] - totals[a][1] || totals[b][0] - totals[a][0]);
        const options = order.map((name) => {
            const [calls, ms] = totals[name];
            const textContent = `${names[name]} (${ms ? time(ms) : counted(calls, "call")})`;
            return html("option", { value: `${facet} ${name}`, textContent });
        });
        if (more) options.push(html("option", { disabled: true, textContent: `${counted(more, "name")} with less time` }));
        partMenu.append(html("optgroup", { label }, options));
    });
    partMenu.hidden = partMenu.options.length < 2;
};

// Returns the part that is selected in the menu.
const chosenPart = () => {
    if (!partMenu.value) return null;
    const [facet, name] = partMenu.value.split(" ").map(Number);
    const { label, names } = parts.facets[facet];
    return { facet, name, label: `${label.toLowerCase().replace(/s$/, "")} ${names[name]}` };
};

// Converts a period in seconds to a range of slots.
const partOfPeriod = ([begin, end]) => {
    const from = Math.floor((begin - parts.start) / parts.seconds);
    const to = Math.max(from + 1, Math.ceil((end - parts.start) / parts.seconds));
    const [first, last] = [from, to].map((slot) => clock(parts.start + slot * parts.seconds));
    return { from, to, label: `${first} to ${last}` };
};
