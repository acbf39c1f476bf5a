import { parentPort, workerData } from 'node:worker_threads'
import { parseEnvFile } from './env-format.policy.ts'

parentPort!.postMessage(parseEnvFile(workerData as string))
