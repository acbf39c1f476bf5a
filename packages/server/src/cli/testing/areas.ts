import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Area of the end-to-end tests → names of the product folders it covers, from `e2e/areas.json`. The tests of an area are the files of
 * `e2e/<area>/`. A name may end in `*`; it is a folder or a file below one of `rooms`, or a path from the root of the repository.
 */
export type Areas = Readonly<Record<string, readonly string[]>>

/** Folders whose entries are named after features or programs. */
const rooms = [
  'packages/server/src/features',
  'packages/server/src/infra',
  'packages/server/src/programs',
  'packages/server/src',
  'packages/dashboard/src/features',
  'packages/dashboard/src',
  'packages/contract/src'
]

/** What every feature uses: a change here concerns all areas. */
const sharedFolders = [
  'packages/contract/src',
  'packages/dashboard/src',
  'packages/server/src',
  'packages/server/src/concurrency',
  'packages/server/src/config',
  'packages/server/src/db',
  'packages/server/src/text'
]

/** Folders whose children must belong to an area. */
const checkedRooms = ['packages/server/src', ...rooms.slice(0, 2), 'packages/dashboard/src/features']

export const readAreas = (root: string): Areas =>
  JSON.parse(readFileSync(join(root, 'e2e/areas.json'), 'utf8')) as Areas

const isTest = (path: string) => /\.(test|fixture)\.tsx?$/.test(path)
const isProduct = (path: string) =>
  /^(packages\/[^/]+\/|scripts\/)/.test(path) && !isTest(path) && !path.includes('/test/')

/** The areas whose tests a change of these files (paths from the root) can touch, in alphabetical order. */
export function areasOfChange(areas: Areas, paths: readonly string[]): string[] {
  const all = Object.keys(areas)
  return [...new Set(paths.flatMap((path) => areasOfPath(areas, path) ?? all))].sort()
}

/** `undefined`: every area. */
function areasOfPath(areas: Areas, path: string): string[] | undefined {
  const [, own] = /^e2e\/([^/]+)\//.exec(path) ?? []
  if (own === 'support' || path === 'vitest.config.ts' || path === 'package-lock.json') return undefined
  if (own !== undefined) return own in areas ? [own] : []
  if (!isProduct(path)) return []
  const named = Object.keys(areas).filter((area) => areas[area]!.some((name) => isBelow(path, name)))
  return named.length > 0 ? named : undefined
}

/** Whether the path is the named folder or below it. */
function isBelow(path: string, name: string): boolean {
  const pattern = name.endsWith('*') ? `${escape(name.slice(0, -1))}[^/]*` : `${escape(name)}(\\.[^/]*)?`
  const places = name.includes('/') || name === 'scripts' ? [''] : rooms.map((room) => `${escape(room)}/`)
  return places.some((place) => new RegExp(`^${place}${pattern}(/|$)`).test(path))
}

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Product folders that belong to no area, and areas without a folder of tests (and the reverse). Empty if there is none. */
export function areaProblems(root: string, areas: Areas): string[] {
  const folders = (path: string) =>
    readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [`${path}/${entry.name}`] : []
    )
  const products = checkedRooms
    .flatMap(folders)
    .filter((path) => !rooms.includes(path) && !sharedFolders.includes(path))
  const tests = folders('e2e').map((path) => path.slice('e2e/'.length)).filter((name) => name !== 'support') // oxfmt-ignore
  return [
    ...products
      .filter((path) => areasOfPath(areas, `${path}/x.ts`) === undefined)
      .map((path) => `${path} belongs to no area. Add it to e2e/areas.json`),
    ...tests.filter((name) => !(name in areas)).map((name) => `e2e/${name} is not an area. Add it to e2e/areas.json`),
    ...Object.keys(areas).filter((area) => !tests.includes(area)).map((area) => `e2e/${area} is missing, but e2e/areas.json lists it`) // oxfmt-ignore
  ]
}
