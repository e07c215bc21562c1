"""Publishes an answer to 'tailrace dev': python3 publish.py PROMPT ANSWER, where kafka-python is installed

With --print behind them it writes the record in hexadecimal and sends nothing."""
import json
import sys
import time
import urllib.request
import uuid

API, BOOTSTRAP = "@API@", "@BOOTSTRAP@"
MODEL, REVISION, SCOPE = "@MODEL@", "@REVISION@", "@SCOPE@"


def tokens(text, special):
    body = json.dumps({"model": MODEL, "prompt": text, "add_special_tokens": special}).encode()
    request = urllib.request.Request(API + "/tokenize", body, {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request))["tokens"]


def number(n):  # Avro's zig-zag varint, of numbers from 0
    n, out = n << 1, bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out + bytes([n]))


def string(text):
    return number(len(text.encode())) + text.encode()


def array(ids):
    block = number(len(ids)) + b"".join(map(number, ids)) if ids else b""
    return block + number(0)


if len(sys.argv) < 3:
    sys.exit("usage: publish.py PROMPT ANSWER")
prompt, answer = sys.argv[1:3]
key, now = str(uuid.uuid4()), int(time.time() * 1000)
record = bytes.fromhex("c301156724e1dbb3620b")  # Generation, version 1
record += b"".join(map(string, [key, MODEL, REVISION, SCOPE, "publish.py"]))
record += number(1) + array(tokens(prompt, True)) + array(tokens(answer, False))
record += number(now - 500) + number(now) + number(0)  # begun, completed, no temperature

if "--print" in sys.argv:
    print(record.hex())
else:
    from kafka import KafkaProducer

    sent = KafkaProducer(bootstrap_servers=BOOTSTRAP).send("generations", record, key.encode()).get(10)
    print("published request", key, "at offset", sent.offset)
