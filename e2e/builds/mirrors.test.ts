import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildProxyArguments } from '../../packages/server/src/config/builds.ts'
import { createBuildBench, images } from './image-builder.harness.ts'
import { debianPython } from '../../packages/server/src/infra/base-images/recipe.ts'
import { baseImage } from '../../packages/server/src/infra/image-builder/build-plan.ts'
import { docker, textsInImage } from '../support/engine.ts'
import { login, mirrorWord, type PackageMirror, startPackageMirror } from '../support/package-mirror.ts'

const credentials = `${login.user}:${login.password}`
const secrets = [login.password, Buffer.from(credentials).toString('base64')]

const node = {
  'package.json': JSON.stringify({ name: 'app', version: '1.0.0', dependencies: { 'from-the-mirror': '1.0.0' } }),
  'server.js': `const { WORD } = require('from-the-mirror')\nrequire('node:http').createServer((q, s) => s.end(WORD)).listen(process.env.PORT)`
}
const by = (packageManager: string) => ({
  ...node,
  'package.json': JSON.stringify({ ...JSON.parse(node['package.json']), packageManager })
})
const python = {
  'requirements.txt': 'flask\nfrom-the-mirror\n',
  'app.py': `from flask import Flask\nfrom from_the_mirror import WORD\napp = Flask(__name__)\n\n@app.route('/')\ndef page():\n    return WORD\n`
}

let mirror: PackageMirror
let bench: Awaited<ReturnType<typeof createBuildBench>>
beforeAll(async () => {
  bench = await createBuildBench(['node', 'python'])
  mirror = await startPackageMirror(baseImage(images, 'python', debianPython).reference, ['@yarnpkg/cli-dist@4.5.3'])
})
afterAll(async () => {
  await mirror?.stop()
  await bench?.close()
})

async function expectWord(built: Parameters<typeof bench.start>[0]): Promise<void> {
  expect(await (await fetch((await bench.start(built)).url)).text()).toBe(mirrorWord)
  const history = await docker('history', '--no-trunc', '--format', '{{.CreatedBy}}', built.tag)
  for (const secret of secrets) expect(history).not.toContain(secret)
  expect(await textsInImage(built.tag, secrets)).toEqual([])
}

// pnpm and yarn 1 read the same file as npm.
describe('builds with mirrors that require a login', () => {
  test.each([
    ['npm', node, 'NODEJS'],
    ['yarn 4', by('yarn@4.5.3'), 'NODEJS'],
    ['pip', python, 'PYTHON']
  ] as const)('%s installs packages, and the image contains no credentials', async (_, files, type) => {
    mirror.served.direct.length = 0
    const address = (path: string) => `http://${credentials}@${bench.gateway}:${mirror.port}${path}`
    const mirrors = { npmRegistry: address('/'), pipIndexUrl: address('/simple') }
    const built = await bench.buildFiles(files, { type, mirrors })
    expect(mirror.served.direct.some((path) => /from.the.mirror\.tgz|from_the_mirror-1/.test(path))).toBe(true)
    await expectWord(built)
  }) // oxfmt-ignore
})

test('npm uses a proxy with a login, and the image contains no credentials', async () => {
  const proxy = { BUILD_PROXY: `http://${credentials}@${bench.gateway}:${mirror.port}/`, BUILD_NO_PROXY: ['localhost'] }
  const mirrors = { npmRegistry: 'http://npm.invalid/' }
  const built = await bench.buildFiles(node, { type: 'NODEJS', mirrors, buildArguments: buildProxyArguments(proxy) })
  expect(mirror.served.asProxy.length).toBeGreaterThan(0)
  await expectWord(built)
}) // oxfmt-ignore
