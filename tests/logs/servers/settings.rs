//! Settings of the servers whose logs the test compares. Each setting changes messages or their form. To add a setting,
//! add a row.

/// Lines of postgresql.conf for a test server, and properties of the log that the server writes with them.
#[derive(Clone, Copy)]
pub struct Setting {
    pub name: &'static str,
    pub lines: &'static str,
    /// First major version with this setting.
    pub since: u32,
    /// Whether the log has every execution, so that the number of executions equals the calls in pg_stat_statements.
    pub is_complete: bool,
    /// Whether the default run includes the setting.
    pub is_quick: bool,
    /// Language of the server's messages. Empty for English. Any other language needs a server with message catalogs.
    pub language: &'static str,
}

const fn some(name: &'static str, lines: &'static str) -> Setting {
    Setting { name, lines, since: 0, is_complete: false, is_quick: false, language: "" }
}

/// Creates a setting for a log with every execution.
const fn all(name: &'static str, lines: &'static str) -> Setting {
    Setting { is_complete: true, ..some(name, lines) }
}

const fn since(since: u32, setting: Setting) -> Setting {
    Setting { since, ..setting }
}

const fn quick(setting: Setting) -> Setting {
    Setting { is_quick: true, ..setting }
}

const fn in_language(language: &'static str, lines: &'static str) -> Setting {
    Setting { language, ..all(language, lines) }
}

/// Lines of postgresql.conf for a log with the plan of every execution, followed by the lines `$more`.
macro_rules! plans {
    ($more:literal) => {
        concat!("session_preload_libraries = 'auto_explain'\nauto_explain.log_min_duration = 0\n", $more)
    };
}

