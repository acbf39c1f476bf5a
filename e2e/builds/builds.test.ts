import { randomBytes } from 'node:crypto'
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deployment } from '@panel/contract/deployments'
import type { Detection } from '@panel/contract/detection'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { docker, textsInImage } from '../support/engine.ts'
import { filesOf, frameworkProjects, nativeProjects } from '../support/frameworks.ts'
import type { Files } from '../support/git-repositories.ts'
import type { Client, RunningPanel, Site } from '../support/panel.ts'
import { commandLines } from '../support/processes.ts'
import { removeProjects, sharedWorld, type World } from '../support/shared-world.ts'
import { nodeSite } from '../support/sites.ts'

let world: World
let panel: RunningPanel
let user: Client
beforeAll(async () => {
  world = await sharedWorld()
  panel = world.panel
  user = await panel.signUp()
})
afterAll(() => removeProjects(user))

const expectRunning = (deployment: Deployment) =>
  expect(deployment, deployment.buildLogs ?? '').toMatchObject({ status: 'RUNNING' })
const bodyOf = async ({ hostname }: Pick<Site, 'hostname'>, path = '/') => (await panel.visit(hostname, path)).body
async function deploy(files: Files, values: Record<string, unknown> = {}) {
  const site = await user.createSite(world.git, files, values)
  const deployment = await user.build(site.id, 900_000)
  expectRunning(deployment)
  return { ...site, deployment, log: deployment.buildLogs ?? '' }
}

// Projects with hundreds of packages run in the benchmark: npm run bench frameworks.
const isLight = ({ isHeavy }: { isHeavy?: true }) => isHeavy !== true

describe.concurrent('with nothing set but its type', () => {
  test.each(frameworkProjects.filter(isLight))('a project of the framework $name', async (project) => {
    const site = await deploy(filesOf(project, 'the first page'), { type: project.type })
    const detected = await user.call<Detection>('GET', `/projects/${site.id}/detection`)
    expect(detected).toMatchObject({ problem: null, description: expect.stringContaining(project.found) as string })
    expect(site.log).toContain(`Found ${project.found}`)
    expect(await bodyOf(site, project.page)).toContain('the first page')
  })

  test.each(nativeProjects.filter(isLight))(
    'the native package $name works, and what compiled it is not in the image',
    async ({ files, answers }) => {
      const site = await deploy(files, { type: 'NODEJS' })
      expect(await bodyOf(site)).toBe(answers)
      const image = `panel-${site.id}:${site.deployment.id}`
      const found = await docker('run', '--rm', '--network', 'none', '--entrypoint', '/bin/sh', image, '-c', 'command -v g++ make python3 || echo none') // oxfmt-ignore
      expect(found.trim()).toBe('none')
    }
  )
})

test('a build command for one build takes the place of the project’s', async () => {
  const site = await user.createSite(world.git, nodeSite('commands'), { buildCmd: 'exit 1' })
  const { id } = await user.call<Deployment>('POST', `/projects/${site.id}/build`, {
    buildCmd: 'echo \'{"by": "this build"}\' > built.json'
  })
  expectRunning(await user.waitFor(site.id, id))
  expect(await bodyOf(site, '/built')).toBe('{"by": "this build"}\n')
})

