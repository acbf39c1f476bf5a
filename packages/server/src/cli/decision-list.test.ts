import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

test('docs/adr/README.md lists each ADR in order with number and title', () => {
  const decisions = readdirSync(new URL('docs/adr/', root))
    .filter((name) => /^\d{4}-/.test(name))
    .sort()
    .map((name) => read(`docs/adr/${name}`).replace(/^# (\d+)\. ([^\n]+)[^]*$/, `- $1. [$2](${name})`))
  expect(decisions.length).toBeGreaterThan(20)
  expect(
    read('docs/adr/README.md')
      .split('\n')
      .filter((line) => line.startsWith('- '))
  ).toEqual(decisions)
})

test('the ADR about dependencies lists exactly the dependencies', () => {
  const packages = ['.', ...readdirSync(new URL('packages/', root)).map((name) => `packages/${name}`)]
  const used = packages.flatMap((directory) => {
    const manifest = JSON.parse(read(`${directory}/package.json`)) as Record<string, Record<string, string> | undefined>
    return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
      Object.keys(manifest[kind] ?? {})
    )
  })
  const rows = read('docs/adr/0036-dependencies.md').matchAll(/^\| (`[^|]+) \|/gm)
  const listed = [...rows].flatMap(([, names]) => [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!))
  const covers = (name: string) => (dependency: string) =>
    name.endsWith('*') ? dependency.startsWith(name.slice(0, -1)) : dependency === name
  const isOurs = (dependency: string) => /^@(panel|types)\//.test(dependency)
  expect(used.filter((dependency) => !isOurs(dependency) && !listed.some((name) => covers(name)(dependency)))).toEqual(
    []
  )
  expect(listed.filter((name) => !used.some(covers(name)))).toEqual([])
})
