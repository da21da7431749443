//! State shared by all connections.

use std::sync::Arc;

use super::cancel::CancelKeys;
use super::limits::Limits;
use super::places::Places;
use super::workers::Workers;
use crate::run::input::StopSignal;

pub struct Shared {
    pub limits: Limits,
    pub workers: Workers,
    /// Places for sessions to PostgreSQL.
    pub sessions: Arc<Places>,
    pub cancel_keys: CancelKeys,
    pub stop: Arc<StopSignal>,
}
