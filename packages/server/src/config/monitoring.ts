import { z } from 'zod'
import { whole } from './values.ts'

const percent = z.coerce.number().min(1).max(100)

/** Alert thresholds of the server. */
export const monitoringVariables = {
  ALERT_CPU_PERCENT: percent.default(80),
  ALERT_RAM_PERCENT: percent.default(85),
  ALERT_DISK_PERCENT: percent.default(90),
  ALERT_DISK_DAYS: whole(1, 365).default(7),
  SERVER_DISK_SECONDS: whole(60, 86_400).default(3600)
}
