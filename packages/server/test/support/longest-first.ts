import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { readFullRun } from '../../src/cli/testing/full-run.ts'
import { longestFirst } from '../../src/cli/testing/order.ts'

/** Runs the longest files first, so that none runs alone at the end. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config
    const byPath = longestFirst((await readFullRun(root)) ?? { files: {} })
    const byProject = new Map<string, TestSpecification[]>()
    // Files of one project stay together, because they share workers.
    for (const file of await super.sort(files)) {
      const { name } = file.project
      byProject.set(name, [...(byProject.get(name) ?? []), file])
    }
    return [...byProject.values()].flatMap((of) =>
      of.sort((a, b) => byPath(relative(root, a.moduleId), relative(root, b.moduleId)))
    )
  }
}
