import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../process/run.ts'
import { buildArgv } from './buildkit-build.ts'
import { accountMark, cacheId } from './buildkit-mounts.ts'
import { findBuilder } from './buildkit.ts'

let directory: string
beforeAll(async () => void (directory = await mkdtemp(join(tmpdir(), 'buildx-'))))
afterAll(() => rm(directory, { recursive: true, force: true }))

async function plugin(version: string): Promise<string> {
  const path = join(directory, version)
  await writeFile(path, `#!/bin/sh\necho github.com/docker/buildx ${version}+ds1 ${version}+ds1-3\n`)
  await chmod(path, 0o755)
  return path
}

test('BuildKit needs a recent engine and the plugin', async () => {
  const [recent, old] = [await plugin('0.13.1'), await plugin('0.12.9')]
  const absent = join(directory, 'absent')
  expect(await findBuilder('26.1.5+dfsg1', run, [absent, recent])).toEqual({
    kind: 'buildkit',
    plugin: recent,
    version: '0.13.1+ds1'
  })
  expect(await findBuilder('20.10.24+dfsg1', run, [recent])).toEqual({ kind: 'classic', reason: 'OLD_ENGINE' })
  expect(await findBuilder('26.1.5', run, [absent])).toEqual({ kind: 'classic', reason: 'NO_PLUGIN' })
  expect(await findBuilder('26.1.5', run, [old])).toEqual({ kind: 'classic', reason: 'OLD_PLUGIN' })
})

test('secrets and the proxy are not in the arguments, and no argument chooses a frontend', () => {
  const options = {
    dockerfile: 'Dockerfile',
    tag: 't:1',
    labels: { l: 'm' },
    buildArgs: { VERSION: '1', BUILDKIT_SYNTAX: 'evil/frontend' },
    secrets: { TOKEN: 'hidden', env: 'hidden too' },
    memoryBytes: 1,
    cpus: 1,
    pids: 1,
    signal: new AbortController().signal,
    onLog: () => {}
  }
  const build = { plugin: '/buildx', cgroupParent: '/c', buildArguments: { HTTP_PROXY: 'http://u:hidden@proxy' } }
  const argv = buildArgv(build, options, '/id')
  expect(argv.join(' ')).not.toMatch(/hidden|SYNTAX/)
  expect(argv).toEqual(
    expect.arrayContaining(['--cgroup-parent=/c', '--build-arg=VERSION=1', '--build-arg=HTTP_PROXY', '--label=l=m'])
  )
  expect(argv).toContain('--secret=id=env,src=/proc/self/fd/4')
})

test('cache ids cannot name those of another account', () => {
  expect(cacheId(20_001, '../panel-20002-x')).toMatch(/^panel-20001-[0-9a-f]{32}$/)
  expect(cacheId(20_001, 'x')).not.toBe(cacheId(20_002, 'x'))
  expect(accountMark.mount(20_001)).not.toBe(accountMark.mount(20_002))
})
