// A thread can be stopped, and has its own limit of memory (zone-file.service.ts). Plain JavaScript, since Node itself loads it, also from the
// sources.
import { parentPort, workerData } from 'node:worker_threads'
import { parseZoneFile } from './zone-file.parser.mjs'

// Of a hundred thousand bad lines, the traces would take longer than the reading.
Error.stackTraceLimit = 0
parentPort.postMessage(parseZoneFile(workerData.content, workerData.origin, workerData.nameFields))
