import { pino } from 'pino'
import { openDatabase } from '../../src/db/database.ts'
import { createJobQueue } from '../../src/infra/job-queue/pg-boss-queue.ts'

// Works on a queue until killed: prints each started job and never completes one.
const [connectionString, retryLimit, pollIntervalMs] = process.argv.slice(2)
const db = openDatabase(connectionString!, () => {})
const jobs = await createJobQueue({
  connectionString: connectionString!,
  db,
  queues: ['projects.purge'],
  logger: pino({ level: 'silent' }),
  pollIntervalMs: Number(pollIntervalMs)
})
await jobs.work(
  'projects.purge',
  { concurrency: 2, timeoutSeconds: 600, retryLimit: Number(retryLimit) },
  async (data) => {
    process.stdout.write(`${JSON.stringify(data)}\n`)
    await new Promise(() => {})
  }
)
process.stdout.write('ready\n')
setInterval(() => {}, 60_000)
