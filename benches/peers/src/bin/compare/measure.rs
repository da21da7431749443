//! Measures a function of pgq and of another parser alternately on the same statements. A round calls the function once
//! with every statement. A repeat consists of several rounds, of which the best one counts. All programs are restarted
//! between repeats.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;

use crate::answers::{Asked, Compared, ask, compare};
use crate::corpora::Corpus;
use crate::function::{FUNCTIONS, Function};
use crate::peers::{Peer, Peers};
use crate::program::Program;
use crate::results::Row;
use crate::single::{self, Effort, Single};
use crate::spread::Spread;

/// Number of rounds in a turn. In the first round the processor's caches contain the other program's data. In the
/// second round the caches are warm.
const ROUNDS_OF_A_TURN: usize = 2;

/// A function of a parser on a corpus, compared with pgq.
struct Contest {
    function: &'static Function,
    corpus: usize,
    peer: usize,
    /// The function of the parser's program.
    call: &'static str,
    label: String,
    compared: Compared,
    /// Nanoseconds per statement in each repeat, for the parser and for pgq.
    times: Vec<(f64, f64)>,
    single: Option<Single>,
}

/// Measures all functions. Returns their rows in order, and notes for the page, such as crashes.
pub fn measure(peers: &mut Peers, corpora: &[Corpus], effort: Effort) -> Result<(Vec<Row>, Vec<String>)> {
    let asked = ask_all(peers, corpora)?;
    let mut notes = crashes(&peers.built, &asked, corpora);
    let mut contests = contests(&peers.built, &asked);
    for repeat in 1..=effort.repeats {
        eprintln!("repeat {repeat} of {}", effort.repeats);
        for (number, corpus) in corpora.iter().enumerate() {
            let of_corpus = contests.iter_mut().filter(|contest| contest.corpus == number);
            run(&peers.built, of_corpus, corpus.file.path(), effort, &mut notes)?;
        }
    }
    for contest in contests.iter_mut().filter(|contest| contest.function.name == "parse" && !contest.times.is_empty()) {
        let peers = [&peers.built[contest.peer], &peers.built[0]];
        let statements = corpora[contest.corpus].file.path();
        match single::measure(peers, contest.call, statements, &contest.compared.chosen, effort) {
            Ok(single) => contest.single = Some(single),
            Err(error) => notes.push(format!("single statements of {} were not measured: {error:#}", contest.label)),
        }
    }
    notes.sort();
    notes.dedup();
    contests.sort_by_key(|contest| contest.corpus); // stable sorting keeps the order of functions and parsers
    Ok((contests.iter().filter_map(|contest| contest.row(&asked[contest.corpus])).collect(), notes))
}

/// Returns the answers by corpus and parser. Excludes parsers that fail.
fn ask_all(peers: &mut Peers, corpora: &[Corpus]) -> Result<Vec<Vec<Asked>>> {
    let mut of_peers = Vec::new();
    let mut built = Vec::new();
    for peer in peers.built.drain(..) {
        eprintln!("asking {}", peer.name);
        let asked: Result<Vec<Asked>> =
            corpora.iter().map(|corpus| ask(&peer, corpus.statements.len(), corpus.file.path())).collect();
        match asked {
            Ok(asked) => {
                of_peers.push(asked.into_iter());
                built.push(peer);
            }
            Err(error) if peer.name == "pgq" => return Err(error),
            Err(error) => peers.left_out.push((peer.name.to_string(), format!("{error:#}"))),
        }
    }
    peers.built = built;
    Ok(corpora.iter().map(|_| of_peers.iter_mut().filter_map(Iterator::next).collect()).collect())
}

fn crashes(built: &[Peer], asked: &[Vec<Asked>], corpora: &[Corpus]) -> Vec<String> {
    let of_corpus = |(corpus, asked): (&Corpus, &Vec<Asked>)| {
        let note = |(peer, asked): (&Peer, &Asked)| {
            let Asked { crashes, .. } = asked;
            let said = |s| {
                format!(
                    "{} crashes on {crashes} statement{s} of the corpus {}; such a statement counts as refused",
                    peer.name, corpus.name
                )
            };
            (*crashes > 0).then(|| said(if *crashes == 1 { "" } else { "s" }))
        };
        built.iter().zip(asked).filter_map(note).collect::<Vec<_>>()
    };
    corpora.iter().zip(asked).flat_map(of_corpus).collect()
}

