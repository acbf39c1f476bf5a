import { nodeRuntime, phpRuntime, pythonRuntime } from '@panel/contract/runtimes'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BuildError } from './image-builder.ts'
import { nodeVersion, phpVersion, pythonVersion } from './language-version.ts'

const images = { node: 'node:{version}-slim', python: 'python:{version}-slim', php: 'php:{version}-fpm' }
const today = new Date('2026-11-28T00:00:00Z')
const inputOf = (files: Record<string, string>, runtimeVersion?: string) => ({
  text: new Map(Object.entries(files)),
  runtimeVersion,
  images
})
const node = (files: Record<string, string>, setting?: string) => nodeVersion(inputOf(files, setting), today)!
const python = (files: Record<string, string>, setting?: string) => pythonVersion(inputOf(files, setting), today)!
const php = (files: Record<string, string>, setting?: string) => phpVersion(inputOf(files, setting), today)!
const engines = (range: string) => ({ 'package.json': JSON.stringify({ engines: { node: range } }) })

describe('Node.js', () => {
  test('the setting comes before .nvmrc, .node-version, .tool-versions and engines', () => {
    const all = {
      '.nvmrc': '26',
      '.node-version': '24',
      '.tool-versions': 'python 3.12\nnodejs 22.4.1',
      ...engines('20')
    }
    expect(node(all, '20').runtime).toMatchObject({ version: '20', source: 'SETTING' })
    const found = Object.keys(all).map((_, at) => node(Object.fromEntries(Object.entries(all).slice(at))).runtime)
    expect(found.map(({ version, file }) => [file, version])).toEqual([
      ['.nvmrc', '26'],
      ['.node-version', '24'],
      ['.tool-versions', '22'],
      ['package.json', '20']
    ])
    expect(node({}).runtime).toEqual({ name: 'Node.js', version: '24', source: 'DEFAULT', file: null, wanted: null })
  })

  test.each([
    ['v22.11.0\n', '22'],
    ['22', '22'],
    ['# the version\n\nlts/jod', '22'],
    ['lts/*', '26'],
    ['node', '26'],
    ['20.x', '20']
  ])('.nvmrc %j is %s', (text, version) => expect(node({ '.nvmrc': text }).runtime.version).toBe(version))

  test.each([
    ['>=18', '26'],
    ['>=20 <23', '22'],
    ['^20.19.0 || ^22.12.0', '22'],
    ['20 || 22 || 24', '24'],
    ['~24.1', '24'],
    ['*', '26']
  ])('engines %s is %s, the newest in the range', (range, version) =>
    expect(node(engines(range)).runtime.version).toBe(version)
  )

  test.each(['18', '>=99', '16.x || 18.x', 'lts/argon', 'whatever', '$(id)', '('.repeat(1000)])(
    '%j fails and lists the versions there are',
    (wanted) => {
      expect(() => node({ '.nvmrc': wanted })).toThrow(BuildError)
      expect(() => node({ '.nvmrc': wanted })).toThrow(/20, 22, 24, 26/)
    }
  )

  test('a version without security updates is noted', () => {
    expect(node({ '.nvmrc': '20' }).notes).toEqual([
      { code: 'VERSION_AT_END_OF_LIFE', values: { language: 'Node.js', version: '20', end: '2026-04-30' } }
    ])
    expect(node({ '.nvmrc': '22' }).notes).toEqual([])
  })

  test('an image that an administrator chose has one version, and another one is noted', () => {
    const chosen = {
      ...inputOf({ '.nvmrc': '22' }),
      images: { ...images, node: 'registry.example.com:5000/node:24-slim' }
    }
    expect(nodeVersion(chosen, today)).toMatchObject({ runtime: { version: '24' }, notes: [{ code: 'OTHER_VERSION' }] })
    expect(nodeVersion({ ...chosen, images: { ...images, node: 'example.com/own' } }, today)).toBeUndefined()
  })
})

