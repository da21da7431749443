//! The table of a digest's query groups, with one row per group.

use crate::kinds::{BigInt, Double, Text, TextItems};
use crate::table::columns;

columns! {
    /// A column of the table of groups.
    GroupColumn, GroupRow, GroupBuilders;
    group Group: Text, "", "digest", "Kind of the row: query, not_shown (the queries beyond --top, summed up), unparsed, truncated, other or stray (errors and events without a statement); error, warning or log for a kind of message, which counts errors once more";
    fingerprint Fingerprint: Text, "hex", "parser", "Fingerprint of the query, 16 hex digits";
    kind Kind: Text, "", "SQL", "First keyword of the query in lower case, or SQLSTATE of the message";
    severity Severity: Text, "", "log", "Severity of a message";
    calls Calls: BigInt, "", "log", "Number of executions that did not fail";
    total_us TotalUs: BigInt, "microseconds", "log", "Time of all executions";
    share Share: Double, "", "digest", "Fraction of the time of all groups, from 0 to 1";
    mean_us MeanUs: Double, "microseconds", "log", "Mean time of an execution";
    p50_us P50Us: BigInt, "microseconds", "log", "Half of the executions took at most this long";
    p95_us P95Us: BigInt, "microseconds", "log", "95 % of the executions took at most this long";
    p99_us P99Us: BigInt, "microseconds", "log", "99 % of the executions took at most this long";
    max_us MaxUs: BigInt, "microseconds", "log", "Time of the slowest execution";
    errors Errors: BigInt, "", "log", "Number of executions that failed";
    first First: Text, "", "log", "When the first execution was logged, as the log has it";
    last Last: Text, "", "log", "When the last execution was logged, as the log has it";
    users Users: TextItems, "", "log", "Names of the users";
    databases Databases: TextItems, "", "log", "Names of the databases";
    applications Applications: TextItems, "", "log", "Names of the applications";
    hosts Hosts: TextItems, "", "log", "Names or addresses of the clients";
    tags Tags: TextItems, "", "SQL", "Tags of comments, as key=value";
    temporary_files TemporaryFiles: BigInt, "", "log", "Number of temporary files (log_temp_files)";
    temporary_bytes TemporaryBytes: BigInt, "bytes", "log", "Total size of the temporary files";
    lock_waits LockWaits: BigInt, "", "log", "Number of waits for locks longer than deadlock_timeout (log_lock_waits)";
    failed_lock_waits FailedLockWaits: BigInt, "", "log", "Number of waits for locks that ended in an error";
    lock_wait_us LockWaitUs: BigInt, "microseconds", "log", "Known time of the waits for locks; a lower bound if some ended in an error";
    canceled Canceled: BigInt, "", "log", "Number of executions that were canceled, by a timeout or a user";
    missing Missing: BigInt, "", "digest", "Maximum number of executions or messages that the counts lack, since more was logged than is kept";
    tables Tables: TextItems, "", "parser", "Tables that the query names";
    change Change: Text, "", "digest", "Comparison of the group with that of the baseline";
    before_mean_us BeforeMeanUs: Double, "microseconds", "digest", "Mean time in the baseline";
    before_p50_us BeforeP50Us: BigInt, "microseconds", "digest", "Half of the executions in the baseline took at most this long";
    before_p95_us BeforeP95Us: BigInt, "microseconds", "digest", "95 % of the executions in the baseline took at most this long";
    before_p99_us BeforeP99Us: BigInt, "microseconds", "digest", "99 % of the executions in the baseline took at most this long";
    query Query: Text, "", "parser", "The query on one line, with $1, $2, … for its constants, or the error of what does not parse";
}
