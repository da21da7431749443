// Shows the figures of the column of the timeline under the pointer, or chosen by the arrow keys.

const timeline = one("#timeline");
if (timeline) {
    const { start, step, each, zone, columns } = JSON.parse(one("#timeline-data").textContent);
    const cursor = html("div", { className: "cursor", hidden: true });
    const tip = html("div", { className: "tip", hidden: true });
    timeline.append(cursor, tip);
    timeline.tabIndex = 0;
    timeline.setAttribute("role", "group");
    timeline.setAttribute("aria-label", "Timeline: the arrow keys move from column to column");
    tip.setAttribute("aria-live", "polite");
    let current = -1;
    const clock = (second) => new Date((second + zone) * 1000).toISOString().slice(0, 19).replace("T", " ");
    const show = (column) => {
        current = Math.max(0, Math.min(columns.length - 1, column));
        const chart = one(".chart > svg", timeline).getBoundingClientRect();
        const box = timeline.getBoundingClientRect();
        const x = chart.left - box.left + (chart.width * (current + 0.5)) / columns.length;
        const [calls, ms, errors] = columns[current];
        tip.replaceChildren(
            html("b", { textContent: `${clock(start + current * step)} (${each})` }),
            `${counted(calls, "call")}, ${decimal(ms / 1000 / step)} active on average, ${counted(errors, "error")}`,
        );
        cursor.hidden = tip.hidden = false;
        cursor.style.left = `${x}px`;
        const left = x + 12 + tip.offsetWidth > box.width ? x - 12 - tip.offsetWidth : x + 12;
        tip.style.left = `${Math.max(0, Math.min(left, box.width - tip.offsetWidth))}px`;
    };
    const hide = () => {
        cursor.hidden = tip.hidden = true;
    };
    timeline.addEventListener("pointermove", (event) => {
        const chart = one(".chart > svg", timeline).getBoundingClientRect();
        const share = (event.clientX - chart.left) / chart.width;
        if (share >= 0 && share < 1) show(Math.floor(share * columns.length));
        else hide();
    });
    timeline.addEventListener("pointerleave", hide);
    timeline.addEventListener("blur", hide);
    timeline.addEventListener("keydown", (event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (by) {
            event.preventDefault();
            show(current + by);
        }
    });
}
