import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ProcessError, type RunOptions } from '../process/process.ts'
import { run } from '../process/run.ts'
import { EngineError } from './container-engine.ts'
import { defaultTimeLimits } from './docker-call.ts'
import { createFileCounter, layerDirectory } from './docker-layer-files.ts'

let root: string
let requested: string[]
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'panel-layers-'))
  requested = []
})
afterEach(() => rm(root, { recursive: true, force: true }))

const inspected = (id: string, isReadOnly = false) =>
  ({ HostConfig: { ReadonlyRootfs: isReadOnly }, GraphDriver: { Data: { UpperDir: join(root, id) } } }) as never
const counter = (runWith = run) =>
  createFileCounter({
    limits: defaultTimeLimits,
    run: runWith,
    call: (_limit, conversation) =>
      conversation(
        {
          ask: async (_method: string, path: string) => {
            const id = path.split('/')[2]!
            requested.push(id)
            if (id.startsWith('gone')) throw new EngineError('No such container', 404)
            return inspected(id, id === 'readonly')
          }
        } as never,
        () => {}
      )
  })
const layer = async (id: string, files: number) => {
  await mkdir(join(root, id, 'made\nhere'), { recursive: true })
  for (let each = 0; each < files; each++) await writeFile(join(root, id, 'made\nhere', String(each)), '')
}

test('counts empty files and folders; looks up each layer directory once', async () => {
  await layer('a', 3)
  await layer('b', 0)
  const count = counter()
  const ids = ['a', 'gone', 'readonly', 'b']
  const expected = new Map([
    ['a', 4],
    ['b', 1]
  ])
  expect(await count(ids)).toEqual(expected)
  expect(await count(ids)).toEqual(expected)
  expect(requested.filter((id) => id === 'a')).toEqual(['a'])
})

test('counts the others if one directory is gone', async () => {
  await layer('a', 3)
  expect(await counter()(['removed', 'a'])).toEqual(new Map([['a', 4]]))
})

/** Like `run`, but every file vanishes during the walk, with many long names. */
const withVanishingFiles = (run_: typeof run) => async (command: Parameters<typeof run>[0], options: RunOptions) => {
  const missing = Array.from({ length: 6000 }, (_, each) => join(root, `${each}${'x'.repeat(200)}`))
  return run_([...command, ...missing], options)
}

test('counts a directory whose files vanish during the walk', async () => {
  await layer('a', 3)
  await layer('churning', 5)
  const expected = new Map([
    ['a', 4],
    ['churning', 6]
  ])
  expect(await counter(withVanishingFiles(run))(['a', 'churning'])).toEqual(expected)
})

test('counts the others if one times out', async () => {
  await layer('a', 3)
  await layer('slow', 3)
  const count = counter(async (command, options) => {
    if (command.some((word) => word.endsWith('/slow'))) throw new ProcessError('too long', 'timeout', undefined, '')
    return run(command, options)
  })
  expect(await count(['slow', 'a'])).toEqual(new Map([['a', 4]]))
})

test('an engine that does not expose layer directories', () => {
  expect(layerDirectory({ HostConfig: {} } as never)).toBeUndefined()
  expect(layerDirectory({ HostConfig: {}, GraphDriver: { Data: null } } as never)).toBeUndefined()
})
