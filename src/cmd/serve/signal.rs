//! What a signal does to the daemon.

use std::sync::Arc;

use super::server::Server;
use crate::run::report;

/// Makes the first SIGINT, SIGTERM or SIGHUP stop the daemon when it has answered what is under way, and
/// a second one end the program at once.
pub fn stop_on_signals(server: &Server) {
    let stop = Arc::clone(server.stop_signal());
    report::handle_signals(move |signal| stop.set(signal));
}
