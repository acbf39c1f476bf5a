import { describe, expect, test } from 'vitest'
import { createMemoryTree } from '../../../test/fakes/memory-source-tree.ts'
import { planBuild } from './detect.ts'
import type { BuildSource } from './image-builder.ts'
import { findProjectRoot } from './project-root.ts'

const images = { node: 'node:{version}', python: 'python:{version}', static: 'caddy:2', php: 'php:8.4-fpm' }
const json = (value: object) => JSON.stringify(value)
const start = json({ scripts: { start: 'node server.js' } })

type Files = Record<string, string | null>
const planOf = (files: Files, settings: Partial<BuildSource>) =>
  planBuild(
    createMemoryTree(files),
    { type: 'NODEJS', buildCmd: null, startCmd: null, port: null, buildEnv: {}, ...settings },
    images,
    {}
  )
const textOf = ({ files, dockerfile }: Awaited<ReturnType<typeof planOf>>) => files.get(dockerfile)!

describe('where a project lies', () => {
  const workspace = json({ workspaces: ['apps/*'] })
  test.each<[string, Files, string, { context: string; app: string }]>([
    ['a folder of its own', { 'web/package.json': start }, 'web', { context: 'web', app: '' }],
    ['with its own lock file', { 'package.json': workspace, 'apps/web/package.json': start, 'apps/web/yarn.lock': '' }, 'apps/web', { context: 'apps/web', app: '' }],
    ['in a workspace', { 'package.json': workspace, 'apps/web/package.json': start }, 'apps/web', { context: '', app: 'apps/web' }],
    ['in a workspace of pnpm', { 'pnpm-workspace.yaml': '', 'apps/web/package.json': start }, 'apps/web', { context: '', app: 'apps/web' }],
    ['in a workspace below the root', { 'js/package.json': workspace, 'js/apps/web/package.json': start }, 'js/apps/web', { context: 'js', app: 'apps/web' }],
    ['beside a workspace, in another language', { 'package.json': workspace, 'api/app.py': '' }, 'api', { context: 'api', app: '' }]
  ])('%s', async (_, files, root, expected) => {
    expect(await findProjectRoot(createMemoryTree(files), root)).toEqual(expected)
  }) // oxfmt-ignore

  test.each<[string, Files, string]>([
    ['a missing directory', { 'web/package.json': start }, 'app'],
    ['a file', { web: '' }, 'web'],
    ['a link', { 'web/package.json': start, apps: null }, 'apps/web']
  ])('%s is refused', async (_, files, root) => {
    await expect(findProjectRoot(createMemoryTree(files), root)).rejects.toThrow(/no directory|symbolic link/)
  })
})

describe('a Node.js project in a workspace', () => {
  const files = {
    'package.json': json({ workspaces: ['apps/*', 'packages/*'], packageManager: 'pnpm@9.15.4', engines: { node: '22' }, devDependencies: { turbo: '2' } }),
    'pnpm-lock.yaml': '',
    'pnpm-workspace.yaml': '',
    'packages/ui/package.json': json({ name: 'ui' }),
    'apps/web/package.json': json({ name: 'web', scripts: { build: 'next build', start: 'next start' }, dependencies: { next: '15', ui: 'workspace:*' } })
  } // oxfmt-ignore
  const settings = { rootDirectory: 'apps/web' }

  test('installs the workspace and builds and starts in its own directory', async () => {
    const plan = await planOf(files, settings)
    expect(plan).toMatchObject({
      contextDirectory: '',
      detected: { framework: 'Next.js', packageManager: 'pnpm 9.15.4', runtime: { version: '22' } }
    })
    expect([...plan.dependencyFiles]).toContain('packages/ui/package.json')
    expect(plan.files.get('panel/build.sh')).toMatch(/^cd apps\/web\npnpm run build\nls /)
    expect(textOf(plan)).toContain('WORKDIR /app/apps/web')
    expect(textOf(plan)).toContain('PATH=/app/apps/web/node_modules/.bin:/app/node_modules/.bin:')
  })

  test('Turborepo builds what it needs first', async () => {
    const plan = await planOf({ ...files, 'turbo.json': '{}' }, settings)
    expect(plan.files.get('panel/build.sh')).toMatch(/^turbo run build --filter=.\/apps\/web\ncd apps\/web\nls /)
  })

  test('a site is taken from its own directory', async () => {
    const site = json({ name: 'web', scripts: { build: 'vite build' }, devDependencies: { vite: '6' } })
    const plan = await planOf({ ...files, 'apps/web/package.json': site }, { ...settings, type: 'STATIC' })
    expect(textOf(plan)).toContain('cd apps/web && for d in dist ')
  })
})

