// The page's script: functions that its other parts share. The script loads nothing and never turns text of the log
// into HTML.

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

// Isolates parameters and strings, because right-to-left text would reorder the text around them.
const isolated = (sql) =>
    sql.split(/(\$\d+|'[^']*'|"[^"]*")/).map((text, index) => (index % 2 ? html("bdi", { textContent: text }) : text));

// Formats figures in the same way as figures.rs.

const count = (number) => number.toLocaleString("en-US");

const counted = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;

const threeDigits = (value) => value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0);

const decimal = (value) => (value < 999.5 ? threeDigits(value) : count(Math.round(value)));

const time = (ms) => {
    if (ms <= 0) return "0";
    const micros = Math.round(ms * 1e6) / 1e3;
    if (micros < 999.5) return `${Number.isInteger(micros) ? micros : threeDigits(micros)} µs`;
    if (ms < 999.5) return `${threeDigits(ms)} ms`;
    if (ms < 59950) return `${threeDigits(ms / 1000)} s`;
    const twoUnits = (amount, per, large, small) =>
        `${Math.floor(amount / per)} ${large}` + (amount % per ? ` ${amount % per} ${small}` : "");
    const seconds = Math.round(ms / 1000);
    if (seconds < 3600) return twoUnits(seconds, 60, "min", "s");
    if (seconds < 86400) return twoUnits(Math.floor((seconds + 30) / 60), 60, "h", "min");
    return `${decimal(ms / 86.4e6)} d`;
};

// The theme follows the system's setting until the reader uses the button.

const themeButton = one("#theme");
const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
const labelThemeButton = () => {
    themeButton.textContent = isDark() ? "Light" : "Dark";
    themeButton.setAttribute("aria-label", isDark() ? "Light colours" : "Dark colours");
};
// Pages opened from a file may have no storage.
const stored = (access) => {
    try {
        return access(localStorage);
    } catch {
        return null;
    }
};
const storedTheme = stored((storage) => storage.getItem("pgq-theme"));
if (storedTheme === "light" || storedTheme === "dark") root.dataset.theme = storedTheme;
themeButton.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    stored((storage) => storage.setItem("pgq-theme", root.dataset.theme));
    labelThemeButton();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", labelThemeButton);
labelThemeButton();

// Copying.

const copy = async (text) => {
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

const addCopyButton = (pre) => {
    const button = html("button", { type: "button", className: "copy", textContent: "Copy" });
    const box = html("div", { className: "sql-box" });
    pre.replaceWith(box);
    box.append(pre, button);
    button.addEventListener("click", async () => {
        await copy(pre.textContent);
        button.textContent = "Copied";
        setTimeout(() => (button.textContent = "Copy"), 1500);
    });
};

// A histogram with a logarithmic axis: each bucket ends just below a power of two, in microseconds.

const HEIGHT = 84;

// Formats an axis label in one unit.
const axisTime = (ms) =>
    ms < 59950 ? time(ms) : ms < 3.6e6 ? `${Math.round(ms / 6e4)} min` : `${threeDigits(ms / 3.6e6)} h`;

const drawHistogram = (figure) => {
    // Maps the exponent of a bucket's end to the number of calls.
    const buckets = new Map(
        figure.dataset.of.split(" ").map((pair) => {
            const [end, calls] = pair.split(",").map(Number);
            return [Math.round(Math.log2(end * 1000)), calls];
        }),
    );
    const exponents = [...buckets.keys()];
    const [first, last] = [Math.min(...exponents) - 1, Math.max(...exponents) + 1];
    const columns = last - first + 1;
    const highest = Math.max(...buckets.values());
    const sum = [...buckets.values()].reduce((a, b) => a + b);
    const percent = (column) => `${((column / columns) * 100).toFixed(3)}%`;
    const end = (exponent) => 2 ** exponent / 1000;
    const parts = [];
    for (const [exponent, calls] of buckets) {
        const height = Math.max((calls / highest) * HEIGHT, 1.5);
        const x = exponent - first;
        const start = exponent ? time(end(exponent - 1)) : "0";
        const share = ((calls / sum) * 100).toFixed(1);
        const range = `${start} to less than ${time(end(exponent))}`;
        const title = svg("title", {}, [`${range}: ${counted(calls, "call")}, ${share}%`]);
        parts.push(
            svg("rect", { x: percent(x + 0.06), y: HEIGHT - height, width: percent(0.88), height }, [title]),
        );
    }
    const every = Math.ceil(columns / 6);
    for (let exponent = first; exponent <= last; exponent += 1) {
        if ((last - exponent) % every !== Math.floor(every / 2)) continue;
        // Right-aligned at the edge of the figure.
        const place = { x: percent(exponent - first + 1), y: HEIGHT + 15, class: exponent === last ? "until" : "" };
        parts.push(svg("text", place, [axisTime(end(exponent))]));
    }
    parts.push(svg("line", { class: "base", x1: 0, x2: "100%", y1: HEIGHT + 0.5, y2: HEIGHT + 0.5 }));
    const label = `${figure.textContent}. Calls by latency; each column ends at twice the latency of the one before.`;
    figure.append(svg("svg", { width: "100%", height: HEIGHT + 20, role: "img", "aria-label": label }, parts));
};
