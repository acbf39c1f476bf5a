import { expect, test } from 'vitest'
import { createMemoryTree } from '../../../test/fakes/memory-source-tree.ts'
import { planBuild } from './detect.ts'
import type { BuildSource } from './image-builder.ts'

const images = { node: 'node:20', python: 'python:3.11', static: 'caddy:2', php: 'php:8.4-fpm' }

async function render(
  type: BuildSource['type'],
  files: Record<string, string>,
  settings: Partial<BuildSource> = {},
  labels = {}
) {
  const source = { buildCmd: null, startCmd: null, port: null, buildEnv: {}, ...settings, type }
  const plan = await planBuild(createMemoryTree(files), { ...source, owner: 20_001, hasBuildKit: true }, images, labels)
  return { plan, text: plan.files.get(plan.dockerfile)! }
}
const json = (value: object) => JSON.stringify(value)

const cacheAt = (directory: string, more = '') =>
  new RegExp(`--mount=type=cache,id=panel-20001-[0-9a-f]{32},target=${directory}${more} `)
const secret = '--mount=type=secret,id=env,target=/run/panel/build-env,required=true '

test.each([
  ['npm', 'package-lock.json', '{}', /RUN - \["npm","ci"/, '/root/.npm', ''],
  ['pnpm', 'pnpm-lock.yaml', 'lockfileVersion: 9', /RUN - \["pnpm","install"/, '/root/.pnpm-store', ''],
  ['yarn 1', 'yarn.lock', '', /RUN - \["yarn","install"/, '/root/.yarn-cache', ',sharing=locked'],
  ['yarn 4', 'yarn.lock', '__metadata:\n  version: 8\n', /RUN - \["yarn","install"/, '/root/.yarn/berry/cache', ''],
  ['Bun', 'bun.lock', '{}', /RUN - \["bun","install"/, '/root/.bun/install/cache', '']
])('%s installs with a cache of the account', async (_, lock, content, install, directory, more) => {
  const files = { 'package.json': json({ main: 'a.js', dependencies: { a: '1' } }), 'a.js': '', [lock]: content }
  const { text } = await render('NODEJS', files)
  expect(text).toMatch(cacheAt(directory, more))
  expect(text.replace(cacheAt(directory, more), '- ')).toMatch(install)
})

test('pip installs with a cache of the account', async () => {
  const { text } = await render('PYTHON', { 'requirements.txt': 'flask\n', 'app.py': 'app = Flask(__name__)' })
  expect(text).toMatch(cacheAt('/root/.cache/pip'))
  expect(text).not.toContain('PIP_NO_CACHE_DIR')
})

test('the build command gets the variables as a secret, and runs again when one changes', async () => {
  const files = { 'package.json': json({ scripts: { build: 'x', start: 'node a.js' } }), 'package-lock.json': '{}' }
  const [first, second] = await Promise.all(
    ['one-token', 'another-token'].map((TOKEN) => render('NODEJS', files, { buildEnv: { TOKEN } }))
  )
  expect(first!.text).toContain(`RUN ${secret}["/bin/sh","-c",". /run/panel/build-env && `)
  expect(first!.plan.secrets).toEqual({ env: "export TOKEN='one-token'\n" })
  expect([...first!.plan.files.values()].join()).not.toContain('one-token')
  const sums = [first, second].map((one) => one!.plan.files.get('panel/build-env.sha256'))
  expect(sums[0]).not.toBe(sums[1])
  expect(first!.text).toContain('COPY ["panel/build-env.sha256","/run/panel/build-env.sha256"]')
})

test('Next.js keeps its cache between builds of a project, and the image does not get it', async () => {
  const files = { 'package.json': json({ dependencies: { next: '16' } }), 'package-lock.json': '{}' }
  const [first, second] = await Promise.all(
    ['p1', 'p2'].map((id) => render('NODEJS', files, {}, { 'panel.project': id }))
  )
  const idOf = (text: string) => /id=(panel-20001-[0-9a-f]{32}),target=\/app\/.next\/cache /.exec(text)?.[1]
  expect(first!.text).toMatch(/^RUN .*target=\/app\/\.next\/cache \["\/bin\/sh".*build\.sh/m)
  expect(idOf(first!.text)).not.toBe(idOf(second!.text))
  // Made by the build as root, and given to the user of the container with everything else.
  expect(first!.text).toContain('COPY --from=build --chown=20001:20001 ["/app/","/app/"]')
  const workspace = { 'package.json': json({ workspaces: ['web'] }), 'web/package.json': files['package.json'] }
  const { text } = await render('NODEJS', workspace, { rootDirectory: 'web' })
  expect(text).toContain('target=/app/web/.next/cache ')
})

test('an install command gets variables and cache', async () => {
  for (const [type, files, directory] of [
    ['NODEJS', { 'package.json': json({ main: 'a.js' }), 'a.js': '' }, '/root/.npm'],
    ['PYTHON', { 'app.py': 'import flask' }, '/root/.cache/pip']
  ] as const) {
    const { text } = await render(type, files, { installCmd: 'make deps', startCmd: 'x' })
    expect(text).toMatch(new RegExp(`RUN ${secret}${cacheAt(directory).source}\\["/bin/sh","-c",`))
  }
})

test('a Dockerfile gets the variables that it mounts', async () => {
  const mount = (id: string) => `RUN --mount=type=secret,id=${id} x\n`
  const files = { Dockerfile: `FROM scratch\n${mount('A')}${mount('env')}${mount('NONE')}` }
  const { plan } = await render('DOCKERFILE', files, { buildEnv: { A: '1', B: '2' } })
  expect(plan.secrets).toEqual({ A: '1', env: "export A='1'\nexport B='2'\n" })
  expect(plan.missingSecrets).toEqual(['NONE'])
})
