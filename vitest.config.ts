import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import LongestFirst from './packages/server/test/support/longest-first.ts'

// What a test waits for comes, however loaded the machine is.
const patient = { expect: { poll: { timeout: 120_000 } }, testTimeout: 300_000, hookTimeout: 600_000 }

// `source` makes workspace packages resolve to their TypeScript, so that tests never meet a stale build.
const project = (test: NonNullable<TestProjectInlineConfiguration['test']>): TestProjectInlineConfiguration => ({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  // Modules are loaded once for each worker, not once for each file: a project inherits nothing of this from the root.
  test: { ...patient, isolate: false, ...test }
})

// What touches the whole machine, or takes so much of it that others would fail beside it.
const alone = [
  'e2e/dns/server-limits.test.ts',
  'e2e/files/large-files.test.ts',
  'e2e/system/firewall-services.test.ts',
  'e2e/system/firewall.test.ts',
  'e2e/system/host-helper.test.ts',
  'e2e/deployments/engine-recovery.test.ts',
  'e2e/wordpress/import.test.ts'
]

const endToEnd = (test: NonNullable<TestProjectInlineConfiguration['test']>) =>
  project({
    globalSetup: ['e2e/support/global-setup.ts'],
    // Real programs on a shared machine: a second try is allowed, and the summary names it.
    retry: 1,
    testTimeout: 600_000,
    hookTimeout: 900_000,
    ...test
  })

export default defineConfig({
  test: {
    reporters: ['default', './packages/server/test/support/summary-reporter.ts'],
    sequence: { sequencer: LongestFirst },
    // Vitest's own number, but two where it would be one: half of an API test is waiting for PostgreSQL, MariaDB and the disk.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      project({ name: 'unit', include: ['packages/*/src/**/*.test.ts'] }),
      project({
        name: 'api',
        include: ['packages/server/test/**/*.test.ts'],
        // They run beside the end-to-end ones, on what these leave of the processors; a second try is named in the summary.
        retry: 1,
        globalSetup: ['packages/server/test/support/global-setup.ts']
      }),
      // Pages in a real browser, on the real API and store in one process; no engines.
      project({
        name: 'pages',
        include: ['e2e/**/*.page.test.ts'],
        retry: 1,
        globalSetup: ['e2e/support/build-dashboard.ts', 'packages/server/test/support/global-setup.ts'],
        // Among those that wait for other programs.
        maxWorkers: 3,
        sequence: { groupOrder: 1 }
      }),
      // These wait for other programs most of the time, so there are more of them than processors.
      endToEnd({
        name: 'e2e',
        include: ['e2e/**/*.test.ts'],
        exclude: ['e2e/**/*.page.test.ts', ...alone],
        maxWorkers: 3,
        sequence: { groupOrder: 1 }
      }),
      endToEnd({ name: 'e2e-alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 2 } })
    ]
  }
})
