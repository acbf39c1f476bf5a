import { describe, expect, test } from 'vitest'
import type { ProjectType } from '@panel/contract/projects'
import type { Git } from '../git/git.ts'
import { planBuild } from './detect.ts'
import { createMemoryTree } from '../../../test/fakes/memory-source-tree.ts'
import { readSourceTree } from './source-tree.ts'

const images = { node: 'node:20', python: 'python:3.11', static: 'caddy:2', php: 'php:8.4-fpm' }
const half = 500_000
const long = (text: string, length = half) => text.repeat(Math.ceil(length / text.length)).slice(0, length)

// Input that makes ambiguous patterns backtrack for minutes; the test timeout catches it.
const hostile: Readonly<Record<string, string>> = {
  newlines: long('\n'),
  spaces: long(' '),
  'spaces and an end': `${long(' ')}x`,
  'lines of spaces': long(`${' '.repeat(5000)}\n`),
  'tabs and newlines': long('\t\n'),
  letters: long('a'),
  dots: long('a.'),
  imports: long('import '),
  'imports from': `from a import ${long('b, ')}`,
  'many imports': long('from a import b, c\n'),
  assignments: long('a = b.'),
  annotations: `a: ${long('b ')}`,
  quotes: long('"'),
  'an open quote': `"${long('\\')}`,
  brackets: long('['),
  braces: long('{'),
  'a deep key': `${long('a.', 100_000)}a = 1`,
  variables: `FROM \${${long('$')}`,
  continuations: `FROM x\nRUN ${long('\\\n')}`,
  stages: long('FROM scratch\n'),
  flags: `FROM x\nCOPY ${long('--a ', 50_000)}`,
  'here-documents': `FROM x\nRUN ${long('<< ', 50_000)}`,
  labels: `FROM x\nLABEL ${long('"a"=\'b\' ', 50_000)}`,
  defaults: `${long('ARG A="a\n')}\nFROM \${A}`,
  metadata: `__metadata:\n${long('\n')}  version: x`,
  'many metadata': long('__metadata:\n\n'),
  version: `lockfileVersion:${long(' ')}`,
  settings: long(`DJANGO_SETTINGS_MODULE'  ,`),
  web: `web:${long(' ')}`,
  theme: `${long('*')}Theme Name`,
  wildcards: long('*a'),
  'many rules': long('**/a*b*c\n', 5000),
  classes: long('[a'),
  editable: long('\n -'),
  'a package with many names': JSON.stringify({
    scripts: { start: long('ab cd ', 7900) },
    devDependencies: Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`name-${i}`, '1']))
  }),
  'a package with a long start': JSON.stringify({ scripts: { start: long('a/') }, devDependencies: { a: '1' } }),
  'a package with many variables': JSON.stringify({ scripts: { start: long('A=b ', 7900) } }),
  'a package with many flags': JSON.stringify({ scripts: { start: `npx ${long('-a ', 7900)}` } }),
  'a package that runs many flags': JSON.stringify({ scripts: { start: `npm ${long('-a ', 7900)}$` } }),
  'a package with a deep program': JSON.stringify({ scripts: { start: `node_modules/${long('a/', 7900)}` } }),
  'a package with many commands': JSON.stringify({ scripts: { start: long('&& ', 7900) } }),
  'a package that runs itself': JSON.stringify({ scripts: { start: long('npm start -- ', 7900) } }),
  'a package with a long engine': JSON.stringify({ scripts: { start: 'x' }, engines: { node: long(' ') } }),
  'a package with a long manager': JSON.stringify({
    scripts: { start: 'x' },
    packageManager: `npm@1.2.3-${long('-.')}`
  })
}

