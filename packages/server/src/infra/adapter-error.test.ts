import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failureTexts } from '@panel/contract/failure-texts'
import { expect, test } from 'vitest'
import { AdapterError } from './adapter-error.ts'

test('a reason is for the log: it stands in the message and not in the sentence', () => {
  const error = new AdapterError('disk-full', 'The disk is full', { reason: '/var/lib/panel: ENOSPC' })
  expect([error.sentence, error.message]).toEqual(['The disk is full', 'The disk is full: /var/lib/panel: ENOSPC'])
})

/** What sentences hold of values: of the caller's own things, or limits. Paths, addresses and codes of this machine are reasons. */
const known = [
  'cause.message',
  'cause.message.slice(0, 300)',
  'database',
  'engine',
  'lastLine(cause)',
  'limits.maxBytes',
  'limits.maxEntries',
  'maxBytes',
  'name',
  'port',
  'problem',
  'username'
]

test('no sentence of an adapter tells of the machine', async () => {
  const directory = import.meta.dirname
  const files = (await readdir(directory, { recursive: true })).filter((file) => /(?<!\.test)\.ts$/.test(file))
  const held = new Set<string>()
  let sentences = 0
  for (const file of files) {
    const text = await readFile(join(directory, file), 'utf8')
    for (const [, sentence = ''] of text.matchAll(/\bnew AdapterError\(\s*'[a-z-]+',\s*(?:`([^`]*)`)?/g)) {
      sentences++
      for (const [, value] of sentence.matchAll(/\$\{([^}]*)\}/g)) held.add(value!)
    }
  }
  expect(sentences).toBeGreaterThan(60)
  expect([...held].sort()).toEqual(known)
})

test('nor does one of git', () => {
  const texts = Object.entries(failureTexts).flatMap(([code, text]) => (code.startsWith('GIT_') ? [text] : []))
  const values = new Set(texts.flatMap((text) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!)))
  // `problem` is a line of git's without the address, which may be an inner mirror's.
  expect([...values].sort()).toEqual(['branch', 'commit', 'gibibytes', 'limit', 'problem', 'seconds'])
})
