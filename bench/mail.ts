import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import { maxScannedLines } from '@panel/contract/delivery-log'
import { readDeliveries } from '../packages/server/src/infra/mail-server/delivery-lines.ts'
import { findDeliveries } from '../packages/server/src/infra/mail-server/delivery-search.ts'
import { readLastLines } from '../packages/server/src/infra/mail-server/last-lines.ts'
import { createQueueReader } from '../packages/server/src/infra/mail-server/postfix-queue-reader.ts'
import { forgedLines, longLines, usualLines } from '../packages/server/test/fixtures/mail-log.fixture.ts'
import { median, report } from './figures.ts'
import { step } from './step.ts'

const rounds = 15
const queued = 100_000

/** A search of the delivery log, and the list of a long queue: what each takes of a processor. */
export async function benchMail(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'panel-bench-'))
  try {
    await step('searching the delivery log', () => benchLog(directory))
    await step(`listing a queue of ${queued.toLocaleString('en')} messages`, benchQueue)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function benchLog(directory: string): Promise<void> {
  const path = join(directory, 'mail.log')
  const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
  const lines = usualLines(maxScannedLines)
  const hostile = [...longLines, ...forgedLines]
  const search = () => {
    const found = readLastLines(path, { lines: maxScannedLines, bytes: 16 * 2 ** 20 })
    findDeliveries(readDeliveries(found, new Date()), { offset: 0, limit: 50, domain: 'one.test' })
  }
  await writeFile(path, text(lines))
  const bare = await cpuMs(async () =>
    (await readFile(path, 'utf8')).split('\n').filter((line) => / status=/.test(line))
  )
  const rows: [string, () => Promise<void>][] = [
    [`delivery log, ${maxScannedLines} lines`, async () => {}],
    [
      '  most of them in a packed file of 20 MB',
      async () => {
        await writeFile(`${path}.20261120-000000.gz`, gzipSync(text(usualLines(130_000))))
        await writeFile(path, text(lines.slice(-1_000)))
      }
    ],
    [
      '  of strangers who did their worst, 8 kB each',
      async () => writeFile(path, text(Array.from({ length: maxScannedLines }, (_, n) => hostile[n % hostile.length]!)))
    ]
  ]
  report('  bare: read and look for " status="', `${bare.usual.toFixed(0)} ms of CPU`)
  for (const [name, prepare] of rows) {
    await prepare()
    const { first, usual } = await cpuMs(search)
    report(name, `${usual.toFixed(0)} ms of CPU`, { value: usual / bare.usual, aim: '<= 150 ms' })
    if (name === rows[0]![0]) report('  the first time', `${first.toFixed(0)} ms of CPU`)
  }
}

async function benchQueue(): Promise<void> {
  const lines = function* () {
    for (let n = 0; n < queued; n += 200) yield Array.from({ length: 200 }, (_, each) => queueLine(n + each)).join('')
  }
  const bare = await cpuMs(async () => {
    for (const text of lines()) for (const line of text.split('\n')) if (line !== '') JSON.parse(line)
  }, 3)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let peak = 0
  const { usual } = await cpuMs(async () => {
    globalThis.gc?.()
    const before = process.memoryUsage().heapUsed
    const reader = createQueueReader(50)
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().heapUsed - before)), 5)
    delay.enable()
    // As a pipe gives it, with others between.
    await pipeline(
      Readable.from(lines(), { objectMode: false }),
      async function* (source: AsyncIterable<Buffer>) {
        for await (const chunk of source) {
          yield chunk
          await new Promise((resolve) => setImmediate(resolve))
        }
      },
      reader.stream
    )
    delay.disable()
    clearInterval(watch)
    if (reader.result().total !== queued) throw new Error('messages are missing')
  }, 3)
  report(`queue, ${queued} messages`, `${usual.toFixed(0)} ms of CPU`, { value: usual / bare.usual })
  report('  longest that others wait', `${(delay.max / 1e6).toFixed(0)} ms`)
  report('  memory at most', `${(peak / 2 ** 20).toFixed(0)} MB`)
}

const queueLine = (n: number) =>
  `{"queue_name": "deferred", "queue_id": "4jX${String(n).padStart(7, '0')}zXRwJ", "arrival_time": ${1_795_422_392 - (n % 9_973)}, "message_size": ${600 + (n % 50_000)}, "forced_expire": false, "sender": "ann${n % 97}@one.test", "recipients": [{"address": "bob${n}@example.net", "delay_reason": "connect to mx.example.net[192.0.2.25]:25: Connection timed out"}]}\n`

async function cpuMs(work: () => unknown, times = rounds): Promise<{ first: number; usual: number }> {
  const all: number[] = []
  for (let round = 0; round < times; round++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    all.push((user + system) / 1000)
  }
  return { first: all[0]!, usual: median(all) }
}
