//! The output of [`super::Unwrapper`]: the lines without their envelopes. Each line has a header with the envelope's
//! values (frame.rs). For a log in reverse order, also records where each event (a line with its continuation lines)
//! ends.

use serde_json::Value;

use super::layer::Layer;
use crate::format::frame::Frame;

/// Framed lines.
pub struct Events {
    pub lines: Vec<u8>,
    /// End offsets of events, if requested. An event includes its continuation lines.
    pub ends: Option<Vec<usize>>,
    /// Whether the first line continues an event of the previous output.
    pub continues: bool,
    /// Whether the process ID in the envelope belongs to a forwarding daemon instead of the server.
    pub relayed: bool,
}

impl Events {
    /// Creates an output that appends to `lines`. `ends`: whether to record the ends of events.
    pub fn new(lines: Vec<u8>, ends: bool, relayed: bool) -> Self {
        Self { lines, ends: ends.then(Vec::new), continues: false, relayed }
    }

    fn add(&mut self, frame: &Frame<'_>, text: &[u8]) {
        match self.relayed {
            true => Frame { pid: 0, ..*frame }.write(text, &mut self.lines),
            false => frame.write(text, &mut self.lines),
        }
        let len = self.lines.len();
        if let Some(ends) = &mut self.ends {
            if frame.continued {
                self.continues |= ends.pop().is_none();
            }
            ends.push(len);
        }
    }
}

/// Removes all layers from a line.
pub fn unwrap_line(layers: &mut [Layer], frame: &Frame<'_>, text: &[u8], out: &mut Events) {
    match layers.split_first_mut() {
        None => out.add(frame, text),
        Some((layer, inner)) => layer.line(frame, text, &mut |frame, text| {
            if frame.foreign { out.add(frame, text) } else { unwrap_line(inner, frame, text, out) }
        }),
    }
}

/// Removes all layers from a JSON document.
pub fn unwrap_value(layers: &mut [Layer], value: Value, out: &mut Events) {
    let Some((layer, inner)) = layers.split_first_mut() else { return };
    layer.value(&Frame::default(), value, &mut |frame, text| {
        if frame.foreign { out.add(frame, text) } else { unwrap_line(inner, frame, text, out) }
    });
}

/// Emits the pending text of the layers.
pub fn finish_layers(layers: &mut [Layer], frame: &Frame<'_>, out: &mut Events) {
    if let Some((layer, inner)) = layers.split_first_mut() {
        layer.finish(frame, &mut |frame, text| unwrap_line(inner, frame, text, out));
        finish_layers(inner, frame, out);
    }
}