describe('a Dockerfile', () => {
  const type = 'DOCKERFILE'
  test('in a subfolder with the context above it, with its own ignore file', async () => {
    const files = { 'docker/web.Dockerfile': 'FROM node:24\nCOPY . /app', 'docker/web.Dockerfile.dockerignore': 'secret', '.dockerignore': 'other' }
    const plan = await planOf(files, { type, dockerfilePath: 'docker/web.Dockerfile' })
    expect([plan.dockerfile, plan.contextDirectory]).toEqual(['docker/web.Dockerfile', ''])
    expect([plan.ignore.includes('secret'), plan.ignore.includes('other')]).toEqual([true, false])
  }) // oxfmt-ignore

  test('that lies elsewhere is named', async () => {
    await expect(planOf({ 'apps/api/Dockerfile': 'FROM node:24' }, { type })).rejects.toThrow('apps/api/Dockerfile')
    await expect(planOf({ Dockerfile: 'FROM node:24' }, { type, dockerfilePath: 'x' })).rejects.toThrow('no file x')
    expect((await planOf({ 'api/Dockerfile': 'FROM node:24' }, { type, rootDirectory: 'api' })).contextDirectory).toBe(
      'api'
    )
  })

  test.each<[string, Partial<BuildSource>, [context: string, dockerfile: string] | string]>([
    ['the root directory', { rootDirectory: 'apps/api' }, ['apps/api', 'Dockerfile']],
    ['in a workspace too', { rootDirectory: 'apps/web' }, ['apps/web', 'Dockerfile']],
    ['a context above it', { rootDirectory: 'apps/api', dockerContext: 'apps' }, ['apps', 'api/Dockerfile']],
    ['the repository', { rootDirectory: 'apps/api', dockerContext: '.' }, ['', 'apps/api/Dockerfile']],
    ['a context beside it', { rootDirectory: 'apps/api', dockerContext: 'apps/web' }, 'outside the build context'],
    ['a missing context', { rootDirectory: 'apps/api', dockerContext: 'x' }, 'no directory x'],
    ['a link as context', { rootDirectory: 'apps/api', dockerContext: 'link' }, 'symbolic link']
  ])('is built in %s', async (_, settings, expected) => {
    const files = {
      'package.json': json({ workspaces: ['apps/*'] }),
      'apps/web/package.json': start,
      'apps/web/Dockerfile': 'FROM node:24',
      'apps/api/Dockerfile': 'FROM node:24',
      link: null
    }
    const plan = planOf(files, { type, ...settings })
    if (typeof expected === 'string') await expect(plan).rejects.toThrow(expected)
    else expect(await plan.then(({ contextDirectory, dockerfile }) => [contextDirectory, dockerfile])).toEqual(expected)
  })

  test('is built up to its target, with build arguments', async () => {
    const files = { Dockerfile: 'ARG V=20\nFROM node:$V AS web\nRUN a\nFROM web AS worker\nRUN b' }
    const plan = await planOf(files, { type, dockerTarget: 'WEB', buildArgs: { V: '22' }, startCmd: 'node x' })
    expect(plan.buildArgs).toEqual({ V: '22' })
    expect(textOf(plan)).toMatch(/node:22 AS web\nRUN a\nENTRYPOINT .*\nCMD \[\]\n$/)
    await expect(planOf(files, { type, dockerTarget: 'api' })).rejects.toThrow('no stage api')
  })
})

describe('an own install command', () => {
  test.each<[BuildSource['type'], Files]>([
    ['NODEJS', { 'package.json': start, 'package-lock.json': '' }],
    ['STATIC', { 'package.json': json({ scripts: { build: 'x' } }) }],
    ['PYTHON', { 'app.py': 'from flask import Flask\napp = Flask(__name__)', 'requirements.txt': 'flask' }]
  ])('replaces the detected one of %s and gets the source and the variables', async (type, files) => {
    const plan = await planOf(files, { type, installCmd: 'make deps', buildEnv: { TOKEN: 't' } })
    const text = textOf(plan)
    expect(plan.files.get('panel/install.sh')).toBe('make deps\n')
    expect(plan.files.get('panel/build-env')).toContain("TOKEN='t'")
    expect(text).not.toMatch(/"npm","(ci|install|prune)"|"--requirement"/)
    expect(text.indexOf('"source/"')).toBeLessThan(text.indexOf('install.sh'))
  })

  test('runs in the project’s directory of a workspace', async () => {
    const files = { 'package.json': json({ workspaces: ['apps/*'] }), 'apps/web/package.json': start }
    const plan = await planOf(files, { rootDirectory: 'apps/web', installCmd: 'npm ci' })
    expect(plan.files.get('panel/install.sh')).toBe('cd apps/web\nnpm ci\n')
  })
})

describe('an output directory', () => {
  test('is the only place that a built site is taken from', async () => {
    const files = { 'package.json': json({ scripts: { build: 'x', start: 'vite' } }) }
    const plan = await planOf(files, { outputDirectory: 'packages/site/out' })
    expect(plan.detected.site).toEqual(['packages/site/out'])
    expect(textOf(plan)).toContain('for d in packages/site/out; do')
  })

  test('names the site of a repository without a build', async () => {
    const files = { 'index.html': '', 'docs/html/index.html': '' }
    const settings = { type: 'STATIC' as const, outputDirectory: 'docs/html' }
    expect(textOf(await planOf(files, settings))).toContain('COPY ["source/docs/html/","/srv/"]')
    await expect(planOf({ 'index.html': '' }, settings)).rejects.toThrow('no index.html in docs/html')
  })
})
