import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { localConnection } from '../node-connection/local.ts'
import type { HostsFiles } from './hosts-files.ts'
import { createLocalHostsFiles } from './local-hosts-files.ts'
import { createRemoteHostsFiles } from './remote-hosts-files.ts'

describe.each([
  ['on this machine', createLocalHostsFiles],
  ['by programs of the machine', (directory: string) => createRemoteHostsFiles({ connection: localConnection, directory })] // oxfmt-ignore
])('hosts files %s', (_, create) => {
  let root: string
  let files: HostsFiles
  const directory = () => join(root, 'state', 'hosts')
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'panel-hosts-'))
    files = create(directory())
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  test('are listed, changed in place and removed', async () => {
    expect(await files.list()).toEqual([])
    const path = await files.write(20_001, '10.0.0.1 a\n10.0.0.1 b\n')
    const { ino } = await stat(path)
    await files.write(20_002, 'two\n')
    await files.write(20_001, 'shorter\n')
    expect(await readFile(path, 'utf8')).toBe('shorter\n')
    expect((await stat(path)).ino).toBe(ino)
    expect((await files.list()).toSorted()).toEqual([20_001, 20_002])
    await files.remove(20_001)
    await files.remove(20_001)
    expect(await readdir(directory())).toEqual(['20002'])
  })

  test('changed by another program are written again', async () => {
    const path = await files.write(20_001, 'ours\n')
    await writeFile(path, 'theirs\n')
    await files.list()
    await files.write(20_001, 'ours\n')
    expect(await readFile(path, 'utf8')).toBe('ours\n')
  })
})
