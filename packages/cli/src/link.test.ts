import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findLink, writeLink } from './link.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'panel-link-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const link = { url: 'https://panel.example.com', projectId: 'p1', name: 'shop' }

test('a link holds in the folders below', async () => {
  const below = join(folder, 'a/b')
  await mkdir(below, { recursive: true })
  expect(await findLink(below)).toBeUndefined()
  const file = await writeLink(folder, link)
  expect(await findLink(below)).toEqual({ ...link, file })
})

test.each(['', '{}', '{"url":1,"projectId":"a","name":"b"}'])('refuses %j', async (text) => {
  await writeFile(await writeLink(folder, link), text)
  await expect(findLink(folder)).rejects.toThrow('invalid')
})
