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

/** Puts a build with this file to begin with, and these chunks, in place. */
async function build(name: string, chunks: readonly string[]): Promise<string> {
  const [next, place] = [join(directory, 'build.new'), join(directory, 'build')]
  await mkdir(join(next, 'chunks'), { recursive: true })
  await writeFile(join(next, 'main.js'), name)
  for (const chunk of chunks) await writeFile(join(next, 'chunks', chunk), chunk)
  putInPlace(next, place, 'chunks')
  return place
}

test('whoever runs the build before finds what it loads later; of those before it nothing stays', async () => {
  await build('first', ['common', 'of-first'])
  await build('second', ['common', 'of-second'])
  const place = await build('third', ['common', 'of-third'])
  expect(await readFile(join(place, 'main.js'), 'utf8')).toBe('third')
  expect((await readdir(join(place, 'chunks'))).sort()).toEqual(['common', 'of-second', 'of-third'])
  expect(await readdir(directory)).toEqual(['build'])
})

test('the same build once more takes nothing from whoever runs the one before it, and a list that a power cut left empty is none', async () => {
  await build('first', ['of-first'])
  await build('second', ['of-second'])
  const place = await build('second', ['of-second'])
  expect((await readdir(join(place, 'chunks'))).sort()).toEqual(['of-first', 'of-second'])
  await writeFile(join(place, 'chunks.json'), '')
  await build('third', ['of-third'])
  expect(await readdir(join(place, 'chunks'))).toEqual(['of-third'])
})

test('a crash between taking the build before away and putting the new one in place is mended', async () => {
  const place = await build('first', ['of-first'])
  await rename(place, `${place}.old`)
  putBack(place)
  expect(await readFile(join(place, 'main.js'), 'utf8')).toBe('first')
  await mkdir(`${place}.old`)
  putBack(place)
  expect(existsSync(join(place, 'main.js'))).toBe(true)
})
