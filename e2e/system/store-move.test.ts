import { execFile } from 'node:child_process'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Health } from '@panel/contract/system'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { type Client, type RunningPanel, startPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { killProcesses } from '../support/processes.ts'
import { makeRootDirectory } from '../support/root-directory.ts'
import { startStorePair } from '../support/store-pair.ts'

// The panel's database moves to two PostgreSQL servers under Patroni, with the files of deploy/store-pair, survives the loss of one, and moves back.

const execute = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

let directory: string
let pair: Awaited<ReturnType<typeof startStorePair>>
let panel: RunningPanel
let ann: Client
let projectId: string

beforeAll(async () => {
  directory = await makeRootDirectory()
  panel = await startPanel()
  ann = await panel.signUp()
  projectId = (await ann.createProject({ type: 'NODEJS' })).id
  await put('FIRST')
  await panel.stop()
  pair = await startStorePair(directory)
})
afterAll(async () => {
  await panel?.dispose()
  await killProcesses(directory)
  await rm(directory, { recursive: true, force: true })
})

const put = (key: string) => ann.call('POST', `/projects/${projectId}/env`, { key, value: `value of ${key}` })
const keys = async () => {
  const { variables } = await ann.call<{ variables: { key: string }[] }>('GET', `/projects/${projectId}/env`)
  return variables.map(({ key }) => key)
}
const move = (...args: string[]) =>
  execute(join(root, 'panel'), ['store', 'move', ...args], {
    env: { PATH: process.env.PATH, PANEL_NODE: process.execPath, DATA_DIR: panel.dataDir, NEW_DATABASE_URL: pair.url }
  }).then(
    ({ stdout }) => stdout,
    (error: { stderr: string }) => error.stderr
  )

test('the database moves with every row, also after a move that was killed, and only while the panel is stopped', async () => {
  const killed = startCommand(['store', 'move'], { DATA_DIR: panel.dataDir, NEW_DATABASE_URL: pair.url })
  await killed.untilOutput('Reading the database')
  await killed.kill('SIGKILL')
  expect(await move('--replace')).toContain('The database was moved.')
  expect((await readdir(panel.dataDir)).filter((name) => name.startsWith('postgres'))).toEqual([
    expect.stringMatching(/^postgres-before-/)
  ])
  await panel.start()
  expect(await keys()).toEqual(['FIRST'])
  expect(await move()).toContain('Another panel runs')
})

test('no acknowledged write is lost when the primary is replaced, and when it crashes', async () => {
  const pid = panel.pid()
  const acknowledged: string[] = []
  let isDone = false
  const writing = (async () => {
    for (let n = 0; !isDone; n++) {
      const { status } = await ann.request('POST', `/projects/${projectId}/env`, { key: `N${n}`, value: 'x' }) // oxfmt-ignore
      if (status < 300) acknowledged.push(`N${n}`)
      await sleep(100)
    }
  })()
  const writesAgain = async () => {
    const before = acknowledged.length
    await until(async () => acknowledged.length, (now) => now > before + 5) // oxfmt-ignore
  }
  await writesAgain()
  await pair.switchOver()
  await writesAgain()
  await pair.crash()
  await writesAgain()
  isDone = true
  await writing
  expect(await keys()).toEqual(expect.arrayContaining(['FIRST', ...acknowledged]))

  // Jobs and events too, without a restart.
  const other = await ann.createProject({ type: 'NODEJS' })
  await ann.call('DELETE', `/projects/${other.id}`)
  await until(async () => (await ann.request('GET', `/projects/${other.id}`)).status, (status) => status === 404) // oxfmt-ignore
  await until(async () => (await ann.call<Health>('GET', '/health')).status, (status) => status === 'ok') // oxfmt-ignore
  expect(panel.pid()).toBe(pid)
})

test('the database moves back', async () => {
  const before = await keys()
  await panel.stop()
  expect(await move('--back')).toContain('The database was moved.')
  expect(await readFile(join(panel.dataDir, 'panel.env'), 'utf8')).not.toContain('DATABASE_URL')
  await panel.start()
  expect(await keys()).toEqual(before)
  await panel.stop()
  expect(await move()).toContain('already has accounts')
})
