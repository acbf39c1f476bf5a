import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useAfterFirstPicture } from '../../ui/use-after-first-picture.ts'
import { serverHistoryQuery, serverNowQuery } from '../monitoring/monitoring.queries.ts'
import { useChartFormats } from '../monitoring/use-chart-formats.ts'
import { useLiveMetrics } from '../monitoring/use-live-metrics.ts'
import classes from './overview.module.css'
import { overviewMessages } from './overview.messages.ts'

const percentOf = (used: number | null, total: number | null) =>
  used === null || total === null || total === 0 ? null : (100 * used) / total

interface Tile {
  name: string
  value: string
  more: string
  history: readonly (number | null)[]
  max?: number
  isAbove?: boolean
}

/** CPU, memory, disk and network: now and over the last 24 hours. */
export function ServerSection() {
  const t = useMessages(overviewMessages)
  const { bytes } = useI18n()
  const format = useChartFormats()
  const polling = useLiveMetrics()
  const { data: now } = useQuery({ ...serverNowQuery, ...polling })
  const { data: history } = useQuery({ ...serverHistoryQuery('24h'), enabled: useAfterFirstPicture() })
  const points = history?.points ?? []
  const share = (used: number | null) => (used === null ? '–' : format.percent(used))
  const above = (used: number | null, threshold: number | undefined) =>
    used !== null && threshold !== undefined && used > threshold
  const cpu = now?.cpuPercent ?? null
  const ram = percentOf(now?.ramUsed ?? null, now?.ramTotal ?? null)
  const disk = percentOf(now?.diskUsed ?? null, now?.diskTotal ?? null)
  const amount = (used: number | null | undefined, total: number | null | undefined) =>
    used == null || total == null ? '' : t('server.of', { used: bytes(used), total: bytes(total) })
  const peak = Math.max(0, ...points.map((point) => point.cpu_percent ?? 0))
  const tiles: Tile[] = [
    {
      name: t('server.cpu'),
      value: share(cpu),
      more: points.length === 0 ? '' : t('server.peak', { share: format.percent(peak) }),
      history: points.map((point) => point.cpu_percent),
      max: 100,
      isAbove: above(cpu, now?.alertAbove.cpu)
    },
    {
      name: t('server.memory'),
      value: share(ram),
      more: amount(now?.ramUsed, now?.ramTotal),
      history: points.map((point) => percentOf(point.ram_used, point.ram_total)),
      max: 100,
      isAbove: above(ram, now?.alertAbove.ram)
    },
    {
      name: t('server.disk'),
      value: share(disk),
      more: amount(now?.diskUsed, now?.diskTotal),
      history: points.map((point) => percentOf(point.disk_used, point.disk_total)),
      max: 100,
      isAbove: above(disk, now?.alertAbove.disk)
    },
    {
      name: t('server.network'),
      value: now?.sentPerSecond == null ? '–' : format.rate(now.sentPerSecond),
      more: now?.receivedPerSecond == null ? '' : t('server.received', { rate: format.rate(now.receivedPerSecond) }),
      history: points.map((point) => point.network_sent)
    }
  ]
  return (
    <section aria-label={t('server')} className={classes.tiles}>
      {tiles.map(({ name, value, more, history: line, max, isAbove }) => (
        <Link key={name} to="/server/monitoring" className={classes.tile}>
          <span className={classes.tileName}>{name}</span>
          <span className={classes.tileValue}>
            {value} {isAbove && <StatusBadge tone="warn">{t('server.above')}</StatusBadge>}
          </span>
          <Sparkline values={line} {...(max !== undefined && { max })} />
          <span className={classes.tileMore}>{more}</span>
        </Link>
      ))}
    </section>
  )
}
