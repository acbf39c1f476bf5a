import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import type { Vite } from 'vitest/node'
import LongestFirst from './packages/server/test/support/longest-first.ts'

// Limits for a test that hangs, not for a slow machine.
const limits = { expect: { poll: { timeout: 120_000 } }, testTimeout: 300_000, hookTimeout: 600_000 }

/** More than processors in a full run, as these wait for other programs most of the time; the gate has the API tests beside them. */
const endToEndWorkers = Number(process.env.TEST_WORKERS ?? 3)

/** The gate allows no second try; `./panel test --all` allows one to files outside of it and names them in its summary. */
const retry = Number(process.env.TEST_RETRY ?? 0)

const cacheOfTests: Vite.Plugin = {
  name: 'cache of test modules only',
  // Vitest 4.1.11 reads cached modules of a global set-up as bytes, and the first stack trace there ends the run.
  configureVitest: ({ experimental_defineCacheKeyGenerator: addKeyOf }) =>
    addKeyOf(({ environment }) => (environment.name === '__vitest__' ? false : undefined))
}

// `source` makes workspace packages resolve to their TypeScript, so that tests never meet a stale build.
const project = (test: NonNullable<TestProjectInlineConfiguration['test']>): TestProjectInlineConfiguration => ({
  plugins: [cacheOfTests],
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  // Modules are loaded once per worker, not once per file, and kept transformed between runs. Projects inherit nothing from
  // the root.
  test: { ...limits, isolate: false, experimental: { fsModuleCache: true }, ...test }
})

// Files that change what the whole machine shares, or load it so much that time limits of the product end in tests beside them.
const alone = [
  'e2e/dns/server-limits.test.ts',
  'e2e/files/large-files.test.ts',
  'e2e/system/firewall-services.test.ts',
  'e2e/system/firewall.test.ts',
  'e2e/system/host-helper.test.ts',
  'e2e/system/install.test.ts',
  'e2e/deployments/engine-recovery.test.ts',
  'e2e/wordpress/import.test.ts'
]

const endToEnd = (test: NonNullable<TestProjectInlineConfiguration['test']>) =>
  project({
    globalSetup: ['e2e/support/global-setup.ts'],
    retry,
    testTimeout: 600_000,
    hookTimeout: 900_000,
    ...test
  })

export default defineConfig({
  test: {
    reporters: ['default', './packages/server/test/support/summary-reporter.ts'],
    sequence: { sequencer: LongestFirst },
    // At least two: half of an API test is waiting for PostgreSQL, MariaDB and the disk.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      project({ name: 'unit', include: ['packages/*/src/**/*.test.ts', 'scripts/*.test.mjs'] }),
      project({
        name: 'api',
        include: ['packages/server/test/**/*.test.ts'],
        globalSetup: ['packages/server/test/support/global-setup.ts']
      }),
      // Pages in a real browser, on the real API and store in one process, without engines.
      project({
        name: 'pages',
        include: ['e2e/**/*.page.test.ts'],
        retry,
        globalSetup: ['e2e/support/build-dashboard.ts', 'packages/server/test/support/global-setup.ts'],
        maxWorkers: endToEndWorkers,
        sequence: { groupOrder: 1 }
      }),
      endToEnd({
        name: 'e2e',
        include: ['e2e/**/*.test.ts'],
        exclude: ['e2e/**/*.page.test.ts', ...alone],
        maxWorkers: endToEndWorkers,
        sequence: { groupOrder: 1 }
      }),
      endToEnd({ name: 'e2e-alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 2 } })
    ]
  }
})
