// In a thread: parses untrusted data.
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { readReports } from './report-files.ts'

setPriority(10)
parentPort!.postMessage(await readReports(Buffer.from(workerData as Uint8Array)))
