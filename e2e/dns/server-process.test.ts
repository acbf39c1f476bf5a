import { appendFile, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { zoneText } from '../../packages/server/test/contracts/dns-server.contract.ts'
import type { DnsServer } from '../../packages/server/src/infra/dns-server/dns-server.ts'
import type { Run } from '../../packages/server/src/infra/process/process.ts'
import { kill } from '../support/processes.ts'
import { answerOf, eventually, startKnot, startTestKnot, stopKnot, type TestKnot, watchKnot } from './server.harness.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'

let environment: TestKnot
let server: DnsServer
beforeAll(async () => {
  environment = await startTestKnot()
  server = environment.newClient()
})
afterAll(() => environment?.close())
beforeEach(async () => {
  await server.putZone('shop.test', zoneText('shop.test', '192.0.2.1'))
  await server.setZones([{ name: 'shop.test', isSigned: false }])
})
afterEach(async () => {
  await startKnot(environment.options)
})

test('a running one with this configuration is adopted', async () => {
  expect(await startKnot(environment.options)).toMatchObject({ pid: await environment.pid(), outcome: 'adopted' })
})

test('started by root, it drops to its own user, which can write only its databases', async ({ skip }) => {
  if (process.getuid?.() !== 0) return skip('not root')
  const status = await readFile(`/proc/${await environment.pid()}/status`, 'utf8')
  expect(status).not.toMatch(/^Uid:.*\t0\b/m)
  const { config, zones, catalog, directory, database, runtimeDirectory, log } = environment.paths
  for (const path of [config, zones, catalog, directory, log]) {
    const { uid, mode } = await stat(path)
    expect([uid, mode & 0o027]).toEqual([0, 0])
  }
  for (const path of [database, runtimeDirectory]) expect((await stat(path)).mode & 0o077).toBe(0)
})

test('a new configuration takes effect with all zones', async () => {
  const port = await freePort()
  const changed = { ...environment.options, listen: [...environment.options.listen, { address: '127.0.0.1', port }] }
  expect(await startKnot(changed)).toMatchObject({ outcome: 'restarted' })
  expect(await answerOf({ address: '127.0.0.1', port }, 'shop.test')).toBe('192.0.2.1')
  expect(await environment.answer('shop.test')).toBe('192.0.2.1')
})

test('a configuration refused by the checker leaves the old one active', async () => {
  const pid = await environment.pid()
  const before = await readFile(environment.paths.config, 'utf8')
  const spoiling: Run = async (argv, options) => {
    if (argv.includes('conf-check')) await appendFile(argv[argv.indexOf('-c') + 1]!, 'nonsense:\n  - id: x\n')
    return environment.options.run(argv, options)
  }
  const refused = startKnot({ ...environment.options, transferKey: `${'B'.repeat(42)}A=`, run: spoiling })
  await expect(refused).rejects.toThrow(/The configuration of the name server was rejected by its own checker/)
  await expect(refused.catch((error: Error) => Promise.reject(error.cause))).rejects.toThrow(/nonsense/)
  expect(await readFile(environment.paths.config, 'utf8')).toBe(before)
  expect(await startKnot(environment.options)).toMatchObject({ pid, outcome: 'adopted' })
})

test('a configuration that does not start is rolled back', async () => {
  const before = await readFile(environment.paths.config, 'utf8')
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as { port: number }
  const refused = startKnot({
    ...environment.options,
    listen: [...environment.options.listen, { address: '127.0.0.1', port }]
  })
  await expect(refused).rejects.toThrow(/The name server did not start/)
  await expect(refused.catch((error: Error) => Promise.reject(error.cause))).rejects.toThrow(/address already in use/)
  await new Promise((resolve) => taken.close(resolve))
  expect(await readFile(environment.paths.config, 'utf8')).toBe(before)
  await eventually(async () => (await environment.answer('shop.test')) === '192.0.2.1')
  expect(await startKnot(environment.options)).toMatchObject({ outcome: 'adopted' })
})

test.each(['SIGKILL', 'SIGSTOP'] as const)('monitoring restores all zones after %s', async (name) => {
  const started = await startKnot(environment.options)
  const restarts: number[] = []
  let isWatched = false
  const watch = watchKnot(environment.options, {
    maxUnanswered: 2,
    onStart({ pid, outcome }) {
      if (outcome === 'adopted') isWatched = true
      else restarts.push(pid)
    }
  })
  try {
    await eventually(() => isWatched)
    kill(started.pid, name)
    await eventually(() => restarts.length === 1)
    expect(restarts).toEqual([await environment.pid()])
    expect(watch.pid()).toBe(restarts[0])
    expect(restarts[0]).not.toBe(started.pid)
    await eventually(async () => (await environment.answer('shop.test')) === '192.0.2.1')
    await server.putZone('shop.test', zoneText('shop.test', '192.0.2.2'))
    expect(await environment.answer('shop.test')).toBe('192.0.2.2')
  } finally {
    await watch.stop()
  }
})

test('monitoring retries a failed first start', async () => {
  await stopKnot(environment.options)
  const { address, port } = environment.at
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(port, address, resolve))
  const failures: unknown[] = []
  let restarts = 0
  const watch = watchKnot(environment.options, {
    backOffMs: 50,
    onFailure: (error) => failures.push(error),
    onStart: () => restarts++
  })
  try {
    await eventually(() => failures.length > 1)
    await new Promise((resolve) => taken.close(resolve))
    await eventually(() => restarts === 1)
    await eventually(async () => (await environment.answer('shop.test')) === '192.0.2.1')
  } finally {
    await watch.stop()
  }
})

test('a long log is truncated and still written', async () => {
  await truncate(environment.paths.log, 11 * 1024 * 1024)
  const watch = watchKnot(environment.options, {})
  const size = async () => (await stat(environment.paths.log)).size
  await eventually(async () => (await size()) < 1024 * 1024)
  await watch.stop()
  await server.putZone('shop.test', zoneText('shop.test', '192.0.2.3'))
  await eventually(async () => (await readFile(environment.paths.log, 'utf8')).startsWith('20'))
})

test('stop leaves nothing behind; a pid file of another program is ignored', async () => {
  await stopKnot(environment.options)
  expect(await environment.pid()).toBeUndefined()
  await expect(server.ping()).rejects.toMatchObject({ kind: 'name-server-unavailable' })
  await writeFile(environment.paths.pid, `${process.pid}\n`)
  expect(await startKnot(environment.options)).toMatchObject({ outcome: 'started' })
  await eventually(async () => (await environment.answer('shop.test')) === '192.0.2.1')
})
