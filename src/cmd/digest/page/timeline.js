// The timeline. Shows the figures of the column that is under the pointer or selected by arrow keys, and lets the
// reader choose a period. It can also show a part of the statements; see parts.js.

const timeline = one("#timeline");
const wholeTimeline = timeline && JSON.parse(one("#timeline-data").textContent);
// The columns shown: start in seconds, width in seconds, and calls, milliseconds and errors of each column.
let drawn = wholeTimeline;
// Set by queries.js. Takes a period in seconds since 1970, or null.
let choosePeriod = () => {};

// A log can contain times for which JavaScript has no date. They are shown in seconds since 1970.
const clock = (second) => {
    const date = new Date((second + wholeTimeline.zone) * 1000);
    return Number.isNaN(date.getTime()) ? `${count(second)} s` : date.toISOString().slice(0, 19).replace("T", " ");
};

// The start and the length of the charts in seconds.
const timelineStart = wholeTimeline?.start ?? 0;
const timelineSpan = wholeTimeline ? wholeTimeline.step * wholeTimeline.columns.length : 1;

const CHARTS = [
    { className: "calls", title: (each) => `Calls per ${each}`, value: (column) => column[0], text: count },
    {
        className: "time",
        title: () => "Average active queries",
        value: (column, step) => column[1] / 1000 / step,
        text: decimal,
    },
    { className: "errors", title: (each) => `Errors per ${each}`, value: (column) => column[2], text: count },
];

const roundAbove = (value) => {
    const unit = 10 ** Math.floor(Math.log10(value));
    return [1, 2, 2.5, 5, 10].find((factor) => factor * unit >= value) * unit;
};

// Draws `columns`. If `columns` is null, draws the timeline of the whole log.
const drawTimeline = (columns) => {
    drawn = columns ?? wholeTimeline;
    timeline.hideCursor?.();
    for (const { className, title, value, text } of CHARTS) {
        const figure = one(`.chart.${className}`, timeline);
        const [caption, axis] = [one("figcaption", figure), one(".axis-y span", figure)];
        const [area, path] = [one("svg svg", figure), one("path", figure)];
        figure.whole ??= {
            caption: [...caption.childNodes],
            axis: axis.textContent,
            box: area.getAttribute("viewBox"),
            path: path.getAttribute("d"),
        };
        if (!columns) {
            caption.replaceChildren(...figure.whole.caption);
            axis.textContent = figure.whole.axis;
            area.setAttribute("viewBox", figure.whole.box);
            path.setAttribute("d", figure.whole.path);
            continue;
        }
        const values = columns.columns.map((column) => value(column, columns.step));
        const highest = Math.max(0, ...values);
        const top = highest ? roundAbove(highest) : 1;
        const left = (index) => columns.start + index * columns.step - timelineStart;
        const bar = (height, index) =>
            height ? `M${left(index)} 1000V${1000 - (height / top) * 1000}H${left(index + 1)}V1000Z` : "";
        area.setAttribute("viewBox", `0 0 ${timelineSpan} 1000`);
        path.setAttribute("d", values.map(bar).join(""));
        axis.textContent = highest ? text(top) : "";
        const peak = highest ? `peak ${text(highest)} at ${clock(columns.start + values.indexOf(highest) * columns.step)}` : "none";
        caption.replaceChildren(`${title(columns.each)} `, html("small", { textContent: peak }));
    }
};

if (timeline) {
    const cursor = html("div", { className: "cursor", hidden: true });
    const band = html("div", { className: "band", hidden: true });
    const tip = html("div", { className: "tip", hidden: true });
    timeline.append(band, cursor, tip);
    timeline.tabIndex = 0;
    timeline.setAttribute("role", "group");
    timeline.setAttribute(
        "aria-label",
        "Timeline: the arrow keys move from column to column, Enter chooses its period, Escape all",
    );
    tip.setAttribute("aria-live", "polite");
    let current = -1;
    // Start of the period in seconds while the pointer is down.
    let pressed = null;
    const place = () => {
        const chart = one(".chart > svg", timeline).getBoundingClientRect();
        return { left: chart.left - timeline.getBoundingClientRect().left, width: chart.width, x: chart.left };
    };
    const secondAt = (event) => {
        const { x, width } = place();
        const share = (event.clientX - x) / width;
        return { share, second: timelineStart + Math.max(0, Math.min(1, share)) * timelineSpan };
    };
    const xOf = (second) => {
        const { left, width } = place();
        return left + (width * Math.max(0, Math.min(timelineSpan, second - timelineStart))) / timelineSpan;
    };
    // The period that the band marks.
    let marked = null;
    timeline.showBand = (period) => {
        marked = period;
        band.hidden = !period;
        if (!period) return;
        band.style.left = `${xOf(period[0])}px`;
        band.style.width = `${Math.max(1, xOf(period[1]) - xOf(period[0]))}px`;
    };
    addEventListener("resize", () => timeline.showBand(marked));
    const show = (column) => {
        const { start, step, each, columns } = drawn;
        current = Math.max(0, Math.min(columns.length - 1, column));
        const [calls, ms, errors] = columns[current];
        const x = xOf(start + (current + 0.5) * step);
        tip.replaceChildren(
            html("b", { textContent: `${clock(start + current * step)} (${each})` }),
            `${counted(calls, "call")}, ${decimal(ms / 1000 / step)} active on average, ${counted(errors, "error")}`,
        );
        cursor.hidden = tip.hidden = false;
        cursor.style.left = `${x}px`;
        const width = timeline.getBoundingClientRect().width;
        const left = x + 12 + tip.offsetWidth > width ? x - 12 - tip.offsetWidth : x + 12;
        tip.style.left = `${Math.max(0, Math.min(left, width - tip.offsetWidth))}px`;
    };
    const hide = () => {
        cursor.hidden = tip.hidden = true;
    };
    timeline.hideCursor = () => {
        hide();
        current = -1;
    };
    const period = (second) => [Math.min(pressed.second, second), Math.max(pressed.second, second)];
    timeline.addEventListener("pointerdown", (event) => {
        const { share, second } = secondAt(event);
        if (event.button !== 0 || share < 0 || share > 1) return;
        pressed = { second, x: event.clientX };
        // Without the capture, the chart would not receive the event if the pointer is released outside of the chart.
        timeline.setPointerCapture(event.pointerId);
    });
    timeline.addEventListener("pointermove", (event) => {
        const { share, second } = secondAt(event);
        if (pressed && Math.abs(event.clientX - pressed.x) > 4) {
            timeline.showBand(period(second));
        }
        if (share >= 0 && share < 1) show(Math.floor((second - drawn.start) / drawn.step));
        else hide();
    });
    timeline.addEventListener("pointerup", (event) => {
        const { second } = secondAt(event);
        if (pressed && Math.abs(event.clientX - pressed.x) > 4) choosePeriod(period(second));
        pressed = null;
    });
    timeline.addEventListener("pointercancel", () => (pressed = null));
    timeline.addEventListener("pointerleave", hide);
    timeline.addEventListener("blur", hide);
    timeline.addEventListener("keydown", (event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (by) {
            event.preventDefault();
            show(current + by);
        } else if (event.key === "Enter" && !cursor.hidden) {
            const start = drawn.start + current * drawn.step;
            choosePeriod([start, start + drawn.step]);
        } else if (event.key === "Escape") {
            choosePeriod(null);
        }
    });
}
