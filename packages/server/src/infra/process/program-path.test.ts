import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resolveProgram } from './program-path.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'path-'))
  await writeFile(join(directory, 'tool'), '#!/bin/sh\n')
  await chmod(join(directory, 'tool'), 0o700)
})
afterAll(() => rm(directory, { recursive: true }))

test('finds a program in PATH, also after it has moved; keeps an unknown name', async () => {
  const path = `relative:/nonexistent:${directory}:/usr/bin`
  expect(resolveProgram('tool', path)).toBe(join(directory, 'tool'))
  await rename(join(directory, 'tool'), join(directory, 'other'))
  expect(resolveProgram('tool', path)).toBe('tool')
  expect(resolveProgram('other', path)).toBe(join(directory, 'other'))
})

test('keeps a path', () => {
  expect(resolveProgram('./tool')).toBe('./tool')
})
