import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeFileAtomically } from './atomic-file.ts'

test('concurrent writes leave one complete file and no drafts', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'panel-atomic-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const path = join(directory, 'list')
  const contents = Array.from({ length: 20 }, (_, n) => `${n}\n`.repeat(10_000 * (n % 3)))
  await Promise.all(contents.map((content) => writeFileAtomically(path, content, 0o640)))
  expect(contents).toContain(await readFile(path, 'utf8'))
  expect((await stat(path)).mode & 0o777).toBe(0o640)
  expect(await readdir(directory)).toEqual(['list'])
})
