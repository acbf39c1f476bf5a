import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { stagedDataDirectory } from './staged-paths.ts'
import { isCompleted, markCompleted, refuseUnfinishedRestore, swapIn } from './swap.ts'

let root: string
const at = (...names: string[]) => join(root, ...names)
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'panel-swap-'))
  for (const path of ['data/restoring/postgres', 'data/postgres', 'state.restoring/mail', 'state/mail', 'state/mysql'])
    await mkdir(at(path), { recursive: true })
  for (const [path, text] of Object.entries({
    'data/restoring/postgres/rows': 'restored',
    'data/restoring/panel.env': 'restored',
    'data/postgres/rows': 'previous',
    'state.restoring/mail/1': 'restored',
    'state/mail/1': 'previous'
  }))
    await writeFile(at(path), text)
})
afterEach(() => rm(root, { recursive: true }))

const moves = () => [
  { from: at('state.restoring'), to: at('state') },
  { from: stagedDataDirectory(at('data')), to: at('data') }
]
const read = (...names: string[]) => readFile(at(...names), 'utf8')

async function expectSwapped(): Promise<void> {
  expect(await Promise.all([read('data/postgres/rows'), read('data/panel.env'), read('state/mail/1')])).toEqual(Array(3).fill('restored')) // oxfmt-ignore
  expect(await Promise.all([read('data/before-restore/postgres/rows'), read('state/before-restore/mail/1')])).toEqual(Array(2).fill('previous')) // oxfmt-ignore
  expect((await readdir(root)).sort()).toEqual(['data', 'state'])
  expect((await readdir(at('data'))).sort()).toEqual(['before-restore', 'panel.env', 'postgres'])
  expect(await readdir(at('state/mysql'))).toEqual([])
  expect(await isCompleted(at('data'))).toBe(false)
  await refuseUnfinishedRestore(at('data'))
}

test('entries are exchanged, and what was there is kept', async () => {
  await expect(refuseUnfinishedRestore(at('data'))).rejects.toThrow('give it up')
  await markCompleted(at('data'), { moves: moves(), missing: ['a project'] })
  await expect(refuseUnfinishedRestore(at('data'))).rejects.toThrow(/finish it\.$/)
  expect(await swapIn(at('data'))).toEqual(['a project'])
  await expectSwapped()
})

test.each([
  ['the previous entry was moved aside', async () => { await mkdir(at('data/before-restore')); await rename(at('data/postgres'), at('data/before-restore/postgres')) }], // oxfmt-ignore
  ['the first directory was done', async () => { await mkdir(at('state/before-restore')); await rename(at('state/mail'), at('state/before-restore/mail')); await rename(at('state.restoring/mail'), at('state/mail')); await rm(at('state.restoring'), { recursive: true }) }] // oxfmt-ignore
])('after a run that was killed once %s, the next one finishes', async (_name, interrupted) => {
  await markCompleted(at('data'), { moves: moves(), missing: ['a project'] })
  await interrupted()
  expect(await swapIn(at('data'))).toEqual(['a project'])
  await expectSwapped()
})
