import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chooseDump, openDump } from './dump-source.service.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'panel-dumps-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

async function write(name: string, content: string | Buffer): Promise<string> {
  const path = join(directory, name)
  await writeFile(path, content)
  return path
}
const mebibyte = 1024 * 1024
const comment = '-- nothing\n'.repeat(100_000)
const site = 'CREATE TABLE `wp_options` (option_id int);'
const { signal } = new AbortController()

test('finds the dump with an options table late in the file, compressed or not', async () => {
  const other = await write('other.sql', comment)
  for (const [name, content] of [
    ['site.sql', comment + site],
    ['site.sql.gz', gzipSync(comment + site)]
  ] as const)
    expect(await chooseDump([other, await write(name, content)], 4 * mebibyte, signal)).toBe(join(directory, name))
})

test('limits the total number of bytes scanned', async () => {
  const paths = await Promise.all([1, 2, 3, 4].map((n) => write(`part-${n}.sql.gz`, gzipSync(comment))))
  await expect(chooseDump(paths, 4 * mebibyte, signal)).rejects.toMatchObject({
    code: 'ARCHIVE_INVALID',
    message: expect.stringMatching(/larger than/)
  })
})

test('stops at an implausible compression ratio', async () => {
  const bomb = await write('bomb.sql.gz', gzipSync(Buffer.alloc(100 * mebibyte, '#')))
  const expected = { code: 'ARCHIVE_INVALID', message: expect.stringMatching(/larger than/) }
  await expect(chooseDump([bomb], 1e9, signal)).rejects.toMatchObject(expected)
  await expect(openDump(bomb, 1e9, signal).sql.toArray()).rejects.toMatchObject(expected)
})

test('aborts when the panel stops', async () => {
  const path = await write('stopped.sql', site)
  const stopped = AbortSignal.abort(new Error('the panel stops'))
  await expect(chooseDump([path], mebibyte, stopped)).rejects.toThrow('the panel stops')
  await expect(openDump(path, mebibyte, stopped).sql.toArray()).rejects.toThrow('the panel stops')
})
