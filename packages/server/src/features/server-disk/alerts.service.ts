import type { DiskForecast } from '@panel/contract/server-disk'
import type { NotificationCode } from '@panel/contract/notification-texts'
import type { Sentence } from '@panel/contract/sentences'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { diskUsageSince } from '../monitoring/history.service.ts'
import { notifyAdmins } from '../notifications/notify-access.ts'
import { forecastDisk, historyDays } from './disk-forecast.policy.ts'
import { alertKey, type DiskAlert, findAlerts, usedPercent } from './server-disk.policy.ts'
import { findMeasurement, lockAlerts, type MeasurementRow, saveAlerts } from './server-disk.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'events' | 'jobs' | 'nodeId' | 'now'>

export async function forecastOf(
  deps: Pick<Deps, 'db' | 'nodeId' | 'now'>,
  { disks }: Pick<MeasurementRow, 'disks'>
): Promise<DiskForecast | null> {
  const disk = disks.find(({ isPanels }) => isPanels)
  if (!disk) return null
  const { usedBytes, freeBytes } = disk
  const capacityBytes = usedBytes + freeBytes
  return forecastDisk(await diskUsageSince(deps, historyDays), { usedBytes, capacityBytes })
}

interface Finding {
  alert: DiskAlert
  row: MeasurementRow
  forecast: DiskForecast | null
}

/** Alerts of the latest measurement. */
export async function currentAlerts(deps: Omit<Deps, 'events' | 'jobs'>): Promise<Finding[]> {
  const row = await findMeasurement(deps.db, deps.nodeId)
  if (!row) return []
  const forecast = await forecastOf(deps, row)
  const { ALERT_DISK_DAYS: alertDays, ALERT_DISK_PERCENT: alertPercent } = deps.config
  const facts = { daysUntilFull: forecast?.daysUntilFull ?? null, disks: row.disks, alertDays, alertPercent }
  return findAlerts(new Set(row.alerts), facts).map((alert) => ({ alert, row, forecast }))
}

/** Notifies administrators of alerts that begin and end. */
export async function followAlerts(deps: Deps): Promise<void> {
  const found = await currentAlerts(deps)
  await deps.db.transaction(async (trx) => {
    const keysBefore = await lockAlerts(trx, deps.nodeId)
    const keys = found.map(({ alert }) => alertKey(alert))
    for (const finding of found)
      if (!keysBefore.includes(alertKey(finding.alert)))
        await tell(deps, trx, finding.alert, 'problem', problemText(finding))
    for (const key of keysBefore)
      if (!keys.includes(key)) {
        const alert: DiskAlert = key === 'forecast' ? { about: 'forecast' } : { about: 'disk', path: key }
        await tell(deps, trx, alert, 'recovered', [recoveredText(alert)])
      }
    if (keys.join('\0') !== keysBefore.join('\0')) await saveAlerts(trx, deps.nodeId, keys)
  })
}

function tell(
  deps: Deps,
  trx: Transaction,
  alert: DiskAlert,
  state: 'problem' | 'recovered',
  text: Sentence<NotificationCode>[]
): Promise<void> {
  return notifyAdmins(deps, trx, {
    kind: 'disk-nearly-full',
    subject: { type: 'server', id: `${deps.nodeId}/disk/${alertKey(alert)}`, name: 'Disk' },
    state,
    text,
    link: '/server/disk'
  })
}

function problemText({ alert, row, forecast }: Finding): Sentence<NotificationCode>[] {
  if (alert.about === 'forecast') {
    const days = Math.floor(forecast!.daysUntilFull!)
    return [{ code: 'DISK_FULL_IN_DAYS', values: { days } }, { code: 'SEE_DISK' }]
  }
  const disk = row.disks.find(({ path }) => path === alert.path)!
  return [
    { code: 'DISK_NEARLY_FULL', values: { path: alert.path, value: usedPercent(disk).toFixed(0) } },
    { code: 'SEE_DISK' }
  ]
}

const recoveredText = (alert: DiskAlert): Sentence<NotificationCode> =>
  alert.about === 'forecast' ? { code: 'DISK_HAS_TIME' } : { code: 'DISK_HAS_ROOM', values: { path: alert.path } }

/** The panel's own disk if it was above the threshold at the latest measurement. */
export async function findFullDisk({ config, db, nodeId }: Pick<Deps, 'config' | 'db' | 'nodeId'>) {
  const row = await findMeasurement(db, nodeId)
  return row?.disks.find((disk) => disk.isPanels && usedPercent(disk) > config.ALERT_DISK_PERCENT)
}
