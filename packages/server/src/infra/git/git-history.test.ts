import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../process/run.ts'
import { branchRef } from './git-args.ts'
import { readRange } from './git-history.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'panel-history-'))
  await git('init', '--quiet', '--bare')
})
afterAll(() => rm(directory, { recursive: true }))

const git = async (...args: string[]) => (await promisify(execFile)('git', args, { cwd: directory })).stdout.trim()
const read = (argv: readonly [string, ...string[]]) => run(argv, { cwd: directory, timeoutMs: 60_000, env: {} })

async function commit(subject: string, time: string, parent?: string): Promise<string> {
  await writeFile(join(directory, 'nothing'), '')
  const tree = await git('write-tree')
  const parents = parent === undefined ? '' : `parent ${parent}\n`
  const who = `Eve <eve@example.com> ${time}`
  await writeFile(join(directory, 'commit'), `tree ${tree}\n${parents}author ${who}\ncommitter ${who}\n\n${subject}\n`)
  const hash = await git('hash-object', '-t', 'commit', '-w', '--literally', 'commit')
  await git('update-ref', branchRef, hash)
  return hash
}

test('reads the time of a commit with an invalid time zone', async () => {
  const from = await commit('first', '1500000000 +0000')
  const to = await commit('second', '1501800000 +051800', from)
  const { commits, isComplete } = await readRange(read, { from, to })
  expect(commits).toEqual([{ hash: to, at: new Date(1501800000_000), author: 'Eve', subject: 'second' }])
  expect(isComplete).toBe(true)
})

test('cuts a subject of millions of zero-width characters, or returns nothing', async () => {
  const from = await commit('first', '1500000000 +0000')
  const long = await commit(`a${'\u0300'.repeat(5_000)}`, '1500000001 +0000', from)
  const [found] = (await readRange(read, { from, to: long })).commits
  expect(found!.subject.length).toBeLessThanOrEqual(300)
  const huge = await commit(`a${'\u0300'.repeat(2_000_000)}`, '1500000002 +0000', from)
  expect(await readRange(read, { from, to: huge })).toEqual({ commits: [], isComplete: false })
})
