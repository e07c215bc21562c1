// Usage: npm install && node producer.mjs HOST:PORT [TOPIC]
// With --print instead of HOST:PORT it writes the record in hexadecimal and sends nothing.
import { Kafka, Partitioners } from 'kafkajs';
import { encode } from './generation.mjs';

const [bootstrap, topic = 'generations'] = process.argv.slice(2);
if (!bootstrap) {
  console.error('usage: node producer.mjs HOST:PORT [TOPIC]   (or --print)');
  process.exit(2);
}
const completedAt = bootstrap === '--print' ? 1767225600500 : Date.now();
const generation = {
  requestId: 'node-example-1',
  lane: { model: 'meta-llama/Llama-3.1-8B-Instruct', revision: 'main', scope: 'acme' },
  producer: 'gateway-7',
  prompt: null,                              // or the prompt's token ids
  response: [791, 4320, 374, 220, 2983, 13, 128009],
  startedAt: completedAt - 500,
  completedAt,
  temperature: 0,
};

if (bootstrap === '--print') {
  console.log(encode(generation).toString('hex'));
} else {
  const kafka = new Kafka({ clientId: 'tailrace-example', brokers: [bootstrap] });
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    createPartitioner: Partitioners.DefaultPartitioner, // the Java client's: one key, one partition
  });
  await producer.connect();
  const [written] = await producer.send({
    topic,
    acks: -1,
    messages: [{ key: generation.requestId, value: encode(generation) }],
  });
  await producer.disconnect();
  console.log(`${topic}-${written.partition} offset ${written.baseOffset}`);
}
