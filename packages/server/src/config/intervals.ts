import { interval, whole } from './values.ts'

/** Intervals of background work. */
export const intervalVariables = {
  RECONCILE_SECONDS: interval.default(5),
  RECONCILE_FULL_SECONDS: interval.default(180),
  JOB_POLL_SECONDS: interval.default(5),
  RENEWAL_SECONDS: interval.default(60),
  /** How long a firewall change stays in force without a confirmation. */
  FIREWALL_CONFIRM_SECONDS: whole(2, 600).default(60)
}
