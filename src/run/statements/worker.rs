//! Connects the work on data to the pipeline: events of reading pass to the sink unchanged.

use super::event::{ChunkReport, Event};
use crate::run::input::{Chunk, Content, Data};
use crate::run::pipeline::Worker;

/// Works on the data of chunks. Each job has its own worker.
pub trait ChunkWorker: Send {
    type Output: Send;

    /// Works on part of a file.
    fn work(&mut self, file: &str, data: &Data, report: &mut ChunkReport) -> Self::Output;

    /// Approximate size of an output in memory, in bytes.
    fn weight(output: &Self::Output) -> usize;
}

/// A [`ChunkWorker`] as a worker of the pipeline.
pub struct EventWorker<W>(pub W);

impl<W: ChunkWorker> Worker for EventWorker<W> {
    type Work = Chunk;
    type Output = Event<W::Output>;

    fn work(&mut self, chunk: Chunk) -> Event<W::Output> {
        let Chunk { file, content } = chunk;
        match content {
            Content::Data(data) => {
                let mut report = ChunkReport::default();
                let output = self.0.work(&file, &data, &mut report);
                if let Data::Log(records) = &data {
                    report.log.add(records.stats());
                }
                Event::Output { file, output, report }
            }
            Content::Notice(text) => Event::Notice { file, text },
            Content::LeftOut(text) => Event::LeftOut { file, text },
            Content::Unreadable(problem) => Event::Unreadable { file, problem },
            Content::EndOfFile => Event::EndOfFile,
        }
    }

    fn weight(event: &Event<W::Output>) -> usize {
        match event {
            Event::Output { output, report, .. } => W::weight(output) + report.weight(),
            _ => 0,
        }
    }
}
