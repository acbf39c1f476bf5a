import { useQuery } from '@tanstack/react-query'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { monitoringMessages } from './monitoring.messages.ts'
import { type ServerNow, serverNowQuery } from './monitoring.queries.ts'
import { type Tile, Tiles } from './tiles.tsx'
import { useChartFormats } from './use-chart-formats.ts'

const percentOf = (used: number | null, total: number | null) =>
  used === null || total === null || total === 0 ? null : (100 * used) / total

export function ServerNowSection({ polling }: { polling: { refetchInterval: number | false } }) {
  const { data: now, error, refetch } = useQuery({ ...serverNowQuery, ...polling })
  if (error && !now) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!now) return <RowsSkeleton rows={2} height={44} />
  return <ServerTiles now={now} />
}

function ServerTiles({ now }: { now: ServerNow }) {
  const t = useMessages(monitoringMessages)
  const { bytes, number } = useI18n()
  const format = useChartFormats()
  const size = (value: number | null) => (value === null ? '–' : bytes(value))
  const rate = (value: number | null) => (value === null ? '–' : format.rate(value))
  const share = (name: string, used: number | null, threshold: number | undefined, more: string): Tile => ({
    name,
    value: used === null ? '–' : format.percent(used),
    more,
    isAbove: used !== null && threshold !== undefined && used > threshold
  })
  const amount = (used: number | null, total: number | null) => t('usedOf', { used: size(used), total: size(total) })
  const load = now.loadAverage.length === 0 ? '–' : now.loadAverage.map((each) => number(each)).join(' · ')
  const tiles: Tile[] = [
    share(t('cpu'), now.cpuPercent, now.alertAbove.cpu, t('cores', { count: now.cpuCoreCount })),
    share(t('ram'), percentOf(now.ramUsed, now.ramTotal), now.alertAbove.ram, amount(now.ramUsed, now.ramTotal)),
    share(t('disk'), percentOf(now.diskUsed, now.diskTotal), now.alertAbove.disk, amount(now.diskUsed, now.diskTotal)),
    { name: t('received'), value: rate(now.receivedPerSecond), more: t('sent.now', { rate: rate(now.sentPerSecond) }) },
    { name: t('load'), value: load, more: t('load.hint') },
    { name: t('uptime'), value: now.uptimeSeconds === null ? '–' : durationOf(now.uptimeSeconds, t), more: t('uptime.hint') } // oxfmt-ignore
  ]
  return <Tiles label={t('now')} tiles={tiles} />
}

const hour = 3_600

function durationOf(seconds: number, t: (key: 'days' | 'hours' | 'minutes', values: { count: number }) => string) {
  if (seconds >= 48 * hour) return t('days', { count: Math.floor(seconds / (24 * hour)) })
  if (seconds >= 2 * hour) return t('hours', { count: Math.floor(seconds / hour) })
  return t('minutes', { count: Math.floor(seconds / 60) })
}
