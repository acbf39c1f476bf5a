import { type RunningPanel, startPanel } from '../e2e/support/panel.ts'

export type { Client, RunningPanel } from '../e2e/support/panel.ts'

/** `./panel up` as it runs on a server: tests shorten its rounds, and compare everything every three seconds. */
export const startMeasuredPanel = (env: Record<string, string> = {}): Promise<RunningPanel> =>
  startPanel({
    LOG_LEVEL: 'warn',
    RECONCILE_SECONDS: '5',
    RECONCILE_FULL_SECONDS: '180',
    JOB_POLL_SECONDS: '5',
    RENEWAL_SECONDS: '60',
    ...env
  })
