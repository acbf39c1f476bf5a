// `npm run bench:table` writes the last result of each part into docs/performance.md, and its ratios into docs/performance.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PartResult, readResults, recordRatios } from './results.ts'

const document = join(import.meta.dirname, '../docs/performance.md')
const [begin, end] = ['<!-- results -->', '<!-- end -->']

const cell = (text: string) => text.trim().replaceAll('|', '\\|')

const table = (name: string, { commit, load, rows }: PartResult): string =>
  [
    `**${name}** (${commit}, load ${load.toFixed(1)})`,
    '',
    '| What | Figure | Ratio | Aim |',
    '| --- | ---: | ---: | ---: |',
    ...rows.map(
      ({ name: what, figure, ratio, aim }) =>
        `| ${cell(what)} | ${cell(figure)} | ${ratio === undefined ? '' : `${ratio.toFixed(2)}x`} | ${cell(aim ?? '')} |`
    )
  ].join('\n')

const text = readFileSync(document, 'utf8')
const [from, to] = [text.indexOf(begin), text.indexOf(end)]
if (from === -1 || to < from) throw new Error(`${document} has no place for the tables`)
const results = readResults()
// Parts that were not measured again keep their tables.
const tables = new Map(
  text
    .slice(from + begin.length, to)
    .split(/^(?=\*\*)/m)
    .map((each) => each.trim())
    .map((each) => [/^\*\*([\w-]+)\*\*/.exec(each)?.[1] ?? '', each])
)
for (const [name, result] of Object.entries(results)) tables.set(name, table(name, result))
tables.delete('')
const sorted = [...tables].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each)
writeFileSync(document, [text.slice(0, from) + begin, ...sorted, text.slice(to)].join('\n\n'))
recordRatios(results)
