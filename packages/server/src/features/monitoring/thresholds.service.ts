import { z } from 'zod'
import { type AlertMetric, alertMetrics, type ServerMetrics } from '@panel/contract/monitoring'
import type { NotificationCode } from '@panel/contract/notification-texts'
import type { Sentence, SentenceValues } from '@panel/contract/sentences'
import type { Transaction } from '../../db/database.ts'
import { findSetting, saveSetting } from '../../db/settings.ts'
import type { Dependencies } from '../../dependencies.ts'
import { notifyAdmins } from '../notifications/notify-access.ts'
import { shareOf } from './rates.policy.ts'
import { calm, evaluateThreshold, type ThresholdState } from './threshold.machine.ts'

const State = z.object({ isRaised: z.boolean(), recent: z.array(z.enum(['above', 'between', 'below'])) })
const States = z.partialRecord(z.enum(alertMetrics), State)

type Deps = Pick<Dependencies, 'config' | 'events' | 'jobs' | 'logger' | 'nodeId' | 'now'>
export type Figures = Pick<
  ServerMetrics,
  'cpuPercent' | 'ramUsed' | 'ramTotal' | 'diskUsed' | 'diskTotal' | 'timestamp'
>

/** Evaluates the alert thresholds. The state is in the database, so that another process does not notify again. */
export async function followThresholds(deps: Deps, trx: Transaction, figures: Figures): Promise<void> {
  const key = `metric-alerts:${deps.nodeId}`
  const states = await statesOf(trx, key)
  const values = valuesOf(figures)
  const next: Partial<Record<AlertMetric, ThresholdState>> = {}
  for (const metric of alertMetrics) {
    const threshold = thresholdsOf(deps)[metric]
    const value = values[metric]
    const step = evaluateThreshold(states[metric] ?? calm, value, threshold)
    next[metric] = step.state
    if (step.change === undefined || value === null) continue
    if (step.change === 'raised')
      await deps.events.publish(trx, {
        to: 'admins',
        name: 'alert:threshold',
        data: { metric, value, threshold, timestamp: figures.timestamp }
      })
    const state = step.change === 'raised' ? 'problem' : 'recovered'
    await notifyAdmins(deps, trx, {
      kind: metric === 'disk' ? 'disk-nearly-full' : 'threshold',
      subject: { type: 'server', id: `${deps.nodeId}/${metric}`, name: names[metric] },
      state,
      text: crossing(metric, state, { value: value.toFixed(0), threshold }),
      link: metric === 'disk' ? '/server/disk' : '/server/monitoring'
    })
    deps.logger.info(
      { metric, value, threshold },
      step.change === 'raised' ? 'threshold crossed' : 'below the threshold'
    )
  }
  await saveSetting(trx, key, JSON.stringify(next))
}

const names: Readonly<Record<AlertMetric, string>> = { cpu: 'Processor', ram: 'Memory', disk: 'Disk' }

const codes = { cpu: 'CPU', ram: 'RAM', disk: 'DISK' } as const satisfies Record<AlertMetric, string>

function crossing(
  metric: AlertMetric,
  state: 'problem' | 'recovered',
  values: SentenceValues
): Sentence<NotificationCode>[] {
  return state === 'problem'
    ? [{ code: `ABOVE_${codes[metric]}`, values }, { code: metric === 'disk' ? 'SEE_DISK' : 'SEE_FIGURES' }]
    : [{ code: `BELOW_${codes[metric]}`, values }]
}

/** In percent. */
export const thresholdsOf = ({ config }: Pick<Deps, 'config'>): Record<AlertMetric, number> => ({
  cpu: config.ALERT_CPU_PERCENT,
  ram: config.ALERT_RAM_PERCENT,
  disk: config.ALERT_DISK_PERCENT
})

function valuesOf({ cpuPercent, ramUsed, ramTotal, diskUsed, diskTotal }: Figures) {
  const share = (used: number | null, total: number | null) =>
    used === null || total === null ? null : shareOf({ used, total })
  return { cpu: cpuPercent, ram: share(ramUsed, ramTotal), disk: share(diskUsed, diskTotal) }
}

/** Invalid state, for example from an older version, is reset. */
async function statesOf(trx: Transaction, key: string): Promise<z.infer<typeof States>> {
  try {
    return States.parse(JSON.parse((await findSetting(trx, key)) ?? '{}'))
  } catch {
    return {}
  }
}
