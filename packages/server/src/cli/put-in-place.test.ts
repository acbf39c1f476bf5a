import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { putBack, putInPlace } from '../../../../scripts/put-in-place.mjs'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'panel-build-'))
})
afterEach(() => rm(directory, { recursive: true }))

async function build(name: string, chunks: readonly string[]): Promise<string> {
  const [next, place] = [join(directory, 'build.new'), join(directory, 'build')]
  await mkdir(join(next, 'chunks'), { recursive: true })
  await writeFile(join(next, 'main.js'), name)
  for (const chunk of chunks) await writeFile(join(next, 'chunks', chunk), chunk)
  putInPlace(next, place, 'chunks')
  return place
}

test('the previous build keeps its chunks; older ones are removed', async () => {
  await build('first', ['common', 'of-first'])
  await build('second', ['common', 'of-second'])
  const place = await build('third', ['common', 'of-third'])
  expect(await readFile(join(place, 'main.js'), 'utf8')).toBe('third')
  expect((await readdir(join(place, 'chunks'))).sort()).toEqual(['common', 'of-second', 'of-third'])
  expect(await readdir(directory)).toEqual(['build'])
})

test('repeating a build keeps the previous one’s chunks, and an empty list is ignored', async () => {
  await build('first', ['of-first'])
  await build('second', ['of-second'])
  const place = await build('second', ['of-second'])
  expect((await readdir(join(place, 'chunks'))).sort()).toEqual(['of-first', 'of-second'])
  await writeFile(join(place, 'chunks.json'), '')
  await build('third', ['of-third'])
  expect(await readdir(join(place, 'chunks'))).toEqual(['of-third'])
})

test('a crash between removing the old build and installing the new one is repaired', async () => {
  const place = await build('first', ['of-first'])
  await rename(place, `${place}.old`)
  putBack(place)
  expect(await readFile(join(place, 'main.js'), 'utf8')).toBe('first')
  await mkdir(`${place}.old`)
  putBack(place)
  expect(existsSync(join(place, 'main.js'))).toBe(true)
})
