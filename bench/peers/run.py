"""Times one recall over 500 memories in stores that people use from Python.

The same sentences and the same vectors go to every peer. Vectors are looked up in a dictionary, so no
embedding is timed. Nothing is fetched and nothing listens: the peers run in this process, their files
lie in a temporary folder. How to run it and how to read it: README.md.
"""

import argparse
import contextlib
import importlib.metadata
import json
import os
import pathlib
import platform
import random
import sqlite3
import statistics
import sys
import tempfile
import time

# One core for everybody, and no tracing; both are read when the packages below are imported.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
for variable in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"):
    os.environ[variable] = "false"

if not hasattr(sqlite3.Connection, "enable_load_extension"):
    try:
        import pysqlite3 as sqlite3
    except ImportError:
        sys.exit(
            "This Python's sqlite3 cannot load extensions, which sqlite-vec needs. "
            "Install requirements.txt, or use a Python built with --enable-loadable-sqlite-extensions."
        )
    # LangGraph imports `sqlite3` by its name.
    sys.modules["sqlite3"] = sqlite3

import numpy
import sqlite_vec
from langgraph.store.base import PutOp
from langgraph.store.memory import InMemoryStore
from langgraph.store.sqlite import SqliteStore

ITEMS = 500
DIMENSIONS = 384
K = 5
SEED = 20240301
NAMESPACE = ("memories", "alice")
OURS = "recall over 500, warm"

WHO = ["Alice", "Her sister", "The landlord", "Our choir", "The new colleague", "Her dentist", "The neighbour", "Bob"]
DID = ["moved", "promised", "cancelled", "prefers", "painted", "repaired", "recommended", "forgot", "ordered", "planned"]
WHAT = ["the green bicycle", "a cello lesson", "the trip to the coast", "a gluten-free cake", "the garden shed"]
WHAT += ["the quarterly report", "a pair of climbing shoes", "the piano tuner", "an apartment with a balcony"]
WHEN = ["on a rainy Tuesday", "after the summer holidays", "before the concert", "early in March", "last weekend"]
WHY = ["because the old one was too small for it", "although nobody had asked about it", "and told everyone at dinner"]


class Fixture:
    """Sentences of about 120 characters and their unit vectors; queries are items with noise."""

    def __init__(self, queries):
        words, numbers = random.Random(SEED), numpy.random.default_rng(SEED)
        self.texts = [self._sentence(words, at) for at in range(ITEMS)]
        self.vectors = self._unit(numbers.standard_normal((ITEMS, DIMENSIONS)))
        near = words.choices(range(ITEMS), k=queries)
        noise = self._unit(numbers.standard_normal((queries, DIMENSIONS)))
        self.queries = [f"What about number {at}, asked in round {turn}?" for turn, at in enumerate(near)]
        self.query_vectors = self._unit(self.vectors[near] + noise)
        known = zip(self.texts + self.queries, [*self.vectors, *self.query_vectors], strict=True)
        self._lists = {text: vector.tolist() for text, vector in known}

    def embed(self, texts):
        """What LangGraph calls for items and queries: a lookup."""
        return [self._lists[text] for text in texts]

    def exact(self):
        """The right answers, by one matrix product."""
        return numpy.argsort(-(self.query_vectors @ self.vectors.T), axis=1)[:, :K].tolist()

    @staticmethod
    def _sentence(words, at):
        parts = [words.choice(part) for part in (WHO, DID, WHAT, WHEN, WHY)]
        return f"{' '.join(parts)}, as noted under number {at}."

    @staticmethod
    def _unit(vectors):
        return (vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)).astype(numpy.float32)


class LangGraph:
    """A LangGraph store with its vector index on, filled through its own batch call."""

    def __init__(self, fixture, store):
        self.fixture, self.store = fixture, store
        store.batch([PutOp(NAMESPACE, str(at), {"text": text}) for at, text in enumerate(fixture.texts)])

    def recall(self, at):
        return self.store.search(NAMESPACE, query=self.fixture.queries[at], limit=K)

    def ids(self, found):
        return [int(item.key) for item in found]


