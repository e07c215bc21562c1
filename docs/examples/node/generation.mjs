// A generation to the bytes that topic `generations` takes: Avro single-object encoding.
import { readFileSync } from 'node:fs';
import avro from 'avsc';

const schemas = new URL('../../../schemas/src/main/resources/io/tailrace/schemas/versions/', import.meta.url);
const type = avro.Type.forSchema(JSON.parse(readFileSync(new URL('Generation-1.avsc', schemas))));

// Marker C3 01, then the CRC-64-AVRO fingerprint of Generation, version 1, little-endian.
const header = Buffer.from('c301156724e1dbb3620b', 'hex');

export function encode(generation) {
  return Buffer.concat([header, type.toBuffer(generation)]);
}
