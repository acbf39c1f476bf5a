import { z } from 'zod'

const percent = z.coerce.number().min(1).max(100)

/** Alert thresholds of the server. */
export const monitoringVariables = {
  ALERT_CPU_PERCENT: percent.default(80),
  ALERT_RAM_PERCENT: percent.default(85),
  ALERT_DISK_PERCENT: percent.default(90)
}
