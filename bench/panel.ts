import { type RunningPanel, startPanel } from '../e2e/support/panel.ts'
import { step } from './step.ts'

export type { Client, RunningPanel } from '../e2e/support/panel.ts'

/** `./panel up` as it runs on a server: tests shorten its intervals, and compare everything every three seconds. */
export async function startMeasuredPanel(env: Record<string, string> = {}): Promise<RunningPanel> {
  const panel = await step('starting ./panel up', () =>
    startPanel({
      LOG_LEVEL: 'warn',
      RECONCILE_SECONDS: '5',
      RECONCILE_FULL_SECONDS: '180',
      JOB_POLL_SECONDS: '5',
      RENEWAL_SECONDS: '60',
      ...env
    })
  )
  return { ...panel, dispose: () => step('stopping the panel and removing what it made', () => panel.dispose()) }
}
