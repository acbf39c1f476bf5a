import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { buffer } from 'node:stream/consumers'
import { extract } from 'tar-stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { packFolder } from './folder-archive.ts'
import { listFolder } from './folder-files.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'panel-folder-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function write(...paths: string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), path)
  }
}

test('outside Git: everything but node_modules, .git and what .panelignore names', async () => {
  await write('index.html', 'a/node_modules/x.js', '.git/config', 'dist/big.js', 'dist/keep.js', 'a/b.log', '.env')
  await writeFile(join(folder, '.panelignore'), '*.log\ndist/*\n!dist/keep.js\n')
  await symlink('index.html', join(folder, 'link'))
  expect(await listFolder(folder)).toEqual(['.env', '.panelignore', 'dist/keep.js', 'index.html', 'link'])
})

test('in a working tree: what Git does not ignore, of this folder only, without deleted files', async () => {
  await write('other.js', 'web/index.js', 'web/new.js', 'web/gone.js', 'web/out/x.js', 'web/skip.txt')
  await writeFile(join(folder, '.gitignore'), 'out/\n')
  await writeFile(join(folder, 'web/.panelignore'), 'skip.txt\n')
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  execFileSync('git', ['add', 'web/index.js', 'web/gone.js', 'web/skip.txt'], { cwd: folder })
  await rm(join(folder, 'web/gone.js'))
  expect(await listFolder(join(folder, 'web'))).toEqual(['.panelignore', 'index.js', 'new.js'])
})

test('packs files, empty files, executables and links', async () => {
  await write('a/b.txt')
  await writeFile(join(folder, 'empty'), '')
  await writeFile(join(folder, 'run'), '#!', { mode: 0o755 })
  await symlink('a/b.txt', join(folder, 'link'))
  const counts: number[] = []
  const archive = await buffer(packFolder(folder, await listFolder(folder), (count) => counts.push(count)))
  const tar = extract()
  tar.end(gunzipSync(archive))
  const entries: unknown[] = []
  for await (const entry of tar) {
    const { name, type, mode, linkname } = entry.header
    entries.push([name, type, (mode! & 0o100) !== 0, linkname, (await buffer(entry)).toString()])
  }
  expect(entries).toEqual([
    ['a/b.txt', 'file', false, null, 'a/b.txt'],
    ['empty', 'file', false, null, ''],
    ['link', 'symlink', false, 'a/b.txt', ''],
    ['run', 'file', true, null, '#!']
  ])
  expect(counts).toEqual([1, 2, 3, 4])
})

test('a file that cannot be read ends the archive with its error', async () => {
  await expect(buffer(packFolder(folder, ['missing'], () => {}))).rejects.toThrow('ENOENT')
})