const filesOf: Readonly<Record<ProjectType, readonly (readonly string[])[]>> = {
  NODEJS: [['package.json'], ['Procfile', 'next.config.js', 'svelte.config.js', 'angular.json'], ['pnpm-lock.yaml'], ['yarn.lock'], ['.npmrc', '.nvmrc', '.yarnrc.yml', 'package-lock.json']],
  STATIC: [['package.json'], ['yarn.lock', '.nvmrc']],
  PYTHON: [['requirements.txt'], ['pyproject.toml'], ['poetry.lock'], ['Pipfile'], ['Pipfile.lock'], ['Procfile'], ['manage.py', 'app.py', 'main.py'], ['wsgi.py'], ['asgi.py']],
  PHP: [['composer.json'], ['composer.lock'], ['.php-version'], ['.tool-versions', 'Procfile']],
  WORDPRESS: [['style.css']],
  DOCKERFILE: [['Dockerfile'], ['.dockerignore']],
  IMAGE: []
} // oxfmt-ignore

const sound: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ scripts: { start: 'node a.js', build: 'x' } }),
  'index.php': '',
  'composer.json': '{}',
  'app.py': 'app = Flask(__name__)',
  'pyproject.toml': '[project]\nname = "a"\ndependencies = []\n',
  Dockerfile: 'FROM node:20'
}

const cases = Object.entries(filesOf).flatMap(([type, all]) =>
  all.map((paths) => [type as ProjectType, paths] as const)
)

describe.each(cases)('%s with hostile text in %s', (type, paths) => {
  test.each(Object.entries(hostile))('%s', async (_, text) => {
    const others = type === 'PYTHON' && paths[0] !== 'poetry.lock' ? { 'app.py': sound['app.py']! } : sound
    const files = { ...others, ...Object.fromEntries(paths.map((path) => [path, text])) }
    const source = { type, buildCmd: null, startCmd: null, port: null, buildEnv: {} }
    const result = await planBuild(createMemoryTree(files), source, images, { 'panel.instance': 'i' }).then(
      (plan) => plan.dockerfile,
      (error: Error) => error.name
    )
    expect(['BuildError', 'Dockerfile', 'panel/Dockerfile']).toContain(result)
  })
})

test('handles very long file names', async () => {
  const names = [long('requirements'), `a/${long('constraints.')}`, `${long('a/', 100_000)}package.json`, `${long('node_modules/', 100_000)}x`]
  const files = Object.fromEntries([...names.map((name) => [name, '']), ...Object.entries(sound), ['requirements.txt', 'a'], ['requirements/dev.txt', ''], ['deploy/my-requirements.in', '']])
  for (const type of ['PYTHON', 'NODEJS'] as const) {
    const source = { type, buildCmd: null, startCmd: null, port: null, buildEnv: {} }
    const plan = await planBuild(createMemoryTree(files), source, images, {})
    if (type === 'PYTHON') expect([...plan.dependencyFiles]).toEqual(['requirements.txt', 'requirements/dev.txt', 'deploy/my-requirements.in'])
  }
}) // oxfmt-ignore

describe('reading a repository', () => {
  const git = (sizes: Readonly<Record<string, number>>) =>
    ({
      listFiles: async () => Object.entries(sizes).map(([path, sizeBytes]) => ({ path, sizeBytes, kind: 'file' })),
      readFile: async (_directory: string, _hash: string, path: string, maxBytes: number) =>
        sizes[path]! > maxBytes ? undefined : long('a', sizes[path])
    }) as unknown as Git

  test('manifests up to 512 KiB, heads of sniffed files, and whole Python lock files', async () => {
    const tree = await readSourceTree(
      git({ 'package.json': 524_288, Dockerfile: 524_289, 'yarn.lock': 5e6, 'poetry.lock': 4e6, 'uv.lock': 9e6 }),
      '/r',
      'c'
    )
    const lengths = await Promise.all([...tree.files].map(async (path) => (await tree.read(path))?.length))
    expect(lengths).toEqual([524_288, undefined, 65_536, 4e6, undefined])
  })

  test('reports a file that is too large', async () => {
    const tree = await readSourceTree(git({ Dockerfile: 524_289 }), '/r', 'c')
    const source = { type: 'DOCKERFILE', buildCmd: null, startCmd: null, port: null, buildEnv: {} } as const
    await expect(planBuild(tree, source, images, {})).rejects.toThrow('Dockerfile is too large to read')
  })
})
