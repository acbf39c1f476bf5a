import { mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { linkLibraries } from './embedded-libraries.ts'

let directory: string
let native: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'panel-libraries-'))
  native = join(directory, 'native')
  await mkdir(join(native, 'lib'), { recursive: true })
  await writeFile(join(native, 'lib/libpq.so.5.17'), 'a library')
})
afterEach(() => rm(directory, { recursive: true }))

const list = (target: string) =>
  writeFile(join(native, 'pg-symlinks.json'), JSON.stringify([{ source: 'native/lib/libpq.so.5.17', target }]))

test('links stay valid when the folder moves, and are created once', async () => {
  await list('native/lib/libpq.so.5')
  await Promise.all([linkLibraries(native), linkLibraries(native)])
  await linkLibraries(native)
  expect(await readlink(join(native, 'lib/libpq.so.5'))).toBe('libpq.so.5.17')
  expect(await readFile(join(native, 'lib/libpq.so.5'), 'utf8')).toBe('a library')
})

test('a package without a list gets no links', async () => {
  await linkLibraries(native)
})

test('no link is created outside the package', async () => {
  await list('native/../../libpq.so.5')
  await expect(linkLibraries(native)).rejects.toThrow('is outside')
})
