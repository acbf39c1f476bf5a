// Writes the tables of docs/performance.md from what each part of `npm run bench` printed last.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const document = join(root, 'docs/performance.md')
const [, results = join(root, 'node_modules/.bench-results.json')] = process.argv.slice(1)
const [begin, end] = ['<!-- what the parts printed -->', '<!-- end -->']

const cell = (text) => text.trim().replaceAll('|', '\\|')
const table = ([name, { commit, load, rows }]) => [
  `**${name}** (${commit}, load ${load.toFixed(1)})`,
  '',
  '| What | Figure | Ratio | Aim |',
  '| --- | ---: | ---: | ---: |',
  ...rows.map(
    ({ name: what, figure, ratio, aim }) =>
      `| ${cell(what)} | ${cell(figure)} | ${ratio === undefined ? '' : `${ratio.toFixed(2)}x`} | ${cell(aim ?? '')} |`
  ),
  ''
]

const text = readFileSync(document, 'utf8')
const [from, to] = [text.indexOf(begin), text.indexOf(end)]
if (from === -1 || to < from) throw new Error(`there is no place for the tables in ${document}`)
const parts = Object.entries(JSON.parse(readFileSync(results, 'utf8'))).sort(([one], [other]) => (one < other ? -1 : 1))
writeFileSync(document, [text.slice(0, from) + begin, '', ...parts.flatMap(table), text.slice(to)].join('\n'))
