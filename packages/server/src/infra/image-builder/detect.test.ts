import { describe, expect, test } from 'vitest'
import type { BuildPlan } from './build-plan.ts'
import { planBuild } from './detect.ts'
import type { BuildSource } from './image-builder.ts'
import { createMemoryTree } from '../../../test/fakes/memory-source-tree.ts'

const images = { node: 'node:24-trixie-slim', python: 'python:3.11', static: 'caddy:2', php: 'php:8.4-fpm' }
type Files = Record<string, string | null>
type Settings = Partial<Omit<BuildSource, 'repository'>>

const planOf = (type: BuildSource['type'], files: Files, settings: Settings = {}): Promise<BuildPlan> => {
  const source = { type, buildCmd: null, startCmd: null, port: null, buildEnv: {}, ...settings }
  return planBuild(createMemoryTree(files), source, images, { 'panel.instance': 'i' })
}
const dockerfileOf = async (...args: Parameters<typeof planOf>) => {
  const plan = await planOf(...args)
  return plan.files.get(plan.dockerfile)!
}
const manifest = (value: object) => JSON.stringify(value)
const start = { scripts: { start: 'node .' } }

describe('detection', () => {
  test.each<[string, BuildSource['type'], Files, Settings, string]>([
    ['npm', 'NODEJS', { 'package.json': manifest(start), 'package-lock.json': '' }, {}, 'Node.js with npm, starts the "start" script'],
    ['a build script', 'NODEJS', { 'package.json': manifest({ scripts: { start: 'x', build: 'y' } }) }, {}, 'Node.js with npm, build script, starts the "start" script'],
    ['a build command wins', 'NODEJS', { 'package.json': manifest({ scripts: { start: 'x', build: 'y' } }) }, { buildCmd: 'make' }, 'Node.js with npm, build command, starts the "start" script'],
    ['a start command wins', 'NODEJS', { 'package.json': manifest(start) }, { startCmd: 'node x' }, 'Node.js with npm, starts the start command'],
    ['pnpm by its lock', 'NODEJS', { 'package.json': manifest(start), 'pnpm-lock.yaml': "lockfileVersion: '6.0'" }, {}, 'Node.js with pnpm 8, starts the "start" script'],
    ['pnpm by packageManager', 'NODEJS', { 'package.json': manifest({ ...start, packageManager: 'pnpm@10.2.0+sha512.abc' }), 'pnpm-lock.yaml': '' }, {}, 'Node.js with pnpm 10.2.0, starts the "start" script'],
    ['yarn 1', 'NODEJS', { 'package.json': manifest(start), 'yarn.lock': '# yarn lockfile v1' }, {}, 'Node.js with yarn 1, starts the "start" script'],
    ['yarn of format 6', 'NODEJS', { 'package.json': manifest(start), 'yarn.lock': '__metadata:\n  version: 6\n' }, {}, 'Node.js with yarn 3, starts the "start" script'],
    ['yarn pinned', 'NODEJS', { 'package.json': manifest({ ...start, packageManager: 'yarn@4.1.0' }) }, {}, 'Node.js with yarn 4.1.0, starts the "start" script'],
    ['packageManager without its lock file', 'NODEJS', { 'package.json': manifest({ ...start, packageManager: 'yarn@4.1.0' }), 'package-lock.json': '' }, {}, 'Node.js with npm, starts the "start" script'],
    ['a hostile packageManager', 'NODEJS', { 'package.json': manifest({ ...start, packageManager: 'pnpm@1.0.0;id' }) }, {}, 'Node.js with npm, starts the "start" script'],
    ['scripts around start', 'NODEJS', { 'package.json': manifest({ scripts: { prestart: 'x', start: 'y' } }) }, {}, 'Node.js with npm, starts npm start'],
    ['main', 'NODEJS', { 'package.json': manifest({ main: './lib/a.js' }), 'lib/a.js': '' }, {}, 'Node.js with npm, starts node "lib/a.js"'],
    ['a well-known file', 'NODEJS', { 'server.js': '' }, {}, 'Node.js, starts node "server.js"'],
    ['Flask', 'PYTHON', { 'requirements.txt': 'flask', 'app.py': 'app = Flask(__name__)' }, {}, 'Python with requirements.txt, starts Flask with gunicorn'],
    ['FastAPI', 'PYTHON', { 'main.py': 'import fastapi\napi: FastAPI = fastapi.FastAPI(title="x")' }, {}, 'Python without dependencies, starts FastAPI with uvicorn'],
    ['Django', 'PYTHON', { 'manage.py': '"DJANGO_SETTINGS_MODULE", "shop.settings"', 'shop/wsgi.py': '', 'a/wsgi.py': '' }, {}, 'Python without dependencies, starts Django with gunicorn'],
    ['a Procfile', 'PYTHON', { Procfile: 'worker: x\nweb:  python s.py\n', 's.py': '' }, {}, 'Python without dependencies, starts web process of the Procfile'],
    ['a program that serves', 'PYTHON', { 'main.py': 'HTTPServer(a, b).serve_forever()' }, {}, 'Python without dependencies, starts python main.py'],
    ['poetry', 'PYTHON', { 'pyproject.toml': '[tool.poetry]\npackage-mode = false\n[tool.poetry.dependencies]\npython = "^3.9"\nflask = "^2"\n', 'poetry.lock': '', 'wsgi.py': 'from x import app' }, {}, 'Python with pyproject.toml and poetry.lock, starts WSGI with gunicorn'],
    ['a plain site', 'STATIC', { 'index.html': '' }, {}, 'a static site'],
    ['a plain site below', 'STATIC', { 'public/index.html': '' }, {}, 'a static site in public/'],
    ['a built site', 'STATIC', { 'package.json': manifest({ scripts: { build: 'vite build' }, devDependencies: { vite: '1' } }), 'index.html': '' }, {}, 'a static site built by Node.js with npm, Vite, build script'],
    ['WordPress alone', 'WORDPRESS', {}, {}, 'WordPress: core only'],
    ['a whole WordPress', 'WORDPRESS', { 'wp-includes/version.php': '' }, {}, 'WordPress: core from the repository'],
    ['wp-content', 'WORDPRESS', { 'wp-content/plugins/a.php': '' }, {}, 'WordPress: wp-content from the repository'],
    ['a theme', 'WORDPRESS', { 'style.css': `/*\n * Theme Name: A'b;\n*/` }, {}, 'WordPress: the theme a-b'],
    ['a Dockerfile', 'DOCKERFILE', { Dockerfile: 'FROM scratch' }, {}, 'the Dockerfile of the repository']
  ])('%s', async (_, type, files, settings, description) => {
    expect((await planOf(type, files, settings)).description).toBe(description)
  }) // oxfmt-ignore

  const procfile = 'web: node web.js\nworker: node worker.js\n'
  test.each<[string, BuildSource['type'], Files, Settings, string[], string | undefined]>([
    ['Node.js', 'NODEJS', { 'server.js': '', Procfile: procfile }, {}, ['web', 'worker'], 'node web.js'],
    ['a start command', 'NODEJS', { 'server.js': '', Procfile: procfile }, { startCmd: 'a' }, ['web', 'worker'], 'a'],
    ['a Dockerfile', 'DOCKERFILE', { Dockerfile: 'FROM scratch', Procfile: procfile }, {}, ['web', 'worker'], 'node web.js'],
    ['a Dockerfile with a start command', 'DOCKERFILE', { Dockerfile: 'FROM scratch', Procfile: procfile }, { startCmd: 'a' }, ['web', 'worker'], 'a'],
    ['a root directory', 'DOCKERFILE', { 'api/Dockerfile': 'FROM scratch', Procfile: procfile, 'api/Procfile': 'jobs: x' }, { rootDirectory: 'api', dockerContext: '.' }, ['jobs'], undefined],
    ['a static site', 'STATIC', { 'index.html': '', Procfile: procfile }, {}, [], undefined]
  ])('processes of %s', async (_, type, files, settings, names, start) => {
    const plan = await planOf(type, files, settings)
    expect(Object.keys(plan.processes ?? {})).toEqual(names)
    expect(plan.detected.start?.command).toBe(start)
  }) // oxfmt-ignore

  test.each<[string, BuildSource['type'], Files, RegExp]>([
    ['no start', 'NODEJS', { 'package.json': '{}' }, /package.json has no "start" script and no start command is set: add one/],
    ['nothing', 'NODEJS', { 'readme.md': '' }, /There is no package.json/],
    ['bad JSON', 'NODEJS', { 'package.json': '{' }, /package.json is not valid JSON: /],
    ['no object', 'NODEJS', { 'package.json': '[]' }, /package.json is not a JSON object/],
    ['no Python', 'PYTHON', { 'index.html': '' }, /no Python file/],
    ['no start of Python', 'PYTHON', { 'library.py': '' }, /set one \(listening on 0.0.0.0:\$PORT\)/],
    ['bad TOML', 'PYTHON', { 'pyproject.toml': '=', 'app.py': 'app = Flask()' }, /pyproject.toml is not valid TOML/],
    ['no site', 'STATIC', { 'readme.md': '' }, /No index.html was found/],
    ['no WordPress', 'WORDPRESS', { 'readme.md': '' }, /No WordPress was found/],
    ['no Dockerfile', 'DOCKERFILE', {}, /There is no Dockerfile/],
    ['a linked Dockerfile', 'DOCKERFILE', { Dockerfile: null }, /symbolic link; make it a regular file/],
    ['an empty Dockerfile', 'DOCKERFILE', { Dockerfile: '# nothing' }, /no FROM/]
  ])('%s is rejected', async (_, type, files, message) => {
    await expect(planOf(type, files)).rejects.toMatchObject({ name: 'BuildError', message: expect.stringMatching(message) as string })
  }) // oxfmt-ignore
})

