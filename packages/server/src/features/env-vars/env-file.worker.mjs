// dotenv's one regular expression takes quadratic time on hostile text, so it runs where it can be stopped (env-file.service.ts).
// Plain JavaScript, since a worker thread is loaded by Node itself, also from the sources.
import { parentPort, workerData } from 'node:worker_threads'
import { parse } from 'dotenv'

// dotenv assigns to a plain object, which would lose this one key.
let standIn = '_proto_'
while (workerData.includes(standIn)) standIn += '_'
const restored = (text) => text.replaceAll(standIn, '__proto__')
const entries = Object.entries(parse(workerData.replaceAll('__proto__', standIn)))
parentPort.postMessage(entries.map(([key, value]) => ({ key: restored(key), value: restored(value) })))
