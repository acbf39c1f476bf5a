import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import { type FileResult, summaryOf } from '../../src/cli/testing/report.ts'

/** Prints slow tests, retries and the summary line for CI; also writes it to TEST_RESULTS. */
export default class SummaryReporter implements Reporter {
  #root = process.cwd()

  onInit({ config }: Vitest): void {
    this.#root = config.root
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const files = modules.map((module) => resultOf(module, this.#root))
    const { TEST_RESULTS } = process.env
    const results = { files, broken: errors.length }
    if (TEST_RESULTS === undefined) process.stdout.write(`\n${summaryOf([results]).join('\n')}\n`)
    else writeFileSync(TEST_RESULTS, JSON.stringify(results))
  }
}

function resultOf(module: TestModule, root: string): FileResult {
  const count = { passed: 0, failed: 0, skipped: 0 }
  if (module.errors().length > 0) count.failed++
  const tests = [...module.children.allTests()].map((test) => {
    const { state } = test.result()
    if (state !== 'pending') count[state]++
    const { duration = 0, retryCount = 0 } = test.diagnostic() ?? {}
    return {
      name: test.fullName,
      seconds: duration / 1000,
      neededSecondTry: retryCount > 0,
      isFailed: state === 'failed',
      ...firstError(test, root)
    }
  })
  const seconds = module.diagnostic().duration / 1000
  return { project: module.project.name, path: relative(root, module.moduleId), seconds, ...count, tests }
}

/** Vitest keeps the errors of every attempt. */
function firstError(test: TestCase, root: string): { error?: string } {
  const [error] = test.result().errors ?? []
  if (error === undefined) return {}
  const at = error.stacks?.find(({ file }) => file.startsWith(root) && !file.includes('node_modules'))
  const place = at === undefined ? '' : ` (${relative(root, at.file)}:${at.line})`
  // For properties, the third line has the counterexample.
  return { error: `${error.message.split('\n', 3).join(' ').slice(0, 400)}${place}` }
}