fn contests(built: &[Peer], asked: &[Vec<Asked>]) -> Vec<Contest> {
    let mut contests = Vec::new();
    for (corpus, asked) in asked.iter().enumerate() {
        for function in &FUNCTIONS {
            let mut add = |peer: usize, call: &'static str, label: &str| {
                let compared = compare(function, call, &asked[0].answers, &asked[peer].answers);
                let label = label.to_string();
                contests.push(Contest {
                    function,
                    corpus,
                    peer,
                    call,
                    label,
                    compared,
                    times: Vec::new(),
                    single: None,
                });
            };
            for (number, peer) in built.iter().enumerate() {
                if asked[number].functions.iter().any(|name| name == function.name) {
                    add(number, function.name, peer.name);
                }
                if number == 0 {
                    function.others.iter().for_each(|(call, label)| add(0, call, label));
                }
            }
        }
    }
    contests
}

/// Runs one repeat of all contests of a corpus.
fn run<'c>(
    built: &[Peer],
    contests: impl Iterator<Item = &'c mut Contest>,
    statements: &Path,
    effort: Effort,
    notes: &mut Vec<String>,
) -> Result<()> {
    let start = |peer: &Peer| Program::start(&peer.command, statements);
    let mut pgq = start(&built[0])?;
    let mut programs: Vec<Program> = built.iter().map(start).collect::<Result<_>>()?;
    for contest in contests.filter(|contest| contest.compared.chosen.contains(&true)) {
        match contest.run(&mut pgq, &mut programs[contest.peer], effort) {
            Ok(times) => contest.times.push(times),
            Err(error) => {
                notes.push(format!("{} was not measured in {}: {error:#}", contest.label, contest.function.name));
                pgq = start(&built[0])?;
                programs[contest.peer] = start(&built[contest.peer])?;
            }
        }
    }
    Ok(())
}

impl Contest {
    /// Returns the nanoseconds per statement of `peer` and of pgq, each from its best round.
    fn run(&self, pgq: &mut Program, peer: &mut Program, effort: Effort) -> Result<(f64, f64)> {
        pgq.prepare(self.function.name, &self.compared.chosen)?;
        peer.prepare(self.call, &self.compared.chosen)?;
        let mut best = (u64::MAX, u64::MAX);
        let start = Instant::now();
        for turn in 0..effort.turns {
            if turn > 0 && start.elapsed() > effort.time {
                break;
            }
            best.1 = best.1.min(best_of_turn(pgq)?);
            best.0 = best.0.min(best_of_turn(peer)?);
        }
        let count = self.statements() as f64;
        Ok((best.0 as f64 / count, best.1 as f64 / count))
    }

    fn statements(&self) -> usize {
        self.compared.chosen.iter().filter(|chosen| **chosen).count()
    }

    /// Returns the results of this parser, function and corpus; `None` if nothing was measured.
    fn row(&self, asked: &[Asked]) -> Option<Row> {
        if self.times.is_empty() {
            return None;
        }
        let of = |figure: fn(&(f64, f64)) -> f64| Spread::of(self.times.iter().map(figure).collect());
        let Compared { refused, extra, agreeing, compared, counted, .. } = self.compared;
        Some(Row {
            function: self.function.name,
            corpus: self.corpus,
            label: self.label.clone(),
            statements: self.statements(),
            refused,
            extra,
            agreeing,
            compared,
            counted: (counted > 0).then_some(counted),
            postgresql: asked[self.peer].postgresql,
            nanoseconds: of(|(peer, _)| *peer),
            pgq: of(|(_, pgq)| *pgq),
            ratio: of(|(peer, pgq)| peer / pgq),
            single: self.single,
        })
    }
}

fn best_of_turn(program: &mut Program) -> Result<u64> {
    let mut best = u64::MAX;
    for _ in 0..ROUNDS_OF_A_TURN {
        best = best.min(program.round()?);
    }
    Ok(best)
}
