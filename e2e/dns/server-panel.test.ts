import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dnsServerPaths } from '../../packages/server/src/process/paths.ts'
import { knotPaths } from '../../packages/server/src/infra/dns-server/knot-paths.ts'
import { findProcesses } from '../../packages/server/src/infra/process/find-processes.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { startCommand } from '../support/command.ts'
import { type RunningPanel, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { ask } from './server.harness.ts'

let panel: RunningPanel
beforeAll(async () => {
  panel = await startPanel({ PUBLIC_IP: '192.0.2.1', DNS_SECONDARIES: '192.0.2.53' })
})
afterAll(() => panel?.dispose())

const paths = async () => knotPaths(await dnsServerPaths({ DATA_DIR: panel.dataDir }))
const pids = async () => [...(await findProcesses('knotd', (await paths()).config)).keys()]
const health = async () =>
  ((await (await fetch(`${panel.url}/api/health`)).json()) as { parts: Record<string, { status: string }> }).parts
    .nameServer?.status
const status = async () => (await ask({ address: '127.0.0.1', port: panel.dnsPort }, 'unknown.test', 'A')).status
const environment = () => ({ DATA_DIR: panel.dataDir, PUBLIC_IP: '192.0.2.1', DNS_PORT: String(panel.dnsPort) })

test('the name server is up before the panel is ready and part of its health', async () => {
  expect(await status()).toBe('REFUSED')
  expect(await health()).toBe('ok')
  const doctor = startCommand(['doctor'], environment())
  await doctor.ended
  expect(doctor.stdout()).toMatch(/^Name server +yes +3\.\S+ +yes +yes *$/m)
})

test('the secondary configuration contains the key and is accepted by Knot', async () => {
  const printing = startCommand(['dns', 'secondary'], environment())
  expect(await printing.ended).toEqual({ code: 0, signal: null })
  const secret = (text: string) => /secret: "(.+)"/.exec(text)?.[1]
  expect(secret(printing.stdout())).toMatch(/=$/)
  expect(secret(printing.stdout())).toBe(secret(await readFile((await paths()).config, 'utf8')))
  expect(printing.stdout()).toContain(`address: "192.0.2.1@${panel.dnsPort}"`)
  const directory = await mkdtemp(join(tmpdir(), 'dns-printed-'))
  const file = join(directory, 'knot.conf')
  await writeFile(file, printing.stdout())
  await run(['knotc', '-c', file, 'conf-check'], { timeoutMs: 30_000 })
  await rm(directory, { recursive: true })
})

test('it survives a panel crash, is adopted, restarted if it dies, and stops with the panel', async () => {
  const before = await pids()
  expect(before).toHaveLength(1)
  await panel.kill()
  expect(await status()).toBe('REFUSED')
  await panel.start()
  expect(await pids()).toEqual(before)
  process.kill(before[0]!, 'SIGKILL')
  await until(status, (answer) => answer === 'REFUSED')
  expect(await pids()).not.toEqual(before)
  await panel.stop()
  expect(await pids()).toEqual([])
})

test('an occupied port blocks nothing else and is retried', async () => {
  await panel.stop()
  const taken = createServer().listen(panel.dnsPort, '127.0.0.1')
  await once(taken, 'listening')
  await panel.start()
  expect(panel.output()).toMatch(/continues without the name server.*address already in use/)
  expect(await health()).toBe('unreachable')
  await new Promise((resolve) => taken.close(resolve))
  await until(status, (answer) => answer === 'REFUSED')
  await until(health, (found) => found === 'ok')
})
