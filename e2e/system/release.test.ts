import { execFile } from 'node:child_process'
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtRelease } from '../support/built-release.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { type Client, type RunningPanel, startPanel } from '../support/panel.ts'

const execute = promisify(execFile)

describe('a release', () => {
  let release: string
  let directory: string
  const folders: string[] = []

  beforeAll(async () => {
    const { archive, directory: shared } = await builtRelease()
    release = shared
    directory = await mkdtemp(join(tmpdir(), 'panel-release-test-'))
    for (const name of ['first', 'second']) {
      await mkdir(join(directory, name))
      await execute('tar', ['-xzf', archive, '-C', join(directory, name)])
      folders.push(join(directory, name, basename(archive, '.tar.gz')))
    }
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  test('has a valid checksum and its version', async () => {
    const { stdout } = await execute('sha256sum', ['--check', 'SHA256SUMS'], { cwd: release })
    expect(stdout).toContain('OK')
    expect(JSON.parse(await readFile(join(folders[0]!, 'release.json'), 'utf8'))).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      commit: expect.stringMatching(/^[0-9a-f]{40}/),
      platform: `${process.platform}-${process.arch}`
    })
  })

  test('contains runtime files but no build or test tools', async () => {
    const [folder] = folders
    const installed = await readdir(join(folder!, 'node_modules'))
    for (const name of ['typescript', 'typescript7', 'vitest', 'esbuild', 'tsx', 'ssh2', 'cpu-features', 'oxfmt'])
      expect(installed).not.toContain(name)
    const ours = (await readdir(join(folder!, 'packages'), { recursive: true })).filter(
      (path) => /\.[cm]?ts$/.test(path) && !path.includes('/node_modules/')
    )
    expect(ours).toEqual([])
    const hidden = (await readdir(join(folder!, 'node_modules'))).filter((name) => name.startsWith('.'))
    expect(hidden).toEqual(['.bin'])
  })

  test('contains the portable CLI but no API tooling', async () => {
    const [folder] = folders
    const { stdout } = await execute(join(folder!, 'panel'), ['cli', 'help'], {
      cwd: directory,
      env: { PATH: process.env.PATH, PANEL_NODE: process.execPath, HOME: directory }
    })
    expect(stdout).toContain('panel <command>')
    const installed = await readdir(join(folder!, 'node_modules'))
    for (const name of ['@redocly', '@stoplight', 'openapi-typescript']) expect(installed).not.toContain(name)
  })

  test('lists all packages with versions', async () => {
    const [folder] = folders
    const { components } = JSON.parse(await readFile(join(folder!, 'sbom.cdx.json'), 'utf8')) as {
      components: { name: string; version: string }[]
    }
    const listed = new Set(components.map(({ name, version }) => `${name}@${version}`))
    const installed = await packagesIn(join(folder!, 'node_modules'))
    expect(installed.length).toBeGreaterThan(100)
    expect(installed.filter((name) => !listed.has(name))).toEqual([])
  })

  describe('on a machine without npm', () => {
    let git: GitHttpServer
    let panel: RunningPanel
    let user: Client
    let env: Record<string, string>
    const called = () => readFile(join(directory, 'called'), 'utf8').catch(() => 'never')

    beforeAll(async () => {
      git = await startGitHttpServer()
      const bin = join(directory, 'bin')
      await mkdir(bin)
      for (const program of ['npm', 'npx', 'node-gyp', 'tsc']) {
        await writeFile(join(bin, program), `#!/bin/sh\necho ${program} "$@" >> '${directory}/called'\nexit 1\n`)
        await chmod(join(bin, program), 0o755)
      }
      env = { PATH: `${bin}:${process.env.PATH}`, GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}` }
      panel = await startPanel(env, undefined, folders[0])
      user = await panel.signUp()
    })
    afterAll(async () => {
      await panel?.dispose()
      await git?.stop()
    })

    test('starts, serves a site and is upgraded from the next release’s folder', async () => {
      const site = await user.createSite(git, { 'index.html': '<h1>of a release</h1>' }, { type: 'STATIC' })
      await user.mustRun(site.id)
      expect(await panel.visit(site.hostname)).toMatchObject({ status: 200, body: '<h1>of a release</h1>' })

      await panel.stop()
      await panel.start(folders[1])
      expect(await readFile(`/proc/${panel.pid()}/cmdline`, 'utf8')).toContain(folders[1])
      expect(await user.call('GET', '/projects')).toMatchObject({ projects: [{ id: site.id, status: 'ACTIVE' }] })
      await expect.poll(() => panel.visit(site.hostname)).toMatchObject({ status: 200, body: '<h1>of a release</h1>' })
      expect(await called()).toBe('never')
    })

    test('./panel doctor works, and there is no ./panel test', async () => {
      const run = (command: string) =>
        execute(join(folders[1]!, 'panel'), [command], {
          env: { ...env, PANEL_NODE: process.execPath, DATA_DIR: panel.dataDir, PORT: new URL(panel.url).port }
        }).catch((failure: { stdout: string; stderr: string }) => failure)
      expect((await run('doctor')).stdout).toMatch(/^Panel +yes +\d+\.\d+\.\d+ +yes +yes/m)
      expect((await run('test')).stderr).toContain('There is no command "test"')
      expect(await called()).toBe('never')
    })

    test('after a crash, a web process is adopted only from the same folder and build', async () => {
      const restarted = async (from: string) => {
        const before = await panel.webPids()
        await panel.killWorker()
        await panel.start(from)
        expect(await user.call('GET', '/projects')).toMatchObject({ projects: [{ status: 'ACTIVE' }] })
        return { before, after: await panel.webPids() }
      }
      const [first, second] = folders as [string, string]
      const same = await restarted(second)
      expect(same.after).toEqual(same.before)
      const moved = await restarted(first)
      expect(moved.after).toHaveLength(1)
      expect(moved.after).not.toEqual(moved.before)
      await appendFile(join(first, 'packages/server/dist/bundle/web-main.js'), '// of another build\n')
      const built = await restarted(first)
      expect(built.after).toHaveLength(1)
      expect(built.after).not.toEqual(built.before)
    })
  })
})

async function packagesIn(directory: string): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === '.bin' || entry.name === '@panel') continue
    const path = join(directory, entry.name)
    if (entry.name.startsWith('@')) {
      found.push(...(await packagesIn(path)))
      continue
    }
    const { name, version } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) as Record<string, string>
    found.push(`${name}@${version}`)
    const nested = await packagesIn(join(path, 'node_modules')).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    found.push(...nested)
  }
  return found
}
