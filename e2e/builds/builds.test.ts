import { randomBytes } from 'node:crypto'
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deployment } from '@panel/contract/deployments'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { docker, textsInImage } from '../support/engine.ts'
import type { Files } from '../support/git-repositories.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { type Client, type RunningPanel, type Site, startPanel } from '../support/panel.ts'
import { commandLines } from '../support/processes.ts'
import { ownDatabases } from '../support/shared-databases.ts'
import { lockFiles, nodeSite, siteWithDependency } from '../support/sites.ts'

let git: GitHttpServer
beforeAll(async () => {
  git = await startGitHttpServer()
})
afterAll(async () => {
  await git?.stop()
})

const expectRunning = (deployment: Deployment) =>
  expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })

describe('every type of project', () => {
  let panel: RunningPanel
  let user: Client
  beforeAll(async () => {
    panel = await startPanel({ ...ownDatabases, GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`, BUILD_CONCURRENCY: '2' })
    user = await panel.signUp()
  })
  afterAll(() => panel?.dispose())

  const bodyOf = async ({ hostname }: Site, path = '/') => (await panel.visit(hostname, path)).body
  async function deploy(files: Files, values: Record<string, unknown> = {}) {
    const site = await user.createSite(git, files, values)
    const deployment = await user.build(site.id)
    expectRunning(deployment)
    return { ...site, deployment, log: deployment.buildLogs ?? '' }
  }
  async function redeploy(site: Site, files: Files) {
    await git.commit(site.repository, files, 'Change')
    const deployment = await user.build(site.id)
    expectRunning(deployment)
    return deployment.buildLogs ?? ''
  }

  describe.concurrent('', () => {
    test('Node.js with pnpm', async () => {
      const site = await deploy({ ...siteWithDependency('pnpm'), ...lockFiles.pnpm })
      expect(site.log).toContain('Node.js with pnpm')
      expect(await bodyOf(site)).toBe('pnpm 1m')
    })

    test('Node.js with yarn', async () => {
      const site = await deploy({ ...siteWithDependency('yarn'), ...lockFiles.yarn })
      expect(site.log).toContain('Node.js with yarn 1')
      expect(await bodyOf(site)).toBe('yarn 1m')
    })

    test('Python with Flask; a change of source does not install again', async () => {
      const app = (word: string) =>
        `from flask import Flask\napp = Flask(__name__)\n\n@app.route('/')\ndef index():\n    return '${word}'\n`
      const site = await deploy({ 'requirements.txt': 'flask\n', 'app.py': app('flask') }, { type: 'PYTHON' })
      expect(await bodyOf(site)).toBe('flask')
      expect(await redeploy(site, { 'app.py': app('changed') })).toMatch(
        /RUN [^\n]*\["pip","install"[^\n]*\n[^\n]*Using cache/
      )
      expect(await bodyOf(site)).toBe('changed')
    })

    test('a static site that is built', async () => {
      const site = await deploy(
        {
          'package.json': JSON.stringify({ scripts: { build: 'mkdir dist && echo made > dist/index.html' } }),
          'index.html': 'source'
        },
        { type: 'STATIC' }
      )
      expect(await bodyOf(site)).toBe('made\n')
    })

    test('WordPress without a repository', async () => {
      const { id, name } = await user.createProject({ type: 'WORDPRESS' })
      expectRunning(await user.build(id))
      const { status, headers } = await panel.visit(`${name}.apps.localhost`)
      expect([status, headers.location]).toEqual([302, expect.stringContaining('/wp-admin/install.php')])
      expect(await panel.visit(`${name}.apps.localhost`, '/readme.html')).toMatchObject({ status: 200 })
    })
  })

  test('a build command and a start command of the project, and of one build', async () => {
    const site = await deploy(nodeSite('commands'), {
      buildCmd: 'echo \'{"by": "project"}\' > built.json',
      startCmd: 'WORD="of its own" exec node server.js',
      port: 4555
    })
    expect(await bodyOf(site, '/built')).toBe('{"by": "project"}\n')
    const env = JSON.parse(await bodyOf(site, '/env')) as Record<string, string>
    expect(env).toMatchObject({ WORD: 'of its own', PORT: '4555' })
    const once = await user.call<Deployment>('POST', `/projects/${site.id}/build`, {
      buildCmd: 'echo \'{"by": "this build"}\' > built.json'
    })
    expectRunning(await user.waitFor(site.id, once.id))
    expect(await bodyOf(site, '/built')).toBe('{"by": "this build"}\n')
  })

  test('secrets are there in the build, and neither in its log nor in the image', async () => {
    const secret = `s3cret-${randomBytes(12).toString('hex')}`
    const multiline = `-----BEGIN KEY-----\n${randomBytes(48).toString('base64')}\n${randomBytes(30).toString('base64')}\n-----END KEY-----`
    const site = await user.createSite(git, {
      ...nodeSite('secrets'),
      'package.json': JSON.stringify({
        type: 'module',
        scripts: { build: 'node build.js && echo "raw=$API_TOKEN" && env', start: 'node server.js' }
      }),
      'build.js': `
        import { writeFileSync } from 'node:fs'
        const { API_TOKEN, PRIVATE_KEY } = process.env
        writeFileSync('built.json', JSON.stringify([API_TOKEN.length, PRIVATE_KEY.length]))
        for (const value of [API_TOKEN, PRIVATE_KEY]) {
          console.log(value)
          console.error('https://user:' + encodeURIComponent(value) + '@example.com')
          console.log(Buffer.from(value).toString('base64'), Buffer.from('user:' + value).toString('base64'))
          console.log(JSON.stringify({ value }))
        }
        throw1()
        function throw1() { console.log('done') }`
    })
    const variables = [
      { key: 'API_TOKEN', value: secret },
      { key: 'PRIVATE_KEY', value: multiline }
    ]
    await user.call('POST', `/projects/${site.id}/env`, { variables })
    const deployment = await user.build(site.id)
    expectRunning(deployment)
    expect(await bodyOf(site, '/built')).toBe(JSON.stringify([secret.length, multiline.length]))
    const lines = multiline.split('\n').slice(1, 3)
    const base64 = [secret, multiline, `user:${secret}`].map((text) => Buffer.from(text).toString('base64'))
    const inner = Buffer.from(`user:${secret}`).toString('base64').slice(12, 40)
    const traces = [secret, ...lines, ...base64, encodeURIComponent(lines[0]!), inner]
    expect(traces.filter((trace) => deployment.buildLogs?.includes(trace))).toEqual([])
    expect(deployment.buildLogs).toContain('raw=••••••')
    expect(traces.filter((trace) => panel.output().includes(trace))).toEqual([])

    const image = (await docker('images', '--format', '{{.Repository}}:{{.Tag}}', `panel-${site.id}`)).split('\n')[0]!
    const history = await docker('history', '--no-trunc', '--format', '{{.CreatedBy}}', image)
    const inspected = await docker('image', 'inspect', image)
    expect(traces.filter((trace) => `${history}${inspected}`.includes(trace))).toEqual([])
    expect(await textsInImage(image, [...traces, 'secrets /'])).toEqual([])
    expect(await textsInImage(image, ['"secrets"'])).toEqual(['"secrets"'])
  })

  describe('a hostile repository', () => {
    const marker = `/tmp/pwned-${randomBytes(6).toString('hex')}`
    const touch = `touch ${marker}`
    const expectUnharmed = () => expect(access(marker)).rejects.toThrow('ENOENT')

    test('names, links, submodules and a directory named like ours', async () => {
      const site = await deploy({
        ...nodeSite('unharmed'),
        [`$(${touch})`]: 'a',
        [`\`${touch}\`;x\nFROM scratch`]: 'b',
        '-rf': 'c',
        '--upload-pack=x': 'd',
        'line\nbreak "quoted" \'too\' $HOME \\ ünï': 'e',
        '.panel/build.sh': touch,
        '.panel/Dockerfile': `FROM scratch`,
        'panel/build-env': touch,
        'panel/Dockerfile': 'FROM scratch',
        '.dockerignore': 'server.js\npackage.json\n../../etc\n',
        '.gitattributes': '* filter=evil export-subst\nserver.js export-ignore\n',
        '.gitmodules': `[submodule "s"]\n\tpath = s\n\turl = file:///etc\n[submodule "t"]\n\tpath = t\n\turl = ext::sh -c ${touch}\n`,
        s: { submodule: 'a'.repeat(40) },
        t: { submodule: 'b'.repeat(40) },
        'link-out': { symlinkTo: '/etc/passwd' },
        'link-up': { symlinkTo: '../../../../../../etc' },
        'post-checkout': { executable: `#!/bin/sh\n${touch}\n` }
      })
      expect(await bodyOf(site)).toBe('unharmed /')
      await expectUnharmed()
    })

    test('a submodule with a command of its own is refused', async () => {
      const modules = `[submodule "s"]\n\tpath = s\n\turl = https://example.com/a/b\n\tupdate = !${touch}\n`
      const files = { ...nodeSite('no'), '.gitmodules': modules, s: { submodule: 'a'.repeat(40) } }
      const repository = `acme/hostile-${randomBytes(4).toString('hex')}`
      await git.createRepository(repository, files)
      const { id } = await user.createProject({ type: 'NODEJS' })
      const connection = { gitUrl: git.url(repository), branch: 'main', isPrivate: false }
      expect(await user.request('POST', `/projects/${id}/git/connect`, connection)).toMatchObject({ status: 422 })
      await expectUnharmed()
    })

    test('commands of every kind run in the container only', async () => {
      const line = `echo "it's" '"quoted"' "$(${touch})" \`${touch}\`; ${touch}; ${touch} & ${touch} | true && : '; ${touch}`
      const site = await deploy(nodeSite('commands'), {
        buildCmd: `${line}'`,
        startCmd: `${line}'; ls ${marker} > /tmp/seen; exec node server.js "$(${touch})" 'a b'`
      })
      expect(await bodyOf(site)).toBe('commands /')
      await expectUnharmed()
    })

    test('a package.json that runs what it likes at install', async () => {
      const scripts = {
        preinstall: touch,
        postinstall: `${touch}; echo "$(id)" "$(cat /proc/self/cgroup)"`,
        start: 'node server.js'
      }
      const site = await deploy({
        ...nodeSite('installed'),
        'package.json': JSON.stringify({ name: `$(${touch})`, type: 'module', scripts }),
        '.npmrc': `script-shell=/bin/sh\nprefix=/tmp\n`
      })
      expect(await bodyOf(site)).toBe('installed /')
      await expectUnharmed()
    })

    test('a Dockerfile that is a link, or leads out of the repository', async () => {
      const link = await user.createSite(git, { Dockerfile: { symlinkTo: '/etc/passwd' } }, { type: 'DOCKERFILE' })
      const refused = await user.build(link.id)
      expect(refused.status).toBe('FAILED')
      expect(refused.buildLogs).toMatch(/^FAILED: The Dockerfile is a symbolic link/m)
      expect(refused.buildLogs).not.toContain('root:')
      const files = {
        Dockerfile: 'FROM node:24-trixie-slim\nCOPY outside /stolen\nRUN cat /stolen/passwd\n',
        outside: { symlinkTo: '/etc' }
      }
      const out = await user.createSite(git, files, { type: 'DOCKERFILE' })
      const failed = await user.build(out.id)
      expect(failed.status).toBe('FAILED')
      expect(failed.buildLogs).not.toContain('root:x:0:0')
      await expectUnharmed()
    })
  })
})

