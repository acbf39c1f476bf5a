import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { label } from '../../packages/server/src/infra/container-engine/labels.ts'
import { createBuildBench } from './image-builder.harness.ts'
import { docker } from '../support/engine.ts'
import { until } from '../support/poll.ts'

const execute = promisify(execFile)

let bench: Awaited<ReturnType<typeof createBuildBench>>
beforeAll(async () => {
  bench = await createBuildBench()
})
afterAll(async () => {
  await bench?.close()
})

const get = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, { headers })
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
const integrity = 'sha512-6FlzubTLZG3J2a/NVCAleEhjzq5oxgHyaCU9yYXvcLsvoVaHJq/s5xXI6/XXP6tz7R9xAOtHnSO/tXtF3WRTlA=='
const npmLock = json({
  name: 'app',
  version: '1.0.0',
  lockfileVersion: 3,
  requires: true,
  packages: {
    '': { name: 'app', version: '1.0.0', dependencies: { ms: '2.1.3' } },
    'node_modules/ms': { version: '2.1.3', integrity }
  }
})
const manifest = (more: object = {}) => json({ name: 'app', version: '1.0.0', dependencies: { ms: '2.1.3' }, ...more })
const server = (answer: string) => `
  const http = require('node:http')
  const ms = require('ms')
  http.createServer((request, response) => response.end(${answer} + ' ' + ms(60000))).listen(process.env.PORT)
`
const secret = `s3cr€t "quoted" 'single' $HOME \`id\`\nsecond line \\n`