describe('Python', () => {
  test.each<[Record<string, string>, string]>([
    [{ '.python-version': '3.12.4\n' }, '3.12'],
    [{ 'runtime.txt': 'python-3.11.9' }, '3.11'],
    [{ '.tool-versions': 'python 3.10.2' }, '3.10'],
    [{ 'pyproject.toml': '[project]\nrequires-python = ">=3.9"' }, pythonRuntime.preferred],
    [{ 'pyproject.toml': '[project]\nrequires-python = ">=3.9,<3.12"' }, '3.11'],
    [{ 'pyproject.toml': '[project]\nrequires-python = "~=3.10.1"' }, '3.10'],
    [{ 'pyproject.toml': '[project]\nrequires-python = "==3.12.*"' }, '3.12'],
    [{ 'pyproject.toml': `[project]\nrequires-python = ">=3.10,!=${pythonRuntime.preferred}.*"` }, '3.14'],
    [{ 'pyproject.toml': '[tool.poetry.dependencies]\npython = "^3.14"' }, '3.14'],
    [{ Pipfile: '[requires]\npython_version = "3.12"\n[packages]' }, '3.12'],
    [{ 'pyproject.toml': 'not [ toml' }, pythonRuntime.preferred]
  ])('%j is %s', (files, version) => expect(python(files).runtime.version).toBe(version))

  test('2.7 fails; a server with one version says that it uses another', () => {
    expect(() => python({ 'runtime.txt': 'python-2.7.18' })).toThrow(/3\.10, 3\.11/)
    const input = { ...inputOf({ '.python-version': '3.12' }), images: { ...images, only: { python: ['3.13'] } } }
    expect(pythonVersion(input, today)).toMatchObject({
      runtime: { version: '3.13' },
      notes: [{ code: 'OTHER_VERSION' }]
    })
  })
})

describe('PHP', () => {
  const composer = (require: string, platform?: string) => ({
    'composer.json': JSON.stringify({ require: { php: require }, config: { platform: platform === undefined ? [] : { php: platform } } })
  }) // oxfmt-ignore

  test('the setting comes before .php-version, .tool-versions and composer.json', () => {
    const all = { '.php-version': '8.5.1', '.tool-versions': 'php 8.3.2', ...composer('8.1.*') }
    expect(php(all, '8.2').runtime).toMatchObject({ version: '8.2', source: 'SETTING' })
    const found = Object.keys(all).map(
      (_, at) => php(Object.fromEntries(Object.entries(all).slice(at))).runtime.version
    )
    expect(found).toEqual(['8.5', '8.3', '8.1'])
  })

  test.each<[Record<string, string>, string]>([
    [composer('^8.1'), phpRuntime.preferred],
    [composer('>=7.4'), phpRuntime.preferred],
    [composer('^7.4 || ^8.0'), phpRuntime.preferred],
    [composer('^7.4|~8.3.0'), '8.3'],
    [composer('>=8.1,<8.4'), '8.3'],
    [composer('~8.1'), phpRuntime.preferred],
    [composer('~8.2.0'), '8.2'],
    [composer('8.3.*'), '8.3'],
    [composer('>=8.2 !=8.4.1 <8.5'), phpRuntime.preferred],
    [composer('^8.1', '8.2.15'), '8.2'],
    [{ 'composer.json': '{}' }, phpRuntime.preferred]
  ])('%j is %s', (files, version) => expect(php(files).runtime.version).toBe(version))

  test.each<[Record<string, string>, string | undefined, RegExp]>([
    [composer('^7.4'), undefined, /8\.1, 8\.2/],
    [{ '.php-version': '9.9' }, undefined, /8\.1, 8\.2/],
    [{ 'composer.json': 'not json' }, undefined, /not valid JSON/]
  ])('%j fails', (files, setting, problem) => expect(() => php(files, setting)).toThrow(problem))

  test('a server with one version refuses another, but not a range that it is in', () => {
    const on = (files: Record<string, string>, setting?: string) =>
      phpVersion({ ...inputOf(files, setting), images: { ...images, only: { php: ['8.4'] } } }, today)
    for (const [files, setting] of [[{ '.php-version': '8.3' }], [composer('8.2.*')], [{}, '8.5']] as const)
      expect(() => on(files, setting)).toThrow(expect.objectContaining({ sentences: [expect.objectContaining({ code: 'VERSION_NOT_HERE' })] })) // oxfmt-ignore
    expect(on(composer('^8.2'))).toMatchObject({ runtime: { version: '8.4' }, notes: [] })
  })
})

test('whatever a file says, the version is one there is, or the build is refused', () => {
  const choices = [node, python, php] as const
  fc.assert(
    fc.property(fc.constantFrom(...choices), fc.constantFrom('.nvmrc', '.python-version', '.php-version', '.tool-versions'), fc.string({ maxLength: 400, unit: 'binary' }), (choose, file, text) => {
      try {
        expect([...nodeRuntime.versions, ...pythonRuntime.versions, ...phpRuntime.versions]).toContain(choose({ [file]: text }).runtime.version)
      } catch (error) {
        expect(error).toBeInstanceOf(BuildError)
      }
    })
  ) // oxfmt-ignore
})