#[rustfmt::skip] // one row per line
pub const SETTINGS: [Setting; 56] = [
    quick(all("durations", "log_min_duration_statement = 0")),
    quick(all("verbose", "log_min_duration_statement = 0\nlog_error_verbosity = verbose")),
    some("terse", "log_min_duration_statement = 0\nlog_error_verbosity = terse"),
    quick(all("statements and durations", "log_statement = all\nlog_duration = on")),
    all("statements and durations, verbose", "log_statement = all\nlog_duration = on\nlog_error_verbosity = verbose"),
    all("statements", "log_statement = all"),
    some("statements of DDL", "log_statement = ddl"),
    some("statements that change", "log_statement = mod"),
    some("statements that change, all durations", "log_statement = mod\nlog_duration = on"),
    some("durations alone", "log_duration = on"),
    all("statements, and durations with a text", "log_statement = all\nlog_min_duration_statement = 0"),
    all("statements of DDL, and durations with a text", "log_statement = ddl\nlog_min_duration_statement = 0"),
    all("all three", "log_statement = all\nlog_min_duration_statement = 0\nlog_duration = on"),
    some("a threshold", "log_min_duration_statement = 1"),
    some("a threshold, and all durations", "log_min_duration_statement = 1\nlog_duration = on"),
    some("a sample of statements", "log_min_duration_sample = 0\nlog_statement_sample_rate = 0.5"),
    all("a sample of all statements", "log_min_duration_sample = 0\nlog_statement_sample_rate = 1.0"),
    some("a sample of transactions", "log_transaction_sample_rate = 0.5"),
    all("a sample of all transactions", "log_transaction_sample_rate = 1.0"),
    all("parameters cut", "log_min_duration_statement = 0\nlog_parameter_max_length = 5"),
    all("no parameters", "log_min_duration_statement = 0\nlog_parameter_max_length = 0"),
    all("parameters of errors", "log_min_duration_statement = 0\nlog_parameter_max_length_on_error = -1"),
    all("parameters of errors cut", "log_min_duration_statement = 0\nlog_parameter_max_length_on_error = 3"),
    some("plans", plans!("")),
    some("plans in JSON", plans!("auto_explain.log_format = json")),
    some("plans in XML", plans!("auto_explain.log_format = xml")),
    some("plans in YAML", plans!("auto_explain.log_format = yaml")),
    quick(all("plans and durations", plans!("log_min_duration_statement = 0"))),
    all("plans in JSON, also inside of functions, and durations", plans!("auto_explain.log_format = json\nauto_explain.log_nested_statements = on\nlog_min_duration_statement = 0")),
    all("plans in XML and durations", plans!("auto_explain.log_format = xml\nlog_min_duration_statement = 0")),
    all("plans in YAML and durations", plans!("auto_explain.log_format = yaml\nlog_min_duration_statement = 0")),
    all("plans with all details", plans!("auto_explain.log_analyze = on\nauto_explain.log_buffers = on\nauto_explain.log_verbose = on\nauto_explain.log_triggers = on\nauto_explain.log_settings = on\nauto_explain.log_wal = on\nlog_min_duration_statement = 0")),
    some("plans with all details inside of functions", plans!("auto_explain.log_analyze = on\nauto_explain.log_verbose = on\nauto_explain.log_nested_statements = on")),
    since(16, all("plans, parameters cut", plans!("auto_explain.log_parameter_max_length = 3\nlog_min_duration_statement = 0"))),
    all("plans and statements", plans!("log_statement = all\nlog_duration = on")),
    all("a sample of plans", plans!("auto_explain.sample_rate = 0.5\nlog_min_duration_statement = 0")),
    all("debug5", "log_min_messages = debug5\nlog_min_duration_statement = 0"),
    all("debug5, statements", "log_min_messages = debug5\nlog_statement = all\nlog_duration = on"),
    all("debug2, verbose", "log_min_messages = debug2\nlog_min_duration_statement = 0\nlog_error_verbosity = verbose"),
    all("debug1, client's messages", "log_min_messages = debug1\nclient_min_messages = debug1\nlog_min_duration_statement = 0"),
    some("errors without statements", "log_min_error_statement = panic\nlog_min_duration_statement = 0"),
    all("statements of notices", "log_min_messages = notice\nlog_min_error_statement = notice\nlog_min_duration_statement = 0"),
    some("errors alone", "log_statement = none"),
    some("fatal alone", "log_min_messages = fatal"),
    all("trees", "debug_print_parse = on\ndebug_print_rewritten = on\ndebug_print_plan = on\nlog_min_duration_statement = 0"),
    all("trees on one line", "debug_print_plan = on\ndebug_pretty_print = off\nlog_min_duration_statement = 0"),
    all("statistics of statements", "log_statement_stats = on\nlog_min_duration_statement = 0"),
    all("statistics of each step", "log_parser_stats = on\nlog_planner_stats = on\nlog_executor_stats = on\nlog_min_duration_statement = 0"),
    all("all that is not a statement", "log_disconnections = on\nlog_hostname = on\nlog_checkpoints = on\nlog_lock_waits = on\nlog_temp_files = 0\nlog_autovacuum_min_duration = 0\nlog_replication_commands = on\nwork_mem = '64kB'\nlog_min_duration_statement = 0"),
    all("a zone in digits", "log_timezone = 'Asia/Kathmandu'\nlog_min_duration_statement = 0"),
    all("a zone of its own", "log_timezone = '<+0130>-01:30'\nlog_min_duration_statement = 0"),
    since(14, all("query IDs", "compute_query_id = on\nlog_min_duration_statement = 0")),
    all("where errors come from", "backtrace_functions = 'int4div,errfinish'\nlog_min_duration_statement = 0"),
    quick(in_language("de", "log_min_duration_statement = 0\nlog_temp_files = 0\nwork_mem = '64kB'")),
    in_language("ja", "log_statement = all\nlog_duration = on\nlog_temp_files = 0\nwork_mem = '64kB'"),
    in_language("ru", "log_min_duration_statement = 0\nlog_error_verbosity = verbose\nlog_temp_files = 0\nwork_mem = '64kB'"),
];

/// Values of log_line_prefix, which the settings use in turn.
pub const PREFIXES: [&str; 5] = [
    "%m [%p] %q%u@%d ",
    "%t:%r:%u@%d:[%p]:",
    "%m [%p]: [%l-1] user=%u,db=%d,app=%a,client=%h ",
    "%m [%p]: [%c-%l] %u@%d,app=%a [%e] ",
    "%m [%p][%b][%v][%x] %q[user=%u,db=%d,app=%a] ",
];
