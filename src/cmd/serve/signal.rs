//! The daemon's reaction to signals.

use std::sync::Arc;

use super::server::Server;
use crate::run::report;

/// Makes the first SIGINT, SIGTERM or SIGHUP stop the daemon after the requests in progress, and a second one end the
/// program immediately.
pub fn stop_on_signals(server: &Server) {
    let stop = Arc::clone(server.stop_signal());
    report::handle_signals(move |signal| stop.set(signal));
}
