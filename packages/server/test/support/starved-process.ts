import { spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { startDaemon } from '../../src/infra/process/daemon.ts'
import { run } from '../../src/infra/process/run.ts'
import { spawnStream } from '../../src/infra/process/stream.ts'
import { runInWorkerThread } from '../../src/infra/worker-thread/worker-thread.ts'
import { installCrashHandler } from '../../src/process/crash-handler.ts'

// Exhausts file descriptors, as under a connection flood, then reports what still works. `defect` ends with an uncaught
// error.
installCrashHandler(pino({ level: 'silent' }))
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: Error) => `${error.name}: ${error.message}`
  )
const runTrue = () => outcome(run(['true'], { timeoutMs: 10_000, input: 'x' }))
const script = new URL('data:text/javascript,')
const before = await runTrue()

const held: Awaited<ReturnType<typeof open>>[] = []
for (let file; (file = await open('/dev/null', 'r').catch(() => undefined));) held.push(file)
const starved = {
  run: await runTrue(),
  stream: await outcome(spawnStream(['true'], { timeoutMs: 10_000, env: {}, maxBytes: 10 }).toArray()),
  worker: await outcome(runInWorkerThread(script, {}, 10_000))
}
spawn('true')
await sleep(50)

for (const file of held) await file.close()
const after = {
  run: await runTrue(),
  daemon: await outcome(startDaemon(['true'], { logPath: '/dev/null', env: {} }))
}
process.stdout.write(JSON.stringify({ before, starved, after }))
if (process.argv[2] === 'defect') setTimeout(() => JSON.parse('{'))
else process.exit()
