import { reportedRows } from './figures.ts'
import { parseOptions, parts } from './parts.ts'
import { failedStep, interruptSteps, type PartMessage } from './step.ts'

/** Runs the part that is the first argument, for run-parts.ts, and exits: connections that are still open do not keep it. */
const [name = '', ...args] = process.argv.slice(2)
process.once('SIGTERM', () => interruptSteps() || process.exit(1))
const finish = (message: PartMessage, exitCode: number) => process.send!(message, () => process.exit(exitCode))
try {
  await parts[name]!.run(parseOptions(args).values)
  finish({ rows: reportedRows() }, 0)
} catch (thrown) {
  const { text, error } = failedStep() ?? { text: 'between two steps', error: thrown }
  console.error(error)
  finish({ failure: `${text}: ${error instanceof Error ? error.message : String(error)}` }, 1)
}
