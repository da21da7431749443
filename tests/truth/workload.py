"""The actions of a round's clients. Each action returns the number of its completed statements, counted as in a log."""

import random
import threading
import time

from protocol import Connection, bind, execute, parse

SETUP = """
CREATE TABLE IF NOT EXISTS t (id int PRIMARY KEY, v int);
TRUNCATE t;
INSERT INTO t SELECT n, n % 7 FROM generate_series(1, 3000) n;
CREATE OR REPLACE FUNCTION outer_one(n int) RETURNS bigint LANGUAGE plpgsql AS
    $$ DECLARE c bigint; BEGIN SELECT count(*) INTO c FROM t WHERE id < n; PERFORM pg_sleep(0.002); RETURN c; END $$;
ANALYZE t;
"""


class Client:
    """A session with its own random numbers."""

    def __init__(self, path, seed):
        self.random = random.Random(seed)
        self.path = path
        self.calls = 0
        self.connection = Connection(path, "app", "shop", f"client {seed % 10}")
        self.prepared = 0

    def simple(self, sql):
        succeeds = self.connection.simple(sql)
        self.calls += succeeds
        return succeeds

    def extended(self, *messages, calls=1):
        self.calls += calls if self.connection.extended(*messages) else 0

    def quick(self):
        self.simple(f"SELECT v FROM t WHERE id = {self.random.randrange(3000)}")

    def slow(self):
        self.simple(f"SELECT pg_sleep({self.random.uniform(0.01, 0.08):.3f})")

    def several(self):
        self.simple("SELECT 1; SELECT 2; SELECT 3")

    def fails(self):
        sql = ["SELECT 1/(id-7) FROM t", "SELEC 1", "SELECT nothing FROM t", "SELECT * FROM nowhere", "INSERT INTO t VALUES (1, 1)"]
        self.simple(self.random.choice(sql))

    def parameters(self):
        self.extended(parse("SELECT 10/$1::int"), bind([str(self.random.randrange(1, 9))]), execute())

    def fails_at_parse(self):
        self.extended(parse("SELECT $1::int FROM nowhere"), bind(["1"]), execute())

    def fails_at_bind(self):
        self.extended(parse("SELECT 10/$1::int"), bind(["abc"]), execute())

    def fails_at_execute(self):
        self.extended(parse("SELECT count(1/(id-$1::int)) FROM t"), bind(["77"]), execute())

    def named(self):
        self.prepared += 1
        name = f"s{self.prepared}"
        self.connection.extended(parse("SELECT count(*) FROM t WHERE id > $1::int", name))
        for _ in range(3):
            self.extended(bind([str(self.random.randrange(3000))], name), execute())

    def pipeline(self):
        one = [parse("SELECT v FROM t WHERE id = $1::int"), bind(["5"]), execute()]
        self.extended(*one, *one, *one, calls=3)

    def portal(self):
        self.simple("BEGIN")
        self.extended(parse("SELECT * FROM t WHERE id < $1::int", "p"), bind(["400"], "p", "C_1"), execute("C_1", 50))
        for _ in range(self.random.randrange(1, 4)):
            self.connection.extended(execute("C_1", 50))
            if self.random.random() < 0.5:
                self.quick()
        self.simple("COMMIT")
        self.connection.extended((b"C", b"Sp\0"))

    def cursor(self):
        for sql in ["BEGIN", "DECLARE c CURSOR FOR SELECT * FROM t ORDER BY v", "FETCH 5 FROM c", "FETCH 5 FROM c", "COMMIT"]:
            self.simple(sql)

    def sql_prepare(self):
        self.simple("PREPARE q (int) AS SELECT count(*) FROM t WHERE id < $1")
        for sql in ["EXECUTE q(7)", "EXPLAIN ANALYZE EXECUTE q(8)", "CREATE TEMP TABLE ct AS EXECUTE q(9)", "DROP TABLE ct", "DEALLOCATE q"]:
            self.simple(sql)

    def function(self):
        self.simple(f"SELECT outer_one({self.random.randrange(3000)})")

    def timeout(self):
        self.simple("SET statement_timeout = 15")
        self.simple("SELECT pg_sleep(5)")
        # On a busy machine, this statement may be canceled, too.
        while not self.simple("RESET statement_timeout"):
            pass

    def sort(self):
        self.simple("SELECT count(*) FROM (SELECT * FROM t, generate_series(1, 8) ORDER BY v, id) s")

    def parallel(self):
        for sql in ["SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0", "SELECT count(*) FROM t"]:
            self.simple(sql)
        self.extended(parse("SELECT count(1/(id-$1::int)) FROM t"), bind(["1500"]), execute())

    def lock(self):
        other = Connection(self.path, "app", "shop", "locker")
        calls = other.simple("BEGIN") + other.simple("UPDATE t SET v = v WHERE id = 1")
        if self.random.random() < 0.5:
            self.simple("SET lock_timeout = 25")
            self.simple("UPDATE t SET v = v WHERE id = 1")
            self.simple("RESET lock_timeout")
            calls += other.simple("COMMIT")
        else:
            waiter = threading.Thread(target=self.simple, args=("UPDATE t SET v = v WHERE id = 1",))
            waiter.start()
            time.sleep(0.05)
            calls += other.simple("COMMIT")
            waiter.join()
        self.calls += calls
        other.close()

    def refused(self):
        Connection(self.path, "app", "nowhere", "x").close()

    def run(self, actions):
        for _ in range(actions):
            self.random.choice(ACTIONS)(self)
        self.connection.close()


ACTIONS = [
    Client.quick, Client.quick, Client.quick, Client.slow, Client.several, Client.fails, Client.parameters,
    Client.fails_at_parse, Client.fails_at_bind, Client.fails_at_execute, Client.named, Client.pipeline,
    Client.portal, Client.cursor, Client.sql_prepare, Client.function, Client.timeout, Client.sort, Client.parallel,
    Client.lock, Client.refused,
]


def run(path, seed):
    """Runs clients at the same time. Returns the number of completed statements."""
    chosen = random.Random(seed)
    clients = [Client(path, seed * 100 + index) for index in range(chosen.randrange(1, 5))]
    threads = [threading.Thread(target=client.run, args=(chosen.randrange(5, 25),)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(client.calls for client in clients)