describe('limits', () => {
  let panel: RunningPanel
  let user: Client
  beforeAll(async () => {
    panel = await startPanel({
      GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}`,
      BUILD_CONCURRENCY: '3',
      BUILD_MEMORY_LIMIT: '96m',
      BUILD_PIDS_LIMIT: '64',
      BUILD_TIMEOUT: '20'
    })
    user = await panel.signUp()
  })
  afterAll(() => panel?.dispose())

  test('a fork bomb, a memory hog and an endless build fail with the reason; the panel continues', async () => {
    const dockerfile = (command: string) => ({ Dockerfile: `FROM node:24-trixie-slim\nRUN ${command}\n` })
    const builds = {
      forks: 'for i in $(seq 300); do sleep 6116 & done; wait',
      eats: 'node -e "const held = []; for (;;) held.push(Buffer.alloc(1e6, 1))"',
      lasts: 'echo waiting && sleep 6117'
    }
    const deployments = new Map<string, Promise<Deployment>>()
    for (const [name, command] of Object.entries(builds)) {
      const site = await user.createSite(git, dockerfile(command), { type: 'DOCKERFILE' })
      deployments.set(name, user.build(site.id))
    }
    let done = false
    const ended = Promise.all(deployments.values()).finally(() => (done = true))
    while (!done) {
      expect((await fetch(`${panel.url}/api/health`)).status).toBe(200)
      expect((await user.request('GET', '/projects')).status).toBe(200)
      await sleep(200)
    }
    for (const { status } of await ended) expect(status).toBe('FAILED')
    const logOf = async (name: string) => (await deployments.get(name)!).buildLogs
    expect(await logOf('forks')).toMatch(/Cannot fork|Resource temporarily unavailable/)
    expect(await logOf('forks')).toMatch(/^FAILED: The build failed: [^]*limit of 64 processes/m)
    expect(await logOf('eats')).toMatch(/^FAILED: The build failed: [^]*96 MiB of memory/m)
    expect(await logOf('lasts')).toMatch(/^FAILED: It took longer than the build timeout of 20 s/m)
    await expect.poll(commandLines, { timeout: 30_000 }).not.toContain('sleep 6117')
    await expect.poll(commandLines, { timeout: 30_000 }).not.toContain('sleep 6116')
  })
})
