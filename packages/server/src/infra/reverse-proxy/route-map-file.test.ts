import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseRouteMap } from './route-map.render.ts'
import { createRouteMapFile } from './route-map-file.ts'

let directory: string
let path: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'route-map-'))
  path = join(directory, 'routes.map')
  await writeFile(path, 'a.example.com/ stopped:0:0\n')
})
afterEach(() => rm(directory, { recursive: true }))
const text = () => readFile(path, 'utf8')

test('the file follows changes; the last change of a route wins', async () => {
  const file = createRouteMapFile(path, parseRouteMap)
  file.follow(new Map([['b.example.com/', 'stopped:0:0']]))
  file.follow(new Map([['a.example.com/', undefined]]))
  file.follow(new Map([['b.example.com/', 'starting:0:0']]))
  await expect.poll(text).toBe('b.example.com/ starting:0:0\n')
})

test('keeps what another process wrote in the meantime', async () => {
  const [one, two] = [createRouteMapFile(path, parseRouteMap), createRouteMapFile(path, parseRouteMap)]
  await one.flush()
  two.follow(new Map([['b.example.com/', 'stopped:0:0']]))
  await two.flush()
  one.follow(new Map([['c.example.com/', 'stopped:0:0']]))
  await one.flush()
  expect((await text()).match(/^[abc]/gm)).toEqual(['a', 'b', 'c'])
})

test('a failed write is retried with the next change', async () => {
  const file = createRouteMapFile(path, parseRouteMap)
  await rename(directory, `${directory}-away`)
  file.follow(new Map([['b.example.com/', 'stopped:0:0']]))
  await expect(file.flush()).rejects.toMatchObject({ code: 'ENOENT' })
  await rename(`${directory}-away`, directory)
  file.follow(new Map([['c.example.com/', 'stopped:0:0']]))
  await file.flush()
  expect((await text()).match(/^[abc]/gm)).toEqual(['a', 'b', 'c'])
})

test('a replacement supersedes pending changes', async () => {
  const file = createRouteMapFile(path, parseRouteMap)
  file.follow(new Map([['b.example.com/', 'stopped:0:0']]))
  expect(await file.replace(new Map([['c.example.com/', 'stopped:0:0']]))).toBe(true)
  await file.flush()
  expect(await text()).toBe('c.example.com/ stopped:0:0\n')
  expect(await file.replace(new Map([['c.example.com/', 'stopped:0:0']]))).toBe(false)
})
