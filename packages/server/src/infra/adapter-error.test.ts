import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failureTexts } from '@panel/contract/failure-texts'
import { wordpressProblemTexts } from '@panel/contract/wordpress-texts'
import { expect, test } from 'vitest'
import { AdapterError } from './adapter-error.ts'

test('a reason appears in the message but not in the sentence', () => {
  const error = new AdapterError('disk-full', 'The disk is full', { reason: '/var/lib/panel: ENOSPC' })
  expect([error.sentence, error.message]).toEqual(['The disk is full', 'The disk is full: /var/lib/panel: ENOSPC'])
})

// Values that sentences may contain: the caller's own things, or limits. Paths, addresses and codes of the machine
// belong in reasons.
// `problem` and `what`: our own words about an uploaded folder.
const known = ['database', 'engine', 'maxBytes', 'name', 'port', 'problem', 'username', 'what']

test('adapter sentences contain no machine details', async () => {
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

test.each<[string, RegExp, Readonly<Record<string, string>>, string[]]>([
  // `problem` is a line of git output without the address, which may be an internal mirror's.
  ['of git', /^GIT_/, failureTexts, ['branch', 'commit', 'gibibytes', 'limit', 'problem', 'seconds']],
  // `answer` and `problem`: the database server's message about the statements, and ours about the archive.
  [
    'of an import',
    /^ARCHIVE_|^DUMP_(REFUSED|NOT_LOADED)$|^DATABASE_SERVER_/,
    wordpressProblemTexts,
    ['answer', 'bytes', 'max', 'problem']
  ]
])('coded sentences %s contain no machine details', (_name, codes, texts, wanted) => {
  const found = Object.entries(texts).flatMap(([code, text]) => (codes.test(code) ? [text] : []))
  const values = new Set(found.flatMap((text) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!)))
  expect([...values].sort()).toEqual(wanted)
})