describe('the port', () => {
  test.each<[BuildSource['type'], Files, number | undefined]>([
    ['NODEJS', { 'server.js': '' }, 3000],
    ['PYTHON', { 'app.py': 'app = Flask()' }, 8000],
    ['STATIC', { 'index.html': '' }, 8080],
    ['WORDPRESS', {}, 8080],
    ['DOCKERFILE', { Dockerfile: 'FROM x' }, undefined]
  ])('%s', async (type, files, port) => {
    expect((await planOf(type, files)).port).toBe(port)
    expect((await planOf(type, files, { port: 4321 })).port).toBe(4321)
  })
})

describe('user text', () => {
  const hostile = `echo "$HOME" 'x' \`id\` \\\nFROM scratch\nRUN \${evil} #`

  test.each<BuildSource['type']>(['NODEJS', 'PYTHON', 'STATIC', 'WORDPRESS'])('%s: commands never end a line of the Dockerfile', async (type) => {
    const files = { 'server.js': '', 'app.py': '', 'index.html': '', 'wp-includes/version.php': '' }
    const text = await dockerfileOf(type, files, { buildCmd: hostile, startCmd: hostile, buildEnv: { A: hostile } })
    for (const line of text.split('\n')) expect(line).toMatch(/^(FROM|LABEL|WORKDIR|ENV|RUN \[|COPY (--from=build )?(--chown=1000:1000 )?\[|EXPOSE|USER|CMD \[|$)/)
    expect(text.match(/^FROM /gm)!.length).toBeLessThan(5)
  }) // oxfmt-ignore

  test('the build command and the variables are files of the context', async () => {
    const plan = await planOf('NODEJS', { 'server.js': '' }, { buildCmd: hostile, buildEnv: { A: `it's` } })
    expect(plan.files.get('panel/build.sh')).toBe(`${hostile}\n`)
    expect(plan.files.get('panel/build-env')).toBe(`export A='it'\\''s'\n`)
    expect(plan.files.get('panel/Dockerfile')).not.toContain('echo')
  })
})
