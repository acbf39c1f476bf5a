import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { german as errorSentences } from './api/error-sentences.de.ts'
import type { Catalogue } from './i18n/messages.ts'
import { operatorWordsIn } from './operator-words.fixture.ts'
import { sentenceTables } from './sentence-tables.fixture.ts'

// Remedies name a page instead (packages/dashboard/src/ui/settings-link.tsx), or say in plain words what to do on the server.

const list = async (directory: string, wanted: RegExp, unwanted = /^$/) =>
  (await readdir(directory, { recursive: true })).filter((path) => wanted.test(path) && !unwanted.test(path)).sort()
const catalogues = await list(import.meta.dirname, /\.[a-z]{2}\.json$/)

/** Texts that are no remedies, with the reason for the words in them. */
const allowedTexts: Readonly<Record<string, string>> = {
  'variables.hint': 'variables of the project, which its own page lists; one has the name of a variable of the panel',
  'panel.restore': 'the restore runs on a machine without a panel, where there is no page',
  'source.file': 'says where the value of a setting comes from'
}

test.each(catalogues)('%s names no variable, command, file or API path', async (path) => {
  const catalogue = JSON.parse(await readFile(join(import.meta.dirname, path), 'utf8')) as Catalogue
  const found = Object.entries(catalogue).flatMap(([key, text]) => operatorWordsIn(text).map((word) => [key, word]))
  expect(found.filter(([key]) => !(key! in allowedTexts))).toEqual([])
})

test.each(sentenceTables)('no English $word text names one', ({ texts }) => {
  expect(Object.entries(texts).flatMap(([code, text]) => operatorWordsIn(text).map((word) => [code, word]))).toEqual([])
})

test('no German error message names one', () => {
  expect(Object.values(errorSentences).flatMap(operatorWordsIn)).toEqual([])
})

/** Files whose texts no page shows. */
const allowedFiles: Readonly<Record<string, string>> = {
  'features/audit/retention.jobs.ts': 'a line of the log',
  'features/monitoring/monitoring.metrics.ts': 'help texts of /metrics',
  'features/sessions/fresh-proof.policy.ts': 'the dashboard asks for the password instead'
}
const server = join(import.meta.dirname, '../../server/src')
const sources = await list(
  server,
  /^(features|infra)\/.*\.ts$|^errors\.ts$/,
  /\.(routes|test|fixture)\.ts$|\.(config|worker)\.render\.ts$/
)

/** Sentences in the code, without what is put into them. */
const sentencesIn = (source: string) =>
  source
    .split('\n')
    .filter((line) => !/^\s*(\/\/|\/?\*|import )/.test(line))
    .flatMap((line) => line.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`/g) ?? [])
    .map((text) => text.replaceAll(/\$\{[^}]*\}/g, ''))
    .filter((text) => text.includes(' '))

test('no message in the code of the server names one', async () => {
  const found: string[] = []
  for (const path of sources.filter((each) => !(each in allowedFiles)))
    for (const text of sentencesIn(await readFile(join(server, path), 'utf8')))
      if (operatorWordsIn(text).length > 0) found.push(`${path}: ${text}`)
  expect(sources.length).toBeGreaterThan(300)
  expect(found).toEqual([])
})

test('each of these words is found', () => {
  const remedy =
    'Set MAIL=on or SMTP_URL in panel.env, run ./panel up, then POST /api/domains/:id/verify (deploy/sudoers)'
  expect(operatorWordsIn(remedy)).toEqual([
    'MAIL=on',
    'SMTP_URL',
    'panel.env',
    './panel',
    '/api/domains/:id/verify',
    'deploy/sudoers)'
  ])
  expect(operatorWordsIn('MAIL and DB_HOST, https://example.com/api and the API')).toEqual([])
})
