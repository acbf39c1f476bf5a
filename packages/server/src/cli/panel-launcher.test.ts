import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

const panel = fileURLToPath(new URL('../../../../panel', import.meta.url))

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'panel-launcher-'))
})
afterEach(() => rm(directory, { recursive: true }))

/** A directory with a fake Node.js of this version that prints how it was started. */
async function install(version: string, name = 'node'): Promise<string> {
  const folder = join(directory, version)
  await mkdir(folder)
  const program = join(folder, name)
  await writeFile(
    program,
    `#!/bin/sh\nif [ "$1" = --version ]; then echo v${version}; else echo started ${version}; fi\n`
  )
  await chmod(program, 0o755)
  return folder
}

/** What `./panel` starts. System directories with shell tools are kept and may also contain a Node.js. */
function started(folders: readonly string[], env: Record<string, string> = {}) {
  const PATH = [...folders, join(directory, 'tools')].join(':')
  return spawnSync('/bin/sh', [panel, 'help'], { env: { PATH, ...env }, encoding: 'utf8' })
}

beforeEach(async () => {
  await mkdir(join(directory, 'tools'))
  for (const tool of ['readlink', 'dirname']) await symlink(`/usr/bin/${tool}`, join(directory, 'tools', tool))
})

test.each([
  ['the newest tested one, wherever it is on the PATH', ['20.20.2', '24.1.0', '22.30.0'], '24.1.0'],
  ['of one version the newest', ['22.9.0', '22.12.0', '22.11.0'], '22.12.0'],
  ['a tested one before a newer one', ['27.0.0', '20.20.2'], '20.20.2'],
  ['an untested one where there is no other', ['27.0.0'], '27.0.0']
])('./panel starts %s', async (_, versions, best) => {
  const folders = []
  for (const version of versions) folders.push(await install(version))
  expect(started(folders).stdout).toBe(`started ${best}\n`)
})

test('./panel uses PANEL_NODE', async () => {
  const folders = [await install('24.1.0'), await install('20.20.2')]
  expect(started(folders, { PANEL_NODE: join(folders[1]!, 'node') }).stdout).toBe('started 20.20.2\n')
})

test('a broken Node.js is skipped', async () => {
  const broken = await install('24.1.0')
  await writeFile(join(broken, 'node'), '#!/bin/sh\nexit 1\n')
  expect(started([broken, await install('20.20.2')]).stdout).toBe('started 20.20.2\n')
})

test('the name nodejs is accepted', async () => {
  expect(started([await install('20.19.0', 'nodejs')]).stdout).toBe('started 20.19.0\n')
})

test.each([18, 19, 21, 23])('Node.js %i is refused', (major) => {
  const script = fileURLToPath(new URL('../../../../scripts/panel.mjs', import.meta.url))
  const pretended = `Object.defineProperty(process.versions, 'node', { value: '${major}.11.0' })`
  const argv = ['--import', `data:text/javascript,${encodeURIComponent(pretended)}`, script, 'help']
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' })
  expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining('Node.js 24') })
})
