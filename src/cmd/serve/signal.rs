//! The daemon's reaction to signals.

use std::sync::Arc;

use super::server::Server;
use crate::run::report;

/// Installs signal handlers. The first SIGINT, SIGTERM or SIGHUP stops the daemon after the requests in progress. The
/// second one ends the program immediately.
pub fn stop_on_signals(server: &Server) {
    let stop = Arc::clone(server.stop_signal());
    report::handle_signals(move |signal| stop.set(signal));
}
