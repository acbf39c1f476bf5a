import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readUpgrade, writeUpgrade } from '../src/upgrade/upgrade-state.ts'
import type { UpgradePhase } from '../src/upgrade/upgrade.machine.ts'

const source = fileURLToPath(new URL('../src/upgrade/start-upgrade.ts', import.meta.url))
const tsx = fileURLToPath(import.meta.resolve('tsx'))

let directory: string
let running: ChildProcess | undefined
let output = ''

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'panel-upgrade-start-'))
  await mkdir(join(directory, 'data/postgres'), { recursive: true })
  await writeFile(join(directory, 'data/postgres/rows'), 'of the old version')
  await version(
    'old',
    `import { settleUpgrade } from ${JSON.stringify(source)}
    const options = { dataDirectory: '${directory}/data', root: '${directory}/old', args: ['up'], env: process.env }
    await settleUpgrade({ ...options, step() {}, onDone() {} })
    console.log('old runs')
    setInterval(() => {}, 1000)`
  )
})
afterEach(async () => {
  await stop('SIGKILL')
  await rm(directory, { recursive: true, force: true })
})

/** The new version changes the store before anything else, as a migration does. */
const newVersion = (then: string) =>
  version(
    'new',
    `import { writeFileSync } from 'node:fs'
    import { createServer } from 'node:http'
    import { endWithSupervisor, reportReady } from ${JSON.stringify(source.replace('start-upgrade', 'supervised'))}
    endWithSupervisor(process.env)
    writeFileSync('${directory}/data/postgres/rows', 'of the new version')
    process.on('SIGTERM', () => process.exit(0))
    ${then}`
  )
const serves = `const server = createServer((request, response) => response.end()).listen(0, '127.0.0.1', () => {
  console.log('new runs')
  reportReady(server.address())
})`

async function version(name: string, code: string) {
  await mkdir(join(directory, name), { recursive: true })
  await writeFile(join(directory, name, 'main.mts'), code)
  const panel = join(directory, name, 'panel')
  await writeFile(
    panel,
    `#!/bin/sh\nexec '${process.execPath}' --import '${tsx}' '${directory}/${name}/main.mts' "$@"\n`
  )
  await chmod(panel, 0o755)
}

const request = (phase: UpgradePhase = 'requested') =>
  writeUpgrade(join(directory, 'data'), {
    id: 'upgrade',
    phase,
    from: { version: '1.0.0', directory: join(directory, 'old') },
    to: { version: '1.1.0', directory: join(directory, 'new') },
    earlier: [],
    requestedAt: new Date().toISOString()
  })
function start() {
  output = ''
  running = spawn(join(directory, 'old/panel'), ['up'], { stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [running.stdout!, running.stderr!]) stream.on('data', (chunk: Buffer) => (output += chunk))
}
async function stop(signal: NodeJS.Signals) {
  if (!running || running.exitCode !== null || running.signalCode !== null) return
  const ended = once(running, 'exit')
  running.kill(signal)
  await ended
}
const until = (text: string) => expect.poll(() => output, { timeout: 60_000 }).toContain(text)
const phase = async () => (await readUpgrade(join(directory, 'data')))?.phase
const rows = () => readFile(join(directory, 'data/postgres/rows'), 'utf8')

test('a version that serves is kept, stops with its parent, and is started instead from then on', async () => {
  await newVersion(serves)
  await request()
  start()
  await until('new runs')
  await expect.poll(phase, { timeout: 60_000 }).toBe('done')
  await stop('SIGTERM')
  expect(running!.exitCode).toBe(0)
  start()
  await until('new runs')
  expect(output).not.toContain('old runs')
  expect(await rows()).toBe('of the new version')
})

test('a version that fails is followed by the old one on its store', async () => {
  await newVersion(`console.error('panel: broken'); process.exit(1)`)
  await request()
  start()
  await until('old runs')
  expect(await readUpgrade(join(directory, 'data'))).toMatchObject({
    phase: 'reverted',
    problem: expect.stringContaining('broken')
  })
  expect(await rows()).toBe('of the old version')
})

test('kill -9 while the new version starts: the next start goes back', async () => {
  await newVersion(`console.log('new starts'); setInterval(() => {}, 1000)`)
  await request()
  start()
  await until('new starts')
  await stop('SIGKILL')
  start()
  await until('old runs')
  expect(await phase()).toBe('reverted')
  expect(await rows()).toBe('of the old version')
})
