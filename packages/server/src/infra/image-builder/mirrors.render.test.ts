import { expect, test } from 'vitest'
import { createMemoryTree } from '../../../test/fakes/memory-source-tree.ts'
import { planBuild } from './detect.ts'
import type { BuildSource } from './image-builder.ts'
import { npmMirror, pipMirror } from './mirrors.render.ts'

test.each([
  ['https://npm.example.com', 'registry=https://npm.example.com/\n', 'npmRegistryServer: "https://npm.example.com/"\n'],
  [
    'http://us%40er:p%3Ass@npm.example.com:8081/repository/npm',
    `registry=http://npm.example.com:8081/repository/npm/\n//npm.example.com:8081/repository/npm/:_auth=${btoa('us@er:p:ss')}\n`,
    'npmRegistryServer: "http://npm.example.com:8081/repository/npm/"\nnpmAlwaysAuth: true\nnpmAuthIdent: "us@er:p:ss"\nunsafeHttpWhitelist: ["npm.example.com"]\n'
  ]
])('%s as settings of npm, pnpm and yarn', (npmRegistry, npmrc, yarnrc) => {
  const { files, lines } = npmMirror({ npmRegistry })
  expect([...files]).toEqual([
    ['panel/npmrc', npmrc],
    ['panel/yarnrc.yml', yarnrc]
  ])
  expect(lines).toEqual(['COPY ["panel/npmrc","/root/.npmrc"]', 'COPY ["panel/yarnrc.yml","/root/.yarnrc.yml"]'])
})

test.each([
  ['https://u:p@pypi.example.com/simple', '[global]\nindex-url = https://u:p@pypi.example.com/simple\n'],
  [
    'http://pypi.example.com:8080/simple',
    '[global]\nindex-url = http://pypi.example.com:8080/simple\ntrusted-host = pypi.example.com:8080\n'
  ]
])('%s as settings of pip', (pipIndexUrl, text) => {
  expect([...pipMirror({ pipIndexUrl }).files.values()]).toEqual([text])
})

const mirrors = {
  npmRegistry: 'https://u:secret-word@npm.example.com/',
  pipIndexUrl: 'https://u:secret-word@pip.example.com/'
}
const images = { node: 'node:20', python: 'python:3.11', static: 'caddy:2', php: 'php:8.2' }
const manifest = JSON.stringify({ scripts: { build: 'x', start: 'y' }, dependencies: { a: '1' } })

test.each<[string, BuildSource['type'], Record<string, string>, string]>([
  ['npm', 'NODEJS', { 'package.json': manifest }, '/root/.npmrc'],
  ['pnpm', 'NODEJS', { 'package.json': manifest, 'pnpm-lock.yaml': '' }, '/root/.npmrc'],
  ['a site', 'STATIC', { 'package.json': manifest }, '/root/.npmrc'],
  ['Python', 'PYTHON', { 'requirements.txt': 'flask', 'app.py': 'app = Flask(__name__)' }, '/etc/pip.conf']
])('%s: the settings are in stages that install, before they do, and not in the image', async (_, type, files, target) => {
  const source = { type, buildCmd: null, startCmd: null, port: null, buildEnv: {} }
  const plan = await planBuild(createMemoryTree(files), source, images, {}, mirrors)
  const text = plan.files.get(plan.dockerfile)!
  const stages = text.split(/^(?=FROM )/m)
  const installing = stages.filter((stage) => /"npm install|"npm","|"pnpm","|"pip","/.test(stage))
  expect(installing.length).toBeGreaterThan(0)
  for (const stage of installing) {
    expect(stage).toContain(`"${target}"`)
    expect(stage.indexOf(target)).toBeLessThan(stage.search(/RUN .*(npm|pip).*install/))
  }
  expect(stages.at(-1)).not.toContain('panel/npmrc')
  expect(stages.at(-1)).not.toContain('pip.conf')
  expect(text).not.toContain('secret-word')
}) // oxfmt-ignore
