import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { run } from '../infra/process/run.ts'
import { applyFixes } from './doctor-fix.ts'
import { type Fix, type FixContext, fixes } from './doctor-fixes.ts'

let directory: string
let context: FixContext
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'doctor-'))
  const env = { DATA_DIR: directory, SESSION_SECRET: 'f00dfacef00dfacef00dfacef00dfacef00dface' }
  context = { config: parseConfig(env), env, run }
})
afterAll(() => rm(directory, { recursive: true }))

test('only confirmed remedies run, in order, and a failing one does not stop the next', async () => {
  const applied: string[] = []
  const fix = (name: string, plan: string | undefined = name): Fix => ({
    plan: async () => plan,
    apply: async () => {
      applied.push(name)
      if (name === 'broken') throw new Error('no')
    }
  })
  const table = { a: fix('a'), declined: fix('declined'), broken: fix('broken'), b: fix('b') }
  const fine: Fix = { plan: async () => undefined, apply: () => Promise.reject(new Error('not needed')) }
  const asked: string[] = []
  const confirm = async (text: string) => {
    asked.push(text)
    return !text.includes('declined')
  }
  expect(await applyFixes(context, confirm, { fine, ...table })).toBe(false)
  expect(asked).toEqual(['a: a', 'declined: declined', 'broken: broken', 'b: b'])
  expect(applied).toEqual(['a', 'broken', 'b'])
})

test('a data directory and settings that others may read become private', async () => {
  const file = join(directory, 'panel.env')
  await writeFile(file, 'ENCRYPTION_KEY=x\n')
  await chmod(file, 0o644)
  await chmod(directory, 0o755)
  const fix = fixes['Data directory']!
  expect(await fix.plan(context)).toContain(file)
  await fix.apply(context)
  expect([(await stat(directory)).mode & 0o777, (await stat(file)).mode & 0o777]).toEqual([0o700, 0o600])
  expect(await fix.plan(context)).toBeUndefined()
})