class SqliteVec:
    """A vec0 table joined to a table of texts, in a file or in memory."""

    KNN = """
        SELECT memory.id, memory.text, near.distance
        FROM (SELECT rowid, distance FROM vectors WHERE embedding MATCH ? AND k = ?) AS near
        JOIN memory ON memory.id = near.rowid
        ORDER BY near.distance
    """

    def __init__(self, fixture, file):
        self.fixture = fixture
        self.db = sqlite3.connect(file)
        self.db.enable_load_extension(True)
        sqlite_vec.load(self.db)
        self.db.enable_load_extension(False)
        self.db.execute("CREATE TABLE memory (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        self.db.execute(f"CREATE VIRTUAL TABLE vectors USING vec0(embedding float[{DIMENSIONS}])")
        self.db.executemany("INSERT INTO memory VALUES (?, ?)", enumerate(fixture.texts))
        rows = ((at, vector.tobytes()) for at, vector in enumerate(fixture.vectors))
        self.db.executemany("INSERT INTO vectors (rowid, embedding) VALUES (?, ?)", rows)
        self.db.commit()

    def recall(self, at):
        return self.db.execute(self.KNN, (self.fixture.query_vectors[at].tobytes(), K)).fetchall()

    def ids(self, found):
        return [row[0] for row in found]


def main():
    options = arguments()
    fixture = Fixture(options.queries)
    # InMemoryStore reads `fields`; SqliteStore 3.1 documents it and reads `text_fields`.
    index = {"dims": DIMENSIONS, "embed": fixture.embed, "fields": ["text"], "text_fields": ["text"]}
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sqlite_store = stack.enter_context(SqliteStore.from_conn_string(str(folder / "langgraph.db"), index=index))
        sqlite_store.setup()
        peers = {
            "LangGraph InMemoryStore": LangGraph(fixture, InMemoryStore(index=index)),
            "LangGraph SqliteStore": LangGraph(fixture, sqlite_store),
            "sqlite-vec": SqliteVec(fixture, folder / "vec.db"),
            "sqlite-vec in memory": SqliteVec(fixture, ":memory:"),
        }
        stack.callback(peers["sqlite-vec"].db.close)
        times = measure(peers, options)
        right = {name: agreement(peer, fixture) for name, peer in peers.items()}
    rows = [row(name, times[name], right[name]) for name in peers]
    report = {"name": "peers", "rows": rows, "setting": setting(fixture, options)}
    show(report, ours(options.myosotis) if options.myosotis else None)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--queries", type=int, default=300, help="different queries a round (200 to 5,000; default 300)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds over all peers in turn (1 to 20; default 3)")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the figures there too")
    parser.add_argument("--myosotis", type=pathlib.Path, metavar="BENCH_JSON", help="recall.json of `cargo xtask bench recall`, for the ratios")
    options = parser.parse_args()
    if not 200 <= options.queries <= 5_000:
        parser.error("--queries takes 200 to 5000")
    if not 1 <= options.rounds <= 20:
        parser.error("--rounds takes 1 to 20")
    return options


def measure(peers, options):
    """Microseconds of every query. The peers take turns, so that a busy moment hits them alike."""
    times = {name: [] for name in peers}
    for turn in range(options.rounds + 1):
        for name, peer in peers.items():
            for at in range(options.queries):
                start = time.perf_counter_ns()
                peer.recall(at)
                spent = time.perf_counter_ns() - start
                if turn > 0:  # The first round warms up.
                    times[name].append(spent / 1_000)
    return times


def agreement(peer, fixture):
    """Share of the exact first five that the peer returns: a fast wrong answer is no answer."""
    hits = [len(set(peer.ids(peer.recall(at))) & set(right)) for at, right in enumerate(fixture.exact())]
    return sum(hits) / (K * len(hits))


def row(name, times, right):
    cuts = statistics.quantiles(times, n=100)
    return {
        "what": f"{name}, recall over {ITEMS}, warm",
        "value": round(statistics.median(times), 1),
        "unit": "us p50",
        "p95": round(cuts[94], 1),
        "least": round(min(times), 1),
        "queries": len(times),
        "right": round(right, 4),
    }


def setting(fixture, options):
    packages = ["langgraph-checkpoint", "langgraph-checkpoint-sqlite", "numpy", "sqlite-vec"]
    return {
        "items": ITEMS,
        "dimensions": DIMENSIONS,
        "k": K,
        "seed": SEED,
        "queries": options.queries,
        "rounds": options.rounds,
        "characters": round(statistics.mean(map(len, fixture.texts)), 1),
        "python": platform.python_version(),
        "sqlite": f"{sqlite3.sqlite_version} ({sqlite3.__name__})",
        "packages": {name: importlib.metadata.version(name) for name in packages},
    }


def ours(file):
    """Our own median in microseconds, from the bench's JSON."""
    rows = json.loads(file.read_text(encoding="utf-8"))["rows"]
    found = next((row for row in rows if row["what"] == OURS), None)
    if found is None:
        sys.exit(f"{file} has no row {OURS!r}; write it with `cargo xtask bench recall`")
    if not found["unit"].startswith("us"):
        sys.exit(f"the row {OURS!r} is in {found['unit']!r}, expected microseconds")
    if found["value"] <= 0:
        sys.exit(f"the row {OURS!r} says {found['value']}, expected more than 0")
    return found["value"]


def show(report, mine):
    last = "  x ours" if mine else ""
    print(f"{'peer':<48}{'p50 us':>10}{'p95 us':>10}{'right':>8}{last}")
    for row in report["rows"]:
        ratio = f"{row['value'] / mine:>8.1f}" if mine else ""
        print(f"{row['what']:<48}{row['value']:>10.1f}{row['p95']:>10.1f}{row['right']:>8.3f}{ratio}")
    if mine:
        print(f"{'Myosotis, ' + OURS:<48}{mine:>10.1f}")
    setting = report["setting"]
    packages = ", ".join(f"{name} {version}" for name, version in setting["packages"].items())
    print(f"\nPython {setting['python']}, SQLite {setting['sqlite']}, {packages}")


if __name__ == "__main__":
    main()
