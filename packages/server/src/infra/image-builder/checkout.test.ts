import { access, lstat, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pack, type Pack } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withCheckout } from './checkout.ts'

let parent: string
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'panel-checkout-'))
})
afterAll(() => rm(parent, { recursive: true, force: true }))

type Header = Parameters<Pack['entry']>[0]
function archiveOf(...entries: (Header & { text?: string })[]): Readable {
  const tar = pack()
  for (const { text = '', ...header } of entries) tar.entry(header, text)
  tar.finalize()
  return Readable.from(tar, { objectMode: false })
}
const checkout = <T>(archive: Readable, work: (source: string) => Promise<T>) =>
  withCheckout(archive, { parent, maxBytes: 100_000 }, ({ source }) => work(source))

describe('a checkout', () => {
  test('contains files, directories and internal links, and is removed afterwards', async () => {
    const archive = archiveOf(
      { name: 'a/', type: 'directory' },
      { name: 'a/run.sh', mode: 0o4777, text: 'x' },
      { name: 'a/in', type: 'symlink', linkname: 'run.sh' },
      { name: 'a/out', type: 'symlink', linkname: '/etc/passwd' },
      { name: 'pipe', type: 'fifo' }
    )
    const left = await checkout(archive, async (source) => {
      expect((await readdir(join(source, 'a'))).sort()).toEqual(['in', 'run.sh'])
      expect(await readFile(join(source, 'a/in'), 'utf8')).toBe('x')
      expect((await lstat(join(source, 'a/run.sh'))).mode & 0o7777).toBe(0o755)
      expect(await readdir(source)).toEqual(['a'])
      return source
    })
    await expect(access(left)).rejects.toThrow()
    expect(await readdir(parent)).toEqual([])
  })

  test.each([
    ['up', { name: '../x', text: 'y' }],
    ['up in the middle', { name: 'a/../../x', text: 'y' }],
    ['absolute', { name: '/tmp/x', text: 'y' }]
  ])('a path %s is refused', async (_, entry) => {
    await expect(checkout(archiveOf(entry), async () => {})).rejects.toThrow('invalid path')
  })

  test('no file is written through a link', async () => {
    const archive = archiveOf({ name: 'd', type: 'symlink', linkname: '..' }, { name: 'd/x', text: 'y' })
    await expect(checkout(archive, (source) => lstat(join(source, 'd')).then((found) => found.isDirectory()))).resolves.toBe(true)
    expect(await readdir(parent)).toEqual([])
  }) // oxfmt-ignore

  test('more than maxBytes is rejected', async () => {
    const archive = archiveOf({ name: 'a', text: 'x'.repeat(200_000) })
    await expect(checkout(archive, async () => {})).rejects.toMatchObject({ name: 'BuildError' })
  })
})
