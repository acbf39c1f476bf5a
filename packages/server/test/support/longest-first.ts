import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { longestFirst, recordedSeconds } from '../../src/cli/test-order.ts'

/** Begins with the files that take long, so that none of them is left to run by itself in the end. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config
    const byPath = longestFirst(recordedSeconds(readFileSync(join(root, 'docs/testing.md'), 'utf8')))
    const byProject = new Map<string, TestSpecification[]>()
    // One project's files stay together: they share a worker.
    for (const file of await super.sort(files)) {
      const { name } = file.project
      byProject.set(name, [...(byProject.get(name) ?? []), file])
    }
    return [...byProject.values()].flatMap((of) =>
      of.sort((a, b) => byPath(relative(root, a.moduleId), relative(root, b.moduleId)))
    )
  }
}
