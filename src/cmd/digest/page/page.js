// The script of the page of pgq digest: what its other parts need. Everything that is to be read
// is in the page already; nothing is ever loaded. Text of the log is only read and copied here,
// never made into HTML.

const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const one = (selector, within = document) => within.querySelector(selector);
const root = document.documentElement;
const SVG = "http://www.w3.org/2000/svg";

const svg = (name, attributes, children = []) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
};

const html = (name, properties, children = []) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
};

// Figures, as the page has them.

const count = (number) => number.toLocaleString("en-US");

const digits = (value) => value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0);

const time = (ms) => {
    if (ms <= 0) return "0";
    if (ms < 0.9995) return `${digits(ms * 1000)} µs`;
    if (ms < 999.5) return `${digits(ms)} ms`;
    if (ms < 59950) return `${digits(ms / 1000)} s`;
    const pair = (amount, per, large, small) =>
        `${count(Math.floor(amount / per))} ${large}` + (amount % per ? ` ${amount % per} ${small}` : "");
    const seconds = Math.round(ms / 1000);
    if (seconds < 3600) return pair(seconds, 60, "min", "s");
    if (seconds < 86400) return pair(Math.floor((seconds + 30) / 60), 60, "h", "min");
    return pair(Math.floor((seconds + 1800) / 3600), 24, "d", "h");
};

// Light and dark: as the system has it, until somebody chooses.

const theme = one("#theme");
const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
const nameTheme = () => {
    theme.textContent = isDark() ? "Light" : "Dark";
    theme.setAttribute("aria-label", isDark() ? "Light colours" : "Dark colours");
};
const remembered = (value) => {
    // Pages of files may have no storage.
    try {
        if (value) localStorage.setItem("pgq-theme", value);
        return localStorage.getItem("pgq-theme");
    } catch {
        return null;
    }
};
const before = remembered();
if (before === "light" || before === "dark") root.dataset.theme = before;
theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    remembered(root.dataset.theme);
    nameTheme();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", nameTheme);
nameTheme();

// Copying.

const copied = async (text) => {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        const area = html("textarea", { value: text });
        document.body.append(area);
        area.select();
        document.execCommand("copy");
        area.remove();
    }
};

const addCopy = (pre) => {
    const button = html("button", { type: "button", className: "copy", textContent: "Copy" });
    const box = html("div", { className: "sql-box" });
    pre.replaceWith(box);
    box.append(pre, button);
    button.addEventListener("click", async () => {
        await copied(pre.textContent);
        button.textContent = "Copied";
        setTimeout(() => (button.textContent = "Copy"), 1500);
    });
};

// A histogram: columns between powers of two of microseconds, so the axis is logarithmic.

const HEIGHT = 84;

// A time for an axis, in one unit.
const about = (ms) => (ms < 59950 ? time(ms) : ms < 3.6e6 ? `${Math.round(ms / 6e4)} min` : `${digits(ms / 3.6e6)} h`);

const histogram = (figure) => {
    const counts = new Map(
        figure.dataset.of.split(" ").map((pair) => {
            const [end, calls] = pair.split(",").map(Number);
            return [Math.round(Math.log2(end * 1000)), calls];
        }),
    );
    const octaves = [...counts.keys()];
    const [first, last] = [Math.min(...octaves) - 1, Math.max(...octaves) + 1];
    const columns = last - first + 1;
    const most = Math.max(...counts.values());
    const sum = [...counts.values()].reduce((a, b) => a + b);
    const percent = (n) => `${((n / columns) * 100).toFixed(3)}%`;
    const end = (octave) => 2 ** octave / 1000;
    const parts = [];
    for (const [octave, calls] of counts) {
        const height = Math.max((calls / most) * HEIGHT, 1.5);
        const x = octave - first;
        const says = `${octave ? time(end(octave - 1)) : "0"} to ${time(end(octave))}: ${count(calls)} calls, ${((calls / sum) * 100).toFixed(1)}%`;
        const title = svg("title", {}, [says]);
        parts.push(
            svg("rect", { x: percent(x + 0.06), y: HEIGHT - height, width: percent(0.88), height }, [title]),
        );
    }
    const every = Math.ceil(columns / 6);
    for (let octave = first; octave <= last; octave += 1) {
        if ((last - octave) % every !== Math.floor(every / 2)) continue;
        parts.push(svg("text", { x: percent(octave - first + 1), y: HEIGHT + 15 }, [about(end(octave))]));
    }
    parts.push(svg("line", { class: "base", x1: 0, x2: "100%", y1: HEIGHT + 0.5, y2: HEIGHT + 0.5 }));
    const label = `${figure.textContent}. Calls by latency, in columns that each end at twice the time of the one before.`;
    figure.append(svg("svg", { width: "100%", height: HEIGHT + 20, role: "img", "aria-label": label }, parts));
};
