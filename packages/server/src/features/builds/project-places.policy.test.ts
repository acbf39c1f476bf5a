import { expect, test } from 'vitest'
import { onlyPlace, projectPlaces } from './project-places.policy.ts'

const placesOf = (...files: string[]) =>
  projectPlaces(new Set(files)).map(({ type, rootDirectory, dockerfilePath }) => [
    type,
    rootDirectory ?? dockerfilePath
  ])

test.each<[string, string[], (string | null)[][]]>([
  ['a project in the root', ['package.json', 'src/index.js'], []],
  ['a Dockerfile beside its program', ['api/Dockerfile', 'api/package.json'], [['DOCKERFILE', 'api']]],
  ['a Dockerfile alone in its folder', ['package.json', 'docker/Dockerfile'], [['DOCKERFILE', 'docker/Dockerfile']]],
  ['two programs', ['web/package.json', 'api/requirements.txt', 'README.md'], [['PYTHON', 'api'], ['NODEJS', 'web']]],
  ['Turborepo', ['turbo.json', 'package.json', 'apps/web/package.json', 'apps/api/package.json', 'packages/ui/package.json'], [['NODEJS', 'apps/api'], ['NODEJS', 'apps/web']]],
  ['Nx', ['nx.json', 'package.json', 'apps/shop/package.json', 'libs/ui/package.json', 'packages/server/Dockerfile'], [['NODEJS', 'apps/shop'], ['DOCKERFILE', 'packages/server/Dockerfile']]],
  ['no project', ['node_modules/a/package.json', 'examples/b/package.json', '.github/x/Dockerfile', 'a/b/c/d/e/package.json'], []],
  ['a folder below another', ['web/package.json', 'web/server/package.json'], [['NODEJS', 'web']]]
])('%s', (_, files, places) => {
  expect(placesOf(...files)).toEqual(places)
}) // oxfmt-ignore

test('a repository means its only place unless its root is a project', () => {
  const only = (...files: string[]) => onlyPlace(new Set(files), projectPlaces(new Set(files)))?.rootDirectory
  expect(only('README.md', 'api/Dockerfile', 'api/main.go', 'api/package.json')).toBe('api')
  expect(only('package.json', 'api/Dockerfile', 'api/package.json')).toBeUndefined()
  expect(only('a/package.json', 'b/package.json')).toBeUndefined()
})

test('many folders take linear time', () => {
  const files = Array.from({ length: 50_000 }, (_, at) => `a${at}/index.html`)
  expect(placesOf(...files)).toHaveLength(50)
}, 20_000)

test('at most 50', () => {
  expect(projectPlaces(new Set(Array.from({ length: 60 }, (_, at) => `app${at}/package.json`)))).toHaveLength(50)
})
