import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { CutName } from '../../ui/cut-name.tsx'
import { Filter } from '../../ui/filter.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import classes from './monitoring.module.css'
import { monitoringMessages } from './monitoring.messages.ts'
import { type ContainerOrder, containerOrders, containersNowQuery, type ContainersNow } from './monitoring.queries.ts'
import { useChartFormats } from './use-chart-formats.ts'

const perPage = 25

interface ContainerTableProps {
  polling: { refetchInterval: number | false }
  isOfAll: boolean
}

export function ContainerTable({ polling, isOfAll }: ContainerTableProps) {
  const t = useMessages(monitoringMessages)
  const { sort = 'name', page = 1 } = useSearch({ from: '/signed-in/server/monitoring' })
  const { data: now, error, refetch } = useQuery({ ...containersNowQuery, ...polling })
  return (
    <section className={card.card} aria-label={t('containers')}>
      <div className={card.toolbar}>
        <h2 className={classes.title}>{t(isOfAll ? 'containers' : 'containers.own')}</h2>
        <div className={card.push}>
          <Filter
            label={t('order')}
            name="sort"
            options={containerOrders.map((value) => ({ value, label: t(`order.${value}`) }))}
            selected={sort}
          />
        </div>
      </div>
      {error && !now && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !now && <RowsSkeleton rows={4} height={41} />}
      {now?.containers.length === 0 && <EmptyState title={t('containers.none')} hint={t('containers.none.hint')} />}
      {now && now.containers.length > 0 && (
        <>
          <Rows containers={sortContainers(now.containers, sort).slice((page - 1) * perPage, page * perPage)} />
          <Pagination page={page} limit={perPage} total={now.containers.length} />
        </>
      )}
    </section>
  )
}

type Container = ContainersNow['containers'][number]

const sizes: Record<Exclude<ContainerOrder, 'name'>, (container: Container) => number> = {
  cpu: ({ cpuPercent }) => cpuPercent ?? -1,
  memory: ({ ramUsed }) => ramUsed ?? -1
}

function sortContainers(containers: readonly Container[], order: ContainerOrder): Container[] {
  const byName = containers.toSorted((a, b) => a.name.localeCompare(b.name))
  return order === 'name' ? byName : byName.sort((a, b) => sizes[order](b) - sizes[order](a))
}

function Rows({ containers }: { containers: readonly Container[] }) {
  const t = useMessages(monitoringMessages)
  const { bytes } = useI18n()
  const format = useChartFormats()
  const known = (value: number | null, write: (value: number) => string) => (value === null ? '–' : write(value))
  return (
    <table className={`${card.table} ${card.cards} ${classes.containers}`}>
      <thead>
        <tr>
          <th scope="col">{t('project')}</th>
          {(['cpu', 'ram', 'received', 'sent'] as const).map((column) => (
            <th key={column} scope="col" className={card.end}>
              {t(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {containers.map(({ containerId, projectId, name, cpuPercent, ramUsed, ramLimit, ...rates }) => (
          <tr key={containerId}>
            <td className={classes.name}>
              <Link to="/projects/$projectId" params={{ projectId }} className={card.rowLink!}>
                <CutName name={name} tail={8} />
              </Link>
            </td>
            <td className={card.end} data-label={t('cpu')}>
              {known(cpuPercent, format.percent)}
            </td>
            <td className={card.end} data-label={t('ram')}>
              {known(ramUsed, bytes)}
              {ramLimit !== null && <span className={card.sub}> / {bytes(ramLimit)}</span>}
            </td>
            <td className={`${card.end} ${card.sub}`} data-label={t('received')}>
              {known(rates.receivedPerSecond, format.rate)}
            </td>
            <td className={`${card.end} ${card.sub}`} data-label={t('sent')}>
              {known(rates.sentPerSecond, format.rate)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
