import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Schema } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Chart } from '../../ui/chart/chart.tsx'
import { everyStep, type Line, spanOf } from '../../ui/chart/series.ts'
import { Facts } from '../../ui/facts.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Tone } from '../../ui/tone.ts'
import { trafficQuery } from '../monitoring/monitoring.queries.ts'
import { uptimeChecksQuery } from '../uptime-checks/uptime-checks.queries.ts'
import { OverviewBlock } from './overview-block.tsx'
import classes from './project-overview.module.css'
import { projectMessages } from './projects.messages.ts'

const tones: Record<Schema<'UptimeCheck'>['state'], Tone> = { UP: 'ok', DOWN: 'bad', UNKNOWN: 'idle', PAUSED: 'idle' }
const shown = 5

export function ProjectUptime({ projectId }: { projectId: string }) {
  const t = useMessages(projectMessages)
  const { percent } = useI18n()
  const query = useQuery(uptimeChecksQuery(projectId))
  const to = { to: '/projects/$projectId/uptime', params: { projectId } } as const
  return (
    <OverviewBlock title={t('tab.uptime')} more={<Link {...to}>{t('uptime.all')}</Link>} query={query}>
      {({ uptimeChecks, pagination: { total } }) =>
        total === 0 ? (
          <p>{t('uptime.none')}</p>
        ) : (
          <>
            <ul className={classes.rows}>
              {uptimeChecks.slice(0, shown).map(({ id, name, state, uptime }) => (
                <li key={id}>
                  <Link {...to} search={{ d: id }} className={classes.name}>
                    <Foreign>{name}</Foreign>
                  </Link>
                  <StatusBadge tone={tones[state]}>{t(`uptime.${state}`)}</StatusBadge>
                  {uptime['30d'] !== null && (
                    <span className={classes.sub}>
                      {t('uptime.month', { share: roundedDown(uptime['30d'], percent) })}
                    </span>
                  )}
                </li>
              ))}
            </ul>
            {total > shown && <p className={classes.sub}>{t('uptime.more', { count: total - shown })}</p>}
          </>
        )
      }
    </OverviewBlock>
  )
}

/** Rounded down, so that a short outage is not shown as 100%. */
const roundedDown = (value: number, percent: (share: number) => string) => percent(Math.floor(value * 10) / 1_000)

export function ProjectRequests({ projectId }: { projectId: string }) {
  const t = useMessages(projectMessages)
  const query = useQuery(trafficQuery(projectId, '24h'))
  const all = (
    <Link to="/projects/$projectId/monitoring" params={{ projectId }}>
      {t('requests.all')}
    </Link>
  )
  return (
    <OverviewBlock title={t('requests')} more={all} query={query}>
      {(traffic) => (traffic.total.requests === 0 ? <p>{t('requests.none')}</p> : <Requests traffic={traffic} />)}
    </OverviewBlock>
  )
}

type MeasuredTraffic = Schema<'Traffic'> & { requestedAtMs: number }

function Requests({ traffic }: { traffic: MeasuredTraffic }) {
  const t = useMessages(projectMessages)
  const { number, percent } = useI18n()
  const { requests, errorShare, p95Ms } = traffic.total
  const chart = useMemo(() => {
    const span = spanOf(traffic.range, traffic.requestedAtMs)
    const { times, rows } = everyStep(traffic.points, traffic.stepSeconds, span)
    const lines: Line[] = [
      { label: t('requests.count'), token: '--series-1', values: rows.map((row) => row?.requests ?? 0) },
      { label: t('requests.errors'), token: '--series-2', values: rows.map((row) => row?.serverErrors ?? 0) }
    ]
    return { span, times, lines }
  }, [traffic, t])
  return (
    <div className={classes.requests}>
      <Facts
        rows={[
          { name: t('requests.count'), value: number(requests) },
          { name: t('requests.errors'), value: errorShare === null ? '–' : percent(errorShare) },
          { name: t('requests.p95'), value: p95Ms === null ? '–' : t('requests.ms', { amount: number(p95Ms) }) }
        ]}
      />
      <Chart title={t('requests.chart')} {...chart} format={number} />
    </div>
  )
}
