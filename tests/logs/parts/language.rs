//! Tests of the words of all languages.

use std::collections::{BTreeSet, HashMap};

use pgq_log::Severity;
use pgq_log::internals::language::{
    EVENTS, EventForm, EventWords, Form, LABELS, LANGUAGES, Language, SEVERITIES, classify,
};
use pgq_log::internals::{Label, MessageText, is_simple};

#[test]
fn no_word_has_two_meanings() {
    let mut meanings = HashMap::from([
        ("LOG".to_string(), Label::Primary(Severity::Log)),
        ("ERROR".to_string(), Label::Primary(Severity::Error)),
        ("WARNING".to_string(), Label::Primary(Severity::Warning)),
        ("HINT".to_string(), Label::Hint),
        ("FATAL".to_string(), Label::Primary(Severity::Fatal)),
        ("PANIC".to_string(), Label::Primary(Severity::Panic)),
        ("DETAIL".to_string(), Label::Detail),
        ("CONTEXT".to_string(), Label::Context),
        ("STATEMENT".to_string(), Label::Statement),
    ]);
    for language in LANGUAGES {
        let severities = language.severities.iter().zip(SEVERITIES.map(Label::Primary));
        let again = |word: &str| language.severities.iter().filter(|other| **other == word).count() > 1;
        for (word, label) in severities.chain(language.labels.iter().zip(LABELS)).filter(|(word, _)| !again(word)) {
            let word = word.trim_end_matches(':').trim_end().to_string();
            assert_eq!(*meanings.entry(word.clone()).or_insert(label), label, "{}: {word}", language.code);
        }
    }
}

/// Compares the transliterated severities with those that glibc produces in the C locale. Older versions of glibc
/// replace each letter that is not ASCII by a question mark.
#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn severities_in_ascii_are_those_of_glibc() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let words: Vec<_> = LANGUAGES.iter().flat_map(|language| language.severities.iter().zip(SEVERITIES)).collect();
    let mut command = Command::new("iconv");
    command.args(["-f", "UTF-8", "-t", "ASCII//TRANSLIT"]).env("LC_ALL", "C");
    let Ok(mut iconv) = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() else {
        println!("skipped: there is no program iconv");
        return;
    };
    let all: String = words.iter().map(|(word, _)| format!("{word}\n")).collect();
    iconv.stdin.take().unwrap().write_all(all.as_bytes()).unwrap();
    let output = iconv.wait_with_output().unwrap();
    let transliterated = String::from_utf8(output.stdout).unwrap();
    for ((word, severity), name) in
        words.into_iter().zip(transliterated.lines()).filter(|((word, _), _)| !word.is_ascii())
    {
        let known = Severity::of_known_name(name.as_bytes()).unwrap_or_else(|| panic!("{word}: {name}"));
        assert!(known == severity || name.starts_with("??"), "{word}: {name}");
    }
}

#[test]
fn every_form_is_the_first_that_matches_its_text() {
    for language in LANGUAGES {
        for (form, kind) in language.forms {
            let text = form.replace("{d}", "1.5").replace("{n}", "s1").replace("{q}", "SELECT 'a: b'");
            let found = classify(text.as_bytes()).unwrap_or_else(|| panic!("{text}"));
            let sql = |at: usize| assert_eq!(&text.as_bytes()[at..], b"SELECT 'a: b'", "{text}");
            let found_kind = match found {
                MessageText::Execution { sql: at, .. } => (sql(at), Form::Execution).1,
                MessageText::Fetch { sql: at, .. } => (sql(at), Form::Fetch).1,
                MessageText::ParseBind { sql: at, .. } => (sql(at), Form::ParseBind).1,
                MessageText::Fastpath => Form::Fastpath,
                MessageText::Duration(_) => Form::Duration,
                other => panic!("{text}: {other:?}"),
            };
            assert_eq!(found_kind, *kind, "{}: {text}", language.code);
        }
    }
}

