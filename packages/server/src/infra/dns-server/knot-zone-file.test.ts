import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ProcessError, type Run } from '../process/process.ts'
import { ZoneRefusedError } from './dns-server.ts'
import type { KnotPaths } from './knot-paths.ts'
import { removeCandidates, replaceZoneFile } from './knot-zone-file.ts'

let directory: string
let paths: KnotPaths
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'panel-zone-file-'))
  paths = { candidates: join(directory, 'candidates'), zones: join(directory, 'zones') } as KnotPaths
  await mkdir(paths.candidates)
  await mkdir(paths.zones)
  await writeFile(join(paths.zones, 'shop.test'), 'before')
})
afterEach(() => rm(directory, { recursive: true }))

const checkerSays =
  (complaint: string): Run =>
  () =>
    Promise.reject(new ProcessError('kzonecheck: exited with 1', 'failed', 1, complaint))
const contents = () => readFile(join(paths.zones, 'shop.test'), 'utf8')

test('a start during a check keeps the candidate being checked', async () => {
  const left = join(paths.candidates, 'left')
  await writeFile(left, 'of a crash')
  await utimes(left, new Date(0), new Date(0))
  const run: Run = async () => {
    await removeCandidates(paths)
    return { stdout: '', stderr: '' }
  }
  await replaceZoneFile(paths, run, 'shop.test', 'after')
  expect([await contents(), await readdir(paths.candidates)]).toEqual(['after', []])
})

test.each([
  ['error: failed to run semantic checks (failed)', ZoneRefusedError],
  ['error: failed to load the zone file', ZoneRefusedError],
  ['error: failed to run semantic checks (not exists)', 'The zone checker failed'],
  ['error: failed to run semantic checks (not enough memory)', 'The zone checker failed']
])('%s: the zone is unchanged, and refused only if it is invalid', async (complaint, expected) => {
  await expect(replaceZoneFile(paths, checkerSays(complaint), 'shop.test', 'after')).rejects.toThrow(expected)
  expect([await contents(), await readdir(paths.candidates)]).toEqual(['before', []])
})
