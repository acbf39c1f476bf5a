import { appendFile, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { followFile } from './follow-file.ts'

let directory: string
let path: string
let lines: string[]
let stop: AbortController
let following: Promise<void>
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'panel-follow-'))
  path = join(directory, 'sshd.log')
  lines = []
  stop = new AbortController()
})
afterEach(async () => {
  stop.abort()
  await following
  await rm(directory, { recursive: true, force: true })
})
const follow = async () => {
  following = followFile(path, (line) => lines.push(line), { signal: stop.signal, pollMs: 5 })
  // The size at the start is read before the first poll.
  await new Promise((resolve) => setTimeout(resolve, 50))
}

test('reads what is appended, also in pieces, and nothing from before', async () => {
  await writeFile(path, 'before\n')
  await follow()
  await appendFile(path, 'one\ntw')
  await expect.poll(() => lines).toEqual(['one'])
  await appendFile(path, 'o\n')
  await expect.poll(() => lines).toEqual(['one', 'two'])
})

test('continues after truncation, rotation and when the file appears', async () => {
  await follow()
  await writeFile(path, 'appeared\n')
  await expect.poll(() => lines).toEqual(['appeared'])
  await truncate(path, 0)
  await appendFile(path, 'short\n')
  await expect.poll(() => lines).toEqual(['appeared', 'short'])
  await rename(path, `${path}.1`)
  await writeFile(path, 'a new file that is longer\n')
  await expect.poll(() => lines).toEqual(['appeared', 'short', 'a new file that is longer'])
})