#[test]
fn the_simple_protocol_is_recognized_in_every_language() {
    let forms = LANGUAGES.iter().flat_map(|language| language.forms).filter(|(_, kind)| *kind == Form::Execution);
    let mut words = vec!["statement: ".to_string()];
    for (form, _) in forms.clone().filter(|(form, _)| !form.contains("{n}")) {
        let heading = form.replace("{d}", "1.5").replace("{q}", "");
        assert!(is_simple(heading.as_bytes()), "{heading}");
        words.push(heading);
    }
    // The name of a prepared statement may look like a heading of the simple protocol. A heading that contains such a
    // name must still count as a heading of the extended protocol.
    let english = ["execute {n}: {q}", "duration: {d} ms  execute {n}: {q}"];
    let extended = forms.map(|(form, _)| *form).chain(english).filter(|form| form.contains("{n}"));
    for form in extended {
        for name in words.iter().map(|word| word.trim_end_matches(": ")).chain(["s1", "s1/p1", "<unnamed>"]) {
            let heading = form.replace("{d}", "1.5").replace("{n}", name).replace("{q}", "");
            assert!(!is_simple(heading.as_bytes()), "{heading}");
        }
    }
    assert!(is_simple(b"duration: 1.5 ms  statement: ") && !is_simple(b""));
}

/// Checks that pgq's translations of server messages are in the message catalogs of an installed server. Debian's
/// package postgresql has such catalogs. A language may have two translations, of which a catalog has one.
#[test]
fn the_words_are_those_of_the_catalogs() {
    let mut compared = 0;
    for code in LANGUAGES.iter().map(|language| language.code).collect::<BTreeSet<_>>() {
        let folder = format!("/usr/share/locale/{code}/LC_MESSAGES");
        let names = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        for path in names.filter(|path| path.to_string_lossy().contains("/postgres-")) {
            compared += 1;
            let bytes = std::fs::read(&path).unwrap();
            let languages = LANGUAGES.iter().filter(|language| language.code == code);
            let events = EVENTS.iter().filter(|words| words.code == code);
            let missing: Vec<_> =
                languages.zip(events).map(|(language, events)| missing_words(language, events, &bytes)).collect();
            assert!(missing.iter().any(Vec::is_empty), "{}: {missing:?}", path.display());
        }
    }
    if compared == 0 {
        println!("left out: no message catalogs of a server are installed (/usr/share/locale/*/LC_MESSAGES)");
    }
}

/// Returns the words of a translation that a message catalog lacks.
fn missing_words(language: &Language, events: &EventWords, catalog: &[u8]) -> Vec<String> {
    let has = |text: &str| memchr::memmem::find(catalog, format!("\0{text}").as_bytes()).is_some();
    let is_foreign = language.code != "en";
    let mut missing = Vec::new();
    let mut expect = |is_known: bool, word: &str| missing.extend((!is_known).then(|| word.to_string()));
    // The expected words are from several versions, whose message catalogs may translate a message differently. One
    // match suffices.
    for kind in [EventForm::TemporaryFile, EventForm::LockWait, EventForm::LockAcquired] {
        let mut forms = events.forms.iter().filter(|(of, _)| *of == kind).peekable();
        let starts = |form: &str| has(form.split_once('{').unwrap().0);
        expect(forms.peek().is_none() || forms.any(|(_, form)| starts(form)), &format!("{kind:?}"));
    }
    let texts = events.cancellations.iter().filter(|text| has(&format!("{text}\0"))).count();
    expect(texts >= 2, "cancellations");
    for form in events.portals.iter().filter(|_| is_foreign) {
        expect(has(&form.replace("{n}", "%s")), form);
    }
    for form in events.binds.iter().filter(|_| is_foreign) {
        expect(has(&form.rsplit_once("{n}").unwrap().0.replace("{n}", "%s")), form);
    }
    let [layout, no_user, _] = events.startup_errors;
    for text in [layout, no_user].into_iter().filter(|text| !EVENTS[0].startup_errors.contains(text)) {
        expect(has(text), text);
    }
    let english = ["DEBUG", "LOG", "INFO", "NOTICE", "WARNING", "ERROR", "FATAL", "PANIC"];
    for (word, english) in language.severities.iter().zip(english) {
        expect(*word == english || has(&format!("{word}\0")), word);
    }
    for label in language.labels {
        expect(has(label) || label == "BACKTRACE:", label);
    }
    for (form, _) in language.forms.iter().filter(|(form, _)| form.contains("{d}")) {
        expect(has(&format!("{}%s", form.split_once("{d}").unwrap().0)), form);
    }
    missing
}
