import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Files } from '../support/git-repositories.ts'
import type { Client } from '../support/panel.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'
import { nodeSite } from '../support/sites.ts'

const program = fileURLToPath(new URL('../../panel', import.meta.url))

let world: World
let ann: Client
let home: string
let token: string
beforeAll(async () => {
  world = await sharedWorld()
  home = await mkdtemp(join(tmpdir(), 'panel-folder-'))
  ann = await world.panel.signUp()
  const body = { name: 'cli', scope: 'full', expiresInDays: 1, password: 'correct horse battery' }
  ;({ token } = await ann.call<{ token: string }>('POST', '/auth/tokens', body))
})
afterAll(() => rm(home, { recursive: true, force: true }))

function cli(cwd: string, ...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(program, ['cli', ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      PANEL_NODE: process.execPath,
      HOME: home,
      PANEL_URL: world.panel.url,
      PANEL_TOKEN: token
    }
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
}

async function write(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content as string)
  }
}

/** The site of a project that was made by its name in this test. */
async function visit(name: string): Promise<string> {
  return (await world.panel.visit(`${name}.apps.localhost`, '/')).body
}

test('a static site and a Node.js site are deployed from folders, changed and rolled back', async () => {
  const site = join(home, 'folder-static')
  await write(site, { 'index.html': 'first page', 'node_modules/x/index.js': 'skipped' })
  expect(await cli(site, 'create', 'folder-static', '--type', 'static')).toMatchObject({ code: 0 })
  const first = await cli(site, 'deploy', '--from', '.')
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('folder-static.apps.localhost') })
  expect(first.stderr).toContain('Next: ')
  expect(await visit('folder-static')).toContain('first page')

  await write(site, { 'index.html': 'second page' })
  expect(await cli(site, 'deploy', '--from', '.')).toMatchObject({ code: 0 })
  expect(await visit('folder-static')).toContain('second page')
  const releases = await cli(site, 'releases', '--json')
  const [, before] = JSON.parse(releases.stdout) as { upload: object }[]
  // `.panel/project.json` belongs to the folder too.
  expect(before!.upload).toMatchObject({ folder: 'folder-static', files: 2 })
  expect(await cli(site, 'rollback')).toMatchObject({ code: 0 })
  expect(await visit('folder-static')).toContain('first page')

  const node = join(home, 'folder-node')
  await write(node, nodeSite('from a folder'))
  expect(await cli(node, 'create', 'folder-node', '--type', 'nodejs')).toMatchObject({ code: 0 })
  expect(await cli(home, 'deploy', 'folder-node', '--from', 'folder-node')).toMatchObject({ code: 0 })
  expect(await visit('folder-node')).toContain('from a folder')
  const uploads = await Promise.all(
    (await ann.call<{ projects: { id: string }[] }>('GET', '/projects')).projects.map(({ id }) =>
      readdir(join(world.projects, id, 'uploads'))
    )
  )
  expect(uploads.map(({ length }) => length).sort()).toEqual([1, 2])
})

test('a folder without files, or one that is not there, is refused', async () => {
  await mkdir(join(home, 'empty'))
  expect(await cli(home, 'deploy', 'folder-static', '--from', 'empty')).toMatchObject({ code: 1 })
  expect(await cli(home, 'deploy', 'folder-static', '--from', 'missing')).toMatchObject({ code: 2 })
})
