import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRunningMemory } from './running-memory.ts'

const lines = new Map([['a-0000000000000001.ec.pem', 'a.example.com']])
let directory: string
let mark: string
let worker: number
const process_ = () => createRunningMemory(mark, async () => worker)

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mark-'))
  mark = join(directory, 'made', 'crt-list.mark')
  worker = 1
})
afterEach(() => rm(directory, { recursive: true }))

test('returns what was kept after a change until the next one begins', async () => {
  const memory = process_()
  expect(await memory.recall()).toBeUndefined()
  expect(await memory.begin()).toBeUndefined()
  memory.keep(lines)
  expect((await memory.recall())?.lines).toEqual(lines)
  expect((await memory.begin())?.lines).toEqual(lines)
  expect(await memory.recall()).toBeUndefined()
  expect(await memory.begin()).toBeUndefined()
})

test('is invalid once another process has begun a change, even if it was killed', async () => {
  const [one, other] = [process_(), process_()]
  await one.begin()
  one.keep(lines)
  await other.begin()
  expect(await one.recall()).toBeUndefined()
  expect(await one.recallOwn()).toBeUndefined()
  expect(await one.begin()).toBeUndefined()
})

test('is valid for one worker; recallOwn survives a restart of the proxy', async () => {
  const memory = process_()
  await memory.begin()
  memory.keep(lines)
  worker = 2
  expect(await memory.recall()).toBeUndefined()
  expect((await memory.recallOwn())?.lines).toEqual(lines)
  expect(await memory.begin()).toBeUndefined()
})

test.each(['lost', 'torn'])('is invalid when the mark is %s', async (how) => {
  const memory = process_()
  await memory.begin()
  memory.keep(lines)
  await (how === 'lost' ? rm(mark) : writeFile(mark, ''))
  expect(await memory.recall()).toBeUndefined()
})
