"""upload.py ENDPOINT FILE: makes the buckets crawls and corpora, and stores the file as crawls/pages.warc.gz."""

import sys
import time

import boto3
from botocore.exceptions import EndpointConnectionError

client = boto3.client("s3", endpoint_url=sys.argv[1])
for attempt in range(30):  # the server may still start
    try:
        client.create_bucket(Bucket="crawls")
        break
    except EndpointConnectionError:
        time.sleep(1)
client.create_bucket(Bucket="corpora")
client.upload_file(sys.argv[2], "crawls", "pages.warc.gz")
