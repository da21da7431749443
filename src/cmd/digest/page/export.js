// Exports the matching queries as CSV. This is the last part of the script.

const csvCell = (value) => {
    const text = value === null ? "" : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const CSV_HEADER = ["fingerprint", "calls", "total_ms", "share", "mean_ms", "p50_ms", "p95_ms", "p99_ms", "max_ms", "errors", "query"];

// One row for each query that matches the search, the menus and the chosen part.
const asCsv = () => {
    const rows = found.queries.map((query) => {
        const sql = query.data ? query.data[1] : one("pre.sql", query.body).textContent;
        return [query.id.slice(2), ...figuresOf(query), sql];
    });
    return [CSV_HEADER, ...rows].map((row) => row.map(csvCell).join(",") + "\r\n").join("");
};

one("#csv")?.addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([asCsv()], { type: "text/csv" }));
    const link = html("a", { href: address, download: "queries.csv" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
});
