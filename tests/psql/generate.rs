//! Generates scripts with every meta-command of psql at every possible position.

use fastrand::Rng;

/// Meta-commands that leave the statement open. They do not prompt, do not run programs and do not write files.
const NEUTRAL: [&str; 34] = [
    "\\a",
    "\\C 'ti;tle'",
    "\\cd .",
    "\\conninfo",
    "\\copyright",
    "\\d t",
    "\\dt+ public.*",
    "\\echo it''s ; 'quo;ted' \"a;b\"",
    "\\qecho -- no comment /*",
    "\\warn :nosuch",
    "\\encoding UTF8",
    "\\errverbose",
    "\\f ';'",
    "\\H",
    "\\html",
    "\\i /dev/null",
    "\\ir /dev/null",
    "\\l",
    "\\list+",
    "\\o",
    "\\p",
    "\\print",
    "\\pset null ';'",
    "\\set x 'a;b'",
    "\\unset x",
    "\\setenv PGQ_TEST 1",
    "\\t off",
    "\\T",
    "\\timing off",
    "\\w /dev/null",
    "\\x",
    "\\z t",
    "\\dn",
    "\\s /dev/null",
];

/// Meta-commands whose argument is the rest of the line.
const WHOLE_LINE: [&str; 5] = ["\\! true ; 'x", "\\h SELECT ; '", "\\nosuch ; \\\\ SELECT", "\\sf nosuch()", "\\help"];

/// Meta-commands that send the statement.
const SENDING: [&str; 9] = [
    "\\g",
    "\\gx",
    "\\g /dev/null",
    "\\g | cat >/dev/null ; '",
    "\\g (format=csv)",
    "\\gset",
    "\\gset p_",
    "\\gexec",
    "\\crosstabview",
];

const DATA: [&str; 6] = ["1\tit's", "a \"quote", "-- no comment", "/* nor this", "$$ ;", "\\N\t\\\\"];

/// Returns a script whose meta-commands exist in psql's major version `version`.
pub fn script(rng: &mut Rng, version: u32) -> String {
    let mut generator = Generator { rng, version, script: String::new(), number: 0 };
    for _ in 0..generator.rng.usize(3..20) {
        generator.item(0);
    }
    if generator.rng.u8(..4) == 0 {
        generator.push("SELECT 'last'\n\\q\nSELECT 'never';\n");
    }
    generator.script
}

struct Generator<'r> {
    rng: &'r mut Rng,
    version: u32,
    script: String,
    number: u32,
}

impl Generator<'_> {
    fn push(&mut self, text: &str) {
        self.script += text;
    }

    fn choose<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.rng.usize(..from.len())]
    }

    /// Returns the start of a unique statement.
    fn statement(&mut self) -> String {
        self.number += 1;
        let number = self.number;
        match self.rng.u8(..8) {
            0 => format!("SELECT '{number}; \\r ''', \"a;b\", E'\\'; '"),
            1 => format!("DO $x$ {number}; 'open $x$"),
            2 => format!("/* ; */ SELECT {number} -- it's ;\n, 2"),
            3 => format!(
                "CREATE FUNCTION f{number}() RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN a THEN 2 END; END"
            ),
            4 => format!("CREATE RULE r{number} AS ON INSERT TO t DO (SELECT 1; SELECT 2)"),
            5 => format!("SELECT\n{number} FROM (SELECT a[1\\:2]) AS t"),
            _ => format!("SELECT {number}"),
        }
    }

    fn lines_of_data(&mut self) {
        for _ in 0..self.rng.usize(..4) {
            let line = self.choose(&DATA);
            self.push(line);
            self.push("\n");
        }
        self.push("\\.\n");
    }

    fn item(&mut self, depth: usize) {
        let statement = self.statement();
        self.push(&statement);
        // In an `\if` block, choose only items that end the statement. The reason is that psql also scans inactive
        // branches. An unfinished statement in such a branch would change the meaning of the text after the block.
        let kind = if depth > 0 { [0, 1, 2, 7][self.rng.usize(..4)] } else { self.rng.u8(..18) };
        match kind {
            0 | 1 => self.push(";\n"),
            2 => self.push("; SELECT 'same line'; "),
            3 => {
                let command = self.choose(&SENDING);
                self.push(&format!(" {command}\n"));
            }
            4 => self.push(" \\gdesc\n"),
            5 => self.push(" \\r\n"),
            6 => self.push("\n\\reset \\\\ SELECT 'kept';\n"),
            7 => self.push(" \\; SELECT 'joined';\n"),
            8 => self.push(" \\; SELECT 'dropped' \\r SELECT 'not an argument'\n;\n"),
            9 => {
                let command = self.choose(&NEUTRAL);
                self.push(&format!(" {command}\n + 1;\n"));
            }
            10 => {
                // Do not use `\d t`: this command fails in the test, and psql then drops the rest of the line.
                let mut command = self.choose(&NEUTRAL);
                while command == "\\d t" {
                    command = self.choose(&NEUTRAL);
                }
                self.push(&format!(";\n{command} \\\\ SELECT 'behind';\n"));
            }
            11 => {
                let command = self.choose(&WHOLE_LINE);
                self.push(&format!(" {command}\n;\n"));
            }
            12 => {
                self.push("; COPY t FROM stdin; SELECT 'before the data';\n");
                self.lines_of_data();
            }
            13 => {
                self.push(" \\; COPY t FROM stdin \\; COPY u(a, \"from\") FROM STDIN (FORMAT csv) \\g\n");
                self.lines_of_data();
                self.lines_of_data();
            }
            14 => {
                self.push(";\n\\copy t (a) from stdin csv\n");
                self.lines_of_data();
            }
            15 => {
                let [first, second] = if self.rng.bool() { ["true", "0"] } else { ["f", "on"] };
                self.push(&format!(
                    "\n\\if {first}\n + 1\n\\elif {second}\n + 2 ') ;\n'\n\\else\n + 3\n\\if 1\n + 4\n\\endif\n\\endif\n;\n"
                ));
            }
            16 if depth < 2 => {
                self.push(";\n\\if 0\n");
                self.item(depth + 1);
                self.push("\\else\n");
                self.item(depth + 1);
                self.push("\\endif\n");
            }
            17 if self.version >= 16 => self.push(" \\bind 1 'a;' \\g\n"),
            17 => self.push("\n\\watch 0.01\n"),
            _ => self.push(";\n;\n"),
        }
    }
}
