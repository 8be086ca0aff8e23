"""Cleans, filters and removes near-duplicates of web archives with datatrove's local
executor, one task at a time: what rival.sh measures chaffinch against.

  executor.py FOLDER-OF-WARCS OUT
"""

import os
import sys

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupFilter, MinhashDedupSignature
from datatrove.pipeline.dedup.minhash import MinhashConfig
from datatrove.pipeline.extractors import Trafilatura
from datatrove.pipeline.filters import GopherQualityFilter, GopherRepetitionFilter
from datatrove.pipeline.readers import JsonlReader, WarcReader
from datatrove.pipeline.writers import JsonlWriter
from datatrove.utils.hashing import HashConfig


def main():
    source, out = sys.argv[1:]
    config = MinhashConfig(hash_config=HashConfig(hash_fc="sha1", precision=64))
    at = {name: os.path.join(out, name) for name in ("clean", "signatures", "buckets", "remove", "kept")}
    steps = [
        # A limit of time that a busy machine does not reach, so that no page is given up.
        [WarcReader(source), Trafilatura(favour_precision=True, timeout=60), GopherRepetitionFilter(), GopherQualityFilter(), JsonlWriter(at["clean"])],
        [JsonlReader(at["clean"]), MinhashDedupSignature(output_folder=at["signatures"], config=config)],
        [MinhashDedupBuckets(input_folder=at["signatures"], output_folder=at["buckets"], config=config)],
        [MinhashDedupCluster(input_folder=at["buckets"], output_folder=at["remove"], config=config)],
        [JsonlReader(at["clean"]), MinhashDedupFilter(input_folder=at["remove"]), JsonlWriter(at["kept"])],
    ]
    for i, pipeline in enumerate(steps):
        tasks = config.num_buckets if i == 2 else 1
        LocalPipelineExecutor(pipeline=pipeline, tasks=tasks, workers=1, logging_dir=os.path.join(out, f"log-{i}")).run()


if __name__ == "__main__":
    main()