describe('Node.js', () => {
  test('npm: builds with the variables, runs as an unknown user, keeps dependencies when the source changes', async () => {
    const name = 'acme/npm'
    const files = {
      'package.json': manifest({ scripts: { build: 'node build.js', start: 'node server.js' } }),
      'package-lock.json': npmLock,
      'node_modules/ms/index.js': `module.exports = () => 'committed'`,
      'build.js': `
        require('node:fs').writeFileSync('built.json', JSON.stringify({ length: process.env.API_SECRET.length, b: Buffer.from(process.env.API_SECRET).toString('hex').length }))`,
      'server.js': server(
        `JSON.stringify(require('./built.json')) + process.getuid() + (process.env.API_SECRET ?? 'unset')`
      )
    }
    const first = await bench.build(name, await bench.repositories.createRepository(name, files), {
      type: 'NODEJS',
      buildEnv: { API_SECRET: secret }
    })
    expect(first).toMatchObject({ port: 3000, readOnlyRoot: false, filesAt: '/data', home: '/home/app' })
    const { url } = await bench.start(first)
    expect((await get(url)).text).toBe(`{"length":${secret.length},"b":${Buffer.from(secret).length * 2}}21001unset 1m`)

    const changed = { 'server.js': server(`'changed'`) }
    const second = await bench.build(name, await bench.repositories.commit(name, changed, 'Change'), {
      type: 'NODEJS',
      buildEnv: { API_SECRET: 'another value' }
    })
    expect(second.log).toMatch(/RUN [^\n]*\["npm","ci"[^\n]*\n[^\n]*Using cache/)
    expect((await get((await bench.start(second)).url)).text).toBe('changed 1m')
  })

  test('pnpm by its lock file', async () => {
    const built = await bench.buildFiles(
      {
        'package.json': manifest({
          scripts: { build: 'echo building', start: 'node server.js' },
          devDependencies: { dotenv: '16.4.5' }
        }),
        'pnpm-lock.yaml': pnpmLock,
        'server.js': server(`require('node:fs').existsSync('node_modules/dotenv') ? 'dev' : 'pruned'`)
      },
      { type: 'NODEJS' }
    )
    expect(built.description).toBe('Node.js with pnpm 9, build script, starts the "start" script')
    expect((await get((await bench.start(built)).url)).text).toBe('pruned 1m')
  })

  // mirrors.test.ts has yarn 4.
  test('yarn 1 by its lock file', async () => {
    const files = { 'package.json': manifest({ main: 'server.js' }), 'server.js': server(`'yarn'`) }
    const classic = await bench.buildFiles({ ...files, 'yarn.lock': yarnLock }, { type: 'NODEJS' })
    expect(classic.description).toBe('Node.js with yarn 1, starts node "server.js"')
    expect((await get((await bench.start(classic)).url)).text).toBe('yarn 1m')
  })
})

describe('Python', () => {
  test('a Flask application, dependencies before source', async () => {
    const name = 'acme/flask'
    const app = (answer: string) =>
      `from flask import Flask\nimport os\napp = Flask(__name__)\n\n@app.route('/')\ndef index():\n    open('/data/x', 'w').write('x')\n    return '${answer} ' + str(os.getuid())\n`
    const files = { 'requirements.txt': 'flask\n', 'app.py': app('hello') }
    const first = await bench.build(name, await bench.repositories.createRepository(name, files), { type: 'PYTHON' })
    expect(first.description).toBe('Python with requirements.txt, starts Flask with gunicorn')
    expect((await get((await bench.start(first)).url)).text).toBe('hello 21001')
    const second = await bench.build(
      name,
      await bench.repositories.commit(name, { 'app.py': app('again') }, 'Change'),
      { type: 'PYTHON' }
    )
    expect(second.log).toMatch(/RUN [^\n]*\["pip","install"[^\n]*\n[^\n]*Using cache/)
    expect((await get((await bench.start(second)).url)).text).toBe('again 21001')
  })

  test('pyproject.toml and an ASGI application in src/', async () => {
    const built = await bench.buildFiles(
      {
        'pyproject.toml': '[project]\nname = "app"\nversion = "1"\ndependencies = ["flask>=2"]\n',
        'asgi.py': `async def app(scope, receive, send):
    assert scope['type'] == 'http'
    await send({'type': 'http.response.start', 'status': 200, 'headers': []})
    await send({'type': 'http.response.body', 'body': open('built.txt', 'rb').read()})

application = app
`
      },
      { type: 'PYTHON', buildCmd: 'printf %s "$GREETING" > built.txt', buildEnv: { GREETING: 'from the build' } }
    )
    expect(built.description).toBe('Python with pyproject.toml, build command, starts ASGI with uvicorn')
    expect((await get((await bench.start(built)).url)).text).toBe('from the build')
  })
})

describe('static sites', () => {
  test('without a build: hidden files stay hidden, a 404.html is used, and a commit changes the validators', async () => {
    const name = 'acme/static'
    const built = await bench.build(
      name,
      await bench.repositories.createRepository(name, {
        'index.html': 'home',
        'about.html': 'about',
        'docs/index.html': 'docs',
        '404.html': 'nothing here',
        '.env': 'SECRET=1',
        '.git-secret': 'x',
        'sub/.htpasswd': 'x',
        '.well-known/security.txt': 'contact',
        "odd $name 'x'.txt": 'odd'
      }),
      { type: 'STATIC' }
    )
    expect(built).toMatchObject({ port: 8080, readOnlyRoot: true, filesAt: '/data', description: 'a static site' })
    const { url } = await bench.start(built)
    const page = async (path: string) => {
      const { status, text } = await get(`${url}${path}`)
      return [status, text]
    }
    expect(await page('/')).toEqual([200, 'home'])
    expect(await page('/about')).toEqual([200, 'about'])
    expect(await page('/docs/')).toEqual([200, 'docs'])
    expect(await page('/missing')).toEqual([404, 'nothing here'])
    for (const hidden of ['/.env', '/%2eenv', '/.git-secret', '/sub/.htpasswd', '/sub/../.env', '/.env/']) {
      expect(await page(hidden), hidden).toEqual([404, 'nothing here'])
    }
    expect(await page('/.well-known/security.txt')).toEqual([200, 'contact'])
    expect(await page(`/${encodeURIComponent("odd $name 'x'.txt")}`)).toEqual([200, 'odd'])
    const first = await get(`${url}/`)
    expect(first.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    // Of the same size.
    const changed = await bench.repositories.commit(name, { 'index.html': 'tent' }, 'Change')
    const second = await get((await bench.start(await bench.build(name, changed, { type: 'STATIC' }))).url)
    expect([second.text, first.headers.get('etag') !== null]).toEqual(['tent', true])
    expect(second.headers.get('etag')).not.toBe(first.headers.get('etag'))
  })

  test('with a build: its output is served, unknown pages are the application', async () => {
    const built = await bench.buildFiles(
      {
        'package.json': json({ scripts: { build: 'node build.js' } }),
        'index.html': 'source',
        'public/index.html': 'template',
        'build.js': `const fs = require('node:fs'); fs.mkdirSync('dist/assets', { recursive: true, mode: 0o700 }); fs.writeFileSync('dist/index.html', 'application ' + process.env.API_URL, { mode: 0o600 }); fs.writeFileSync('dist/assets/a.js', 'js')`
      },
      { type: 'STATIC', buildEnv: { API_URL: 'https://api.example.com' }, port: 80 }
    )
    expect(built).toMatchObject({ port: 80, description: 'a static site built by Node.js with npm, build script' })
    const { url } = await bench.start(built)
    expect((await get(`${url}/`)).text).toBe('application https://api.example.com')
    expect((await get(`${url}/users/42`)).text).toBe('application https://api.example.com')
    expect((await get(`${url}/users/john.doe`, { accept: 'text/html' })).text).toContain('application')
    expect((await get(`${url}/assets/a.js`)).text).toBe('js')
    expect((await get(`${url}/assets/gone.js`)).status).toBe(404)
  })

  test('a build that leaves no site says where it looked', async () => {
    await expect(bench.buildFiles({ 'a.txt': '' }, { type: 'STATIC', buildCmd: 'true' })).rejects.toThrow(
      /no index.html in any of: dist, build/
    )
  })
})

describe('WordPress', () => {
  test('without a repository: the core is laid out, and answers; what the web must not see is refused', async () => {
    const built = await bench.build(undefined, undefined, { type: 'WORDPRESS' })
    expect(built).toMatchObject({ port: 8080, filesAt: '/var/www/html', description: 'WordPress: core only' })
    const { url, id, files } = await bench.start(built)
    expect((await get(`${url}/`)).text).toMatch(/wp-config.php/)
    expect((await get(`${url}/readme.html`)).status).toBe(200)
    // Apache logs after it responds.
    await expect.poll(() => bench.engine.containerLogs(id, 50)).toMatch(/"GET \/readme.html HTTP\/1.1" 200/)
    const { uid, gid, mode } = await stat(join(files, 'wp-includes/version.php'))
    expect([uid, gid, mode & 0o777]).toEqual([21_001, 21_001, 0o644])
    expect(await readdir(join(files, '.panel-tmp'))).toEqual([])

    const secrets = ['wp-config.php', 'dump.sql', '.env', '.git/config', 'wp-content/uploads/shell.php', 'wp-content/uploads/shell.PHTML'] // oxfmt-ignore
    for (const path of secrets) await put(files, path, '<?php echo "secret";')
    await put(files, '.well-known/security.txt', 'contact')
    for (const path of [...secrets, '.panel-release', '.panel-tmp/', '.panel-tmp/x'])
      expect([path, (await get(`${url}/${path}`)).status]).toEqual([path, 403])
    expect((await get(`${url}/.well-known/security.txt`)).text).toBe('contact')
  })

  test('wp-content of the repository is laid over what is there once for each deployment; nothing else is touched', async () => {
    const name = 'acme/wp-content'
    const theme = 'wp-content/themes/mine/style.css'
    const first = await bench.build(
      name,
      await bench.repositories.createRepository(name, {
        [theme]: 'one',
        'wp-content/probe.php': '<?php echo getenv("DB_NAME"), posix_getuid();'
      }),
      { type: 'WORDPRESS' }
    )
    const files = await bench.newFiles()
    await put(files, 'wp-content/plugins/own.php', 'own')
    await put(files, 'index.php', 'changed')
    await put(files, theme, 'before')
    const old = await bench.start(first, { DB_NAME: 'blog', PANEL_DEPLOYMENT: '01a' }, files)
    expect((await get(`${old.url}/wp-content/probe.php`)).text).toBe('blog21001')
    expect((await get(`${old.url}/${theme}`)).text).toBe('one')
    expect((await get(`${old.url}/wp-content/plugins/own.php`)).text).toBe('own')
    expect((await get(`${old.url}/index.php`)).text).toBe('changed')

    await put(files, theme, 'by hand')
    await bench.engine.restartContainer(old.id, 1)
    expect(await until(() => get(`${old.url}/${theme}`).catch(() => undefined), (page) => page?.status === 200)).toMatchObject({ text: 'by hand' }) // oxfmt-ignore

    const second = await bench.build(name, await bench.repositories.commit(name, { [theme]: 'two' }, 'Change'), {
      type: 'WORDPRESS'
    })
    const young = await bench.start(second, { PANEL_DEPLOYMENT: '01b' }, files)
    expect((await get(`${young.url}/${theme}`)).text).toBe('two')
    await bench.engine.restartContainer(old.id, 1)
    expect(await until(() => get(`${old.url}/${theme}`).catch(() => undefined), (page) => page?.status === 200)).toMatchObject({ text: 'two' }) // oxfmt-ignore
    await bench.start(first, { PANEL_DEPLOYMENT: '01c' }, files)
    expect((await get(`${young.url}/${theme}`)).text).toBe('one')
  })

  test('several that start at once, each killed in the middle, end with the whole core', async () => {
    const built = await bench.build(undefined, undefined, { type: 'WORDPRESS' })
    const files = await bench.newFiles()
    for (let round = 0; round < 2; round++) {
      const started = bench.start(built, {}, files).catch(() => undefined)
      await until(
        () => readdir(files),
        (names) => names.length > round
      )
      for (const { id } of await bench.engine.listContainers({ [label.instance]: bench.instance }))
        await docker('kill', id).catch(() => {})
      await started
    }
    const sites = await Promise.all([1, 2].map(() => bench.start(built, {}, files)))
    for (const { url } of sites) expect((await get(`${url}/`)).text).toMatch(/wp-config.php/)
    const whole = await docker('run', '--rm', '--volume', `${files}:/files:ro`, built.tag, 'diff', '--recursive', '--exclude=.panel-*', '/usr/src/wordpress', '/files') // oxfmt-ignore
    expect(whole).toBe('')
  })

  test('the whole core from the repository, with its own wp-config.php', async () => {
    const files = { 'public/wp-includes/version.php': '<?php', 'public/wp-config.php': '<?php // own', 'public/index.php': 'own core' } // oxfmt-ignore
    const directory = await bench.newFiles()
    await put(directory, 'wp-config.php', 'the panel’s')
    const { url } = await bench.start(await bench.buildFiles(files, { type: 'WORDPRESS' }), {}, directory)
    expect((await get(`${url}/`)).text).toBe('own core')
    expect(await readFile(join(directory, 'wp-config.php'), 'utf8')).toBe('<?php // own')
    await expect(stat(join(directory, 'wp-load.php'))).rejects.toThrow(/ENOENT/)
  })
})

async function put(root: string, path: string, text: string): Promise<void> {
  const names = path.split('/')
  for (let depth = 1; depth < names.length; depth++) {
    const directory = join(root, ...names.slice(0, depth))
    await mkdir(directory, { recursive: true })
    await chown(directory, 21_001, 21_001)
  }
  await writeFile(join(root, path), text)
  await chown(join(root, path), 21_001, 21_001)
}

describe('the repository has its own Dockerfile', () => {
  test('it is built with .dockerignore, its port is found, its stages carry our labels', async () => {
    const built = await bench.buildFiles(
      {
        Dockerfile:
          'FROM node:24-trixie-slim \\\n  AS first\nRUN echo one > /one\n# comment\nFROM node:24-trixie-slim\nCOPY --from=first /one /one\nCOPY . /app\nEXPOSE 4000/tcp\nCMD ["node", "/app/server.js"]\n',
        '.dockerignore': 'secret.txt\nlogs\n!logs/keep.txt\n',
        'secret.txt': 'x',
        'logs/a.txt': 'x',
        'logs/keep.txt': 'x',
        'server.js': `const fs = require('node:fs'); require('node:http').createServer((q, s) => s.end(JSON.stringify([fs.readdirSync('/app').sort(), fs.readdirSync('/app/logs')]))).listen(4000)`
      },
      { type: 'DOCKERFILE' }
    )
    expect(built).toMatchObject({ port: 4000, readOnlyRoot: false, filesAt: '/data' })
    const { text } = await get((await bench.start(built)).url)
    expect(JSON.parse(text)).toEqual([['.dockerignore', 'Dockerfile', 'logs', 'server.js'], ['keep.txt']])
    if (bench.hasBuildKit) return // It keeps no images of steps.
    const unlabelled = await execute('docker', [
      'images',
      '--filter',
      'dangling=true',
      '--filter',
      `label=panel.instance=${bench.instance}`,
      '--quiet'
    ])
    expect(unlabelled.stdout.trim()).not.toBe('')
  })

  test('the project has a start command of its own', async () => {
    const files = { Dockerfile: 'FROM node:24-trixie-slim\nENTRYPOINT ["false"]\nCMD ["x"]' }
    const startCmd = `node -e 'require("node:http").createServer((q, s) => s.end("$0 own")).listen(8080)'`
    const built = await bench.buildFiles(files, { type: 'DOCKERFILE', startCmd })
    expect(built.port).toBe(8080)
    expect((await get((await bench.start(built)).url)).text).toBe('$0 own')
  })

  test('an image of another project is refused by its id, and its variables stay its own', async () => {
    if (bench.hasBuildKit) return // No image has variables; e2e/builds/buildkit.test.ts has what it shares.
    const secret = 'variable-of-another-project-0815'
    const victim = 'acme/victim'
    const files = { 'package.json': json({ scripts: { build: 'true' } }), 'server.js': '' }
    const built = await bench.build(victim, await bench.repositories.createRepository(victim, files), {
      type: 'NODEJS',
      buildEnv: { SECRET: secret }
    })
    const own = { [label.instance]: bench.instance, [label.project]: victim }
    const shortIds = (await bench.engine.listImages(own)).map(({ id }) => id.replace('sha256:', '').slice(0, 12))
    const holder = shortIds[0]!
    expect(holder).toMatch(/^[0-9a-f]{12}$/)

    const cat = 'RUN cat /run/panel/build-env'
    for (const dockerfile of [
      `FROM ${holder}\n${cat}`,
      `FROM ${holder.slice(0, 4)}\n${cat}`,
      `FROM ${holder.slice(0, 6)}\\\n${holder.slice(6)}\n${cat}`,
      `ARG X=${holder}\nFROM \${X}\n${cat}`,
      `FROM node:24-trixie-slim\nCOPY --from=${holder} /run/panel/build-env /x\nRUN cat /x`,
      `FROM node:24-trixie-slim\nRUN true <<EOF\nFROM ${holder}\n${cat}\nEOF`,
      `FROM ${built.tag}\nRUN cat /app/package.json`
    ]) {
      const error = await bench
        .buildFiles({ Dockerfile: dockerfile }, { type: 'DOCKERFILE' })
        .catch((one: Error) => one)
      expect(error, dockerfile).toMatchObject({ name: 'BuildError' })
      expect((error as Error).message).not.toContain(secret)
      expect((error as Error).message).toMatch(/an image ID|here-document|for a project/)
    }
  })

  test('the engine fetches nothing for it', async () => {
    let requests = 0
    const server = createServer((_, response) => {
      requests++
      response.end('inner')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    for (const lines of [`ADD ${url} /x`, `ADD "${url}" /x`, `ADD ["${url}", "/x"]`, `ENV U=${url}\nADD $U /x`, `ADD ht\\\ntp${url.slice(4)} /x`, `ONBUILD ADD ${url} /x`, `COPY ${url} /x`]) {
      const files = { Dockerfile: `FROM node:24-trixie-slim\n${lines}` }
      await expect(bench.buildFiles(files, { type: 'DOCKERFILE' }), lines).rejects.toMatchObject({ name: 'BuildError' })
    }
    server.close()
    expect(requests).toBe(0)
  }) // oxfmt-ignore

  test('stages by name and number, a stage named like an id and a variable before FROM are as ever', async () => {
    const Dockerfile = `# syntax=docker/dockerfile:1
# escape=\`
ARG VERSION=24
ARG BASE="node:\${VERSION}-trixie-slim"
ARG IMAGE=node
FROM --platform=$BUILDPLATFORM \${IMAGE}:\${VERSION}-trixie-slim AS x
ARG VERSION
# <<EOF
RUN echo one \`
  # a comment inside
  && echo "$VERSION \\\\n" > /one
FROM x AS b68
RUN cp /one /two
FROM docker.io/node:24-trixie-slim
COPY --from=x --chown=1000:1000 /one /one
COPY --from=1 ["/two", "/copied here/"]
COPY [s]erver.js note.t?t /app/
ADD note.txt /added
LABEL description="a site"
CMD ["node", "/app/server.js"]
`
    const built = await bench.buildFiles(
      {
        Dockerfile,
        'note.txt': 'note',
        'server.js': `const read = (path) => require('node:fs').readFileSync(path, 'utf8')
          const paths = ['/one', '/copied here/two', '/app/note.txt', '/added']
          require('node:http').createServer((q, s) => s.end(JSON.stringify(paths.map(read)))).listen(8080)`
      },
      { type: 'DOCKERFILE' }
    )
    expect(built.log).toContain('The option --platform is not used')
    const { text } = await get((await bench.start(built)).url)
    const one = expect.stringMatching(/^24 /) as string
    expect(JSON.parse(text)).toEqual([one, one, 'note', 'note'])
    const image = await bench.engine.findImage(built.tag)
    expect(image?.labels).toMatchObject({ [label.instance]: bench.instance, description: 'a site' })
    expect(image).toMatchObject({ onBuild: false, isLocal: true })
  })

  test('an image that no registry gives is said so', async () => {
    const files = { Dockerfile: 'FROM panel-test-nobody/no-such-image:1' }
    await expect(bench.buildFiles(files, { type: 'DOCKERFILE' })).rejects.toThrow(
      /^The image docker.io\/panel-test-nobody\/no-such-image:1 cannot be pulled: .*that it is public\.$/
    )
  })

  test('an image with triggers is known as one', async () => {
    const tag = `triggers-${bench.instance}:1`
    const building = execute('docker', ['build', '--label', `${label.instance}=${bench.instance}`, '--tag', tag, '-'], {
      env: { ...process.env, DOCKER_BUILDKIT: '0' }
    })
    building.child.stdin!.end('FROM scratch\nONBUILD COPY a /b\n')
    await building
    expect(await bench.engine.findImage(tag)).toMatchObject({ onBuild: true, isLocal: true })
    await expect(bench.buildFiles({ Dockerfile: `FROM ${tag}` }, { type: 'DOCKERFILE' })).rejects.toThrow('ONBUILD')
  })

  test('a symbolic link is refused', async () => {
    const files = { Dockerfile: { symlinkTo: '/etc/passwd' } }
    await expect(bench.buildFiles(files, { type: 'DOCKERFILE' })).rejects.toThrow('The Dockerfile is a symbolic link')
  })

  test('more than the limit is refused', async () => {
    const files = {
      Dockerfile: 'FROM scratch\nCOPY . /',
      a: Buffer.alloc(5 * 2 ** 20, 1),
      b: Buffer.alloc(5 * 2 ** 20, 2)
    }
    await expect(bench.buildFiles(files, { type: 'DOCKERFILE' })).rejects.toThrow('larger than 8 MiB')
  })
})

const pnpmLock = `lockfileVersion: '9.0'

settings:
  autoInstallPeers: true
  excludeLinksFromLockfile: false

importers:

  .:
    dependencies:
      ms:
        specifier: 2.1.3
        version: 2.1.3
    devDependencies:
      dotenv:
        specifier: 16.4.5
        version: 16.4.5

packages:

  dotenv@16.4.5:
    resolution: {integrity: sha512-ZmdL2rui+eB2YwhsWzjInR8LldtZHGDoQ1ugH85ppHKwpUHL7j7rN0Ti9NCnGiQbhaZ11FpR+7ao1dNsmduNUg==}
    engines: {node: '>=12'}

  ms@2.1.3:
    resolution: {integrity: ${integrity}}

snapshots:

  dotenv@16.4.5: {}

  ms@2.1.3: {}
`

const yarnLock = `# THIS IS AN AUTOGENERATED FILE. DO NOT EDIT THIS FILE DIRECTLY.
# yarn lockfile v1


ms@2.1.3:
  version "2.1.3"
  resolved "https://registry.yarnpkg.com/ms/-/ms-2.1.3.tgz#574c8138ce1d2b5861f0b44579dbadd60c6615b2"
  integrity ${integrity}
`
