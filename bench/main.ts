import { fileURLToPath } from 'node:url'
import { type Comparison, comparisonLine, compareRatios, medianRows, tolerance } from './compare.ts'
import { withEngine } from './engine.ts'
import type { Row } from './figures.ts'
import { parseOptions, parts } from './parts.ts'
import { beginPart, readRatios } from './results.ts'
import { runInProcess, runParts } from './run-parts.ts'

const script = fileURLToPath(new URL('part.ts', import.meta.url))
const runsOfNoisyPart = 3

const args = process.argv.slice(2)
const { values: options, positionals: wanted } = parseOptions(args)
const unknown = wanted.filter((name) => !(name in parts))
if (unknown.length > 0)
  throw new Error(`No such part: ${unknown.join(', ')}. There are: ${Object.keys(parts).join(', ')}`)
const names = wanted.length > 0 ? Object.keys(parts).filter((name) => wanted.includes(name)) : Object.keys(parts)

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => interrupted.abort(new Error(`interrupted by ${signal}`)))

const recorded = readRatios()
const worse: string[] = []

async function runPart(name: string): Promise<void> {
  interrupted.signal.throwIfAborted()
  const { needsEngine, isNoisy } = parts[name]!
  console.log(`\n## ${name}`)
  const end = beginPart()
  const count = Number(options.runs ?? (options.compare && isNoisy ? runsOfNoisyPart : 1))
  const measure = async () => {
    const runs: Row[][] = []
    for (let run = 1; run <= count; run++) {
      if (count > 1) console.log(`run ${run} of ${count}`)
      runs.push(await runInProcess(script, [name, ...args], interrupted.signal))
    }
    return medianRows(runs)
  }
  const rows = needsEngine ? await withEngine(measure) : await measure()
  end(name, rows)
  if (options.compare) compare(name, compareRatios(rows, recorded[name] ?? {}))
}

function compare(name: string, comparisons: readonly Comparison[]): void {
  console.log(`compared with docs/performance.json:`)
  for (const comparison of comparisons) {
    console.log(comparisonLine(comparison))
    if (comparison.worse > tolerance) worse.push(`${name}: ${comparison.name}`)
  }
}

const failures = await runParts(names, runPart)
if (failures.size > 0) {
  const lines = [...failures].map(([name, why]) => `  ${name}: ${why}`)
  console.error(`\nFailed parts:\n${lines.join('\n')}`)
}
if (worse.length > 0) console.error(`\nMore than ${tolerance * 100} % worse than recorded:\n  ${worse.join('\n  ')}`)
process.exitCode = failures.size > 0 || worse.length > 0 ? 1 : 0
