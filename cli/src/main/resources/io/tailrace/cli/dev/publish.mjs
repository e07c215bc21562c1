// Publishes an answer to 'tailrace dev': npm install kafkajs; node publish.mjs PROMPT ANSWER
// With --print behind them it writes the record in hexadecimal and sends nothing.
import { randomUUID } from 'node:crypto';

const api = '@API@', bootstrap = '@BOOTSTRAP@';
const model = '@MODEL@', revision = '@REVISION@', scope = '@SCOPE@';

async function tokens(text, special) {
  const asked = await fetch(`${api}/tokenize`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ model, prompt: text, add_special_tokens: special }),
  });
  return (await asked.json()).tokens;
}

function number(n) { // Avro's zig-zag varint, of numbers from 0
  const out = [];
  for (n = BigInt(n) << 1n; n > 127n; n >>= 7n) out.push(Number((n & 127n) | 128n));
  return Buffer.from([...out, Number(n)]);
}

const string = (text) => Buffer.concat([number(Buffer.byteLength(text)), Buffer.from(text)]);
const block = (ids) => (ids.length ? [number(ids.length), ...ids.map(number)] : []);
const array = (ids) => Buffer.concat([...block(ids), number(0)]);

const [prompt, answer, print] = process.argv.slice(2);
if (answer === undefined) {
  console.error('usage: publish.mjs PROMPT ANSWER');
  process.exit(1);
}
const key = randomUUID(), now = Date.now();
const record = Buffer.concat([
  Buffer.from('c301156724e1dbb3620b', 'hex'), // Generation, version 1
  ...[key, model, revision, scope, 'publish.mjs'].map(string),
  number(1), array(await tokens(prompt, true)), array(await tokens(answer, false)),
  number(now - 500), number(now), number(0), // begun, completed, no temperature
]);

if (print === '--print') {
  console.log(record.toString('hex'));
} else {
  const { Kafka, Partitioners } = (await import('kafkajs')).default;
  const producer = new Kafka({ brokers: [bootstrap] }).producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  const [sent] = await producer.send({ topic: 'generations', messages: [{ key, value: record }] });
  await producer.disconnect();
  console.log('published request', key, 'at offset', sent.baseOffset);
}
