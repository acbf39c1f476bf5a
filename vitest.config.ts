import { defineConfig } from 'vitest/config'

// `source` makes workspace packages resolve to their TypeScript, so that tests never meet a stale build.
const shared = { resolve: { conditions: ['source'] }, ssr: { resolve: { conditions: ['source'] } } }

// What a test waits for comes, however loaded the machine is.
const patient = { expect: { poll: { timeout: 60_000 } }, testTimeout: 60_000, hookTimeout: 120_000 }

export default defineConfig({
  test: {
    isolate: false,
    reporters: ['default', './packages/server/test/support/summary-reporter.ts'],
    projects: [
      { ...shared, test: { name: 'unit', ...patient, include: ['packages/*/src/**/*.test.ts'] } },
      {
        ...shared,
        test: {
          name: 'api',
          ...patient,
          include: ['packages/server/test/**/*.test.ts'],
          globalSetup: ['packages/server/test/support/global-setup.ts']
        }
      },
      {
        ...shared,
        test: {
          name: 'e2e',
          ...patient,
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['e2e/support/global-setup.ts'],
          fileParallelism: false,
          // Real programs on a shared machine: a second try is allowed, and printed as one.
          retry: 1,
          testTimeout: 300_000,
          hookTimeout: 900_000
        }
      }
    ]
  }
})
