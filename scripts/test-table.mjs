// Writes the table of docs/testing.md from the last whole run of ./panel test. What the suite was before is in the table already.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const document = join(root, 'docs/testing.md')
const [, results = join(root, 'node_modules/.test-results.json')] = process.argv.slice(1)
const heading = '| File | Tests before | Tests now | Seconds now |'

const text = readFileSync(document, 'utf8')
const start = text.indexOf('| File ')
if (start === -1) throw new Error(`there is no table in ${document}`)
const before = new Map()
for (const line of text.slice(start).split('\n').slice(2)) {
  const [, file, tests] = line.split('|').map((cell) => cell.trim())
  if (file && file !== 'all' && tests !== '') before.set(file, Number(tests))
}

// A file of API tests runs on two stores: its tests count once, its seconds twice.
const now = new Map()
for (const { path, passed, failed, skipped, seconds } of JSON.parse(readFileSync(results, 'utf8')).files) {
  const known = now.get(path) ?? { tests: 0, seconds: 0 }
  now.set(path, { tests: Math.max(known.tests, passed + failed + skipped), seconds: known.seconds + seconds })
}

const sum = (values) => [...values].reduce((total, value) => total + value, 0)
const row = (...cells) => `| ${cells.join(' | ')} |`
const shown = (seconds) => (seconds === 0 ? '' : seconds.toFixed(1))
const files = [...new Set([...before.keys(), ...now.keys()])].sort()
const lines = [
  heading,
  '| --- | ---: | ---: | ---: |',
  ...files.map((file) =>
    row(file, before.get(file) ?? '', now.get(file)?.tests ?? '', shown(now.get(file)?.seconds ?? 0))
  ),
  row(
    'all',
    sum(before.values()),
    sum([...now.values()].map(({ tests }) => tests)),
    shown(sum([...now.values()].map(({ seconds }) => seconds)))
  )
]
writeFileSync(document, `${text.slice(0, start)}${lines.join('\n')}\n`)