test('secrets are there in the build, and neither in its log nor in the image', async () => {
  const secret = `s3cret-${randomBytes(12).toString('hex')}`
  const multiline = `-----BEGIN KEY-----\n${randomBytes(48).toString('base64')}\n${randomBytes(30).toString('base64')}\n-----END KEY-----`
  const site = await user.createSite(world.git, {
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
        }`
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
  // Control: a text that is in the image is found.
  expect(await textsInImage(image, [...traces, '"secrets"'])).toEqual(['"secrets"'])
})

describe('a hostile repository', () => {
  const marker = `/tmp/pwned-${randomBytes(6).toString('hex')}`
  const touch = `touch ${marker}`
  const expectUnharmed = () => expect(access(marker)).rejects.toThrow('ENOENT')

  test('with any names, links, submodules, scripts and commands touches its container only', async () => {
    const line = `echo "it's" '"quoted"' "$(${touch})" \`${touch}\`; ${touch}; ${touch} & ${touch} | true && : '; ${touch}`
    const scripts = { preinstall: touch, postinstall: `${touch}; echo "$(id)" "$(cat /proc/self/cgroup)"` }
    const site = await deploy(
      {
        ...nodeSite('unharmed'),
        'package.json': JSON.stringify({ name: `$(${touch})`, type: 'module', scripts }),
        '.npmrc': `script-shell=/bin/sh\nprefix=/tmp\n`,
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
      },
      {
        buildCmd: `${line}'`,
        startCmd: `${line}'; WORD="of its own" exec node server.js "$(${touch})" 'a b'`,
        port: 4555
      }
    )
    expect(await bodyOf(site)).toBe('unharmed /')
    expect(JSON.parse(await bodyOf(site, '/env'))).toMatchObject({ WORD: 'of its own', PORT: '4555' })
    await expectUnharmed()
  })

  test('a submodule with a command of its own is refused', async () => {
    const modules = `[submodule "s"]\n\tpath = s\n\turl = https://example.com/a/b\n\tupdate = !${touch}\n`
    const files = { ...nodeSite('no'), '.gitmodules': modules, s: { submodule: 'a'.repeat(40) } }
    const repository = `acme/hostile-${randomBytes(4).toString('hex')}`
    await world.git.createRepository(repository, files)
    const { id } = await user.createProject({ type: 'NODEJS' })
    const connection = { gitUrl: world.git.url(repository), branch: 'main', isPrivate: false }
    expect(await user.request('POST', `/projects/${id}/git/connect`, connection)).toMatchObject({ status: 422 })
    await expectUnharmed()
  })

  test('a Dockerfile that leads out of the repository', async () => {
    const files = {
      Dockerfile: 'FROM node:24-trixie-slim\nCOPY outside /stolen\nRUN cat /stolen/passwd\n',
      outside: { symlinkTo: '/etc' }
    }
    const out = await user.createSite(world.git, files, { type: 'DOCKERFILE' })
    const failed = await user.build(out.id)
    expect(failed.status).toBe('FAILED')
    expect(failed.buildLogs).not.toContain('root:x:0:0')
  })
})

describe('limits', () => {
  beforeAll(() => world.change({ BUILD_MEMORY_LIMIT: '96m', BUILD_PIDS_LIMIT: '64', BUILD_TIMEOUT: '20' }))
  afterAll(() => world?.change({ BUILD_MEMORY_LIMIT: null, BUILD_PIDS_LIMIT: null, BUILD_TIMEOUT: null }))

  test('a fork bomb, a memory hog and an endless build fail with the reason; the panel continues', async () => {
    const dockerfile = (command: string) => ({ Dockerfile: `FROM node:24-trixie-slim\nRUN ${command}\n` })
    const builds = {
      forks: 'for i in $(seq 300); do sleep 6116 & done; wait',
      eats: 'node -e "const held = []; for (;;) held.push(Buffer.alloc(1e6, 1))"',
      lasts: 'echo waiting && sleep 6117'
    }
    const deployments = new Map<string, Promise<Deployment>>()
    for (const [name, command] of Object.entries(builds)) {
      const site = await user.createSite(world.git, dockerfile(command), { type: 'DOCKERFILE' })
      deployments.set(name, user.build(site.id))
    }
    let done = false
    const ended = Promise.all(deployments.values()).finally(() => (done = true))
    while (!done) {
      expect((await fetch(`${panel.url}/api/health`)).status).toBe(200)
      expect((await user.request('GET', '/projects')).status).toBe(200)
      await sleep(500)
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
