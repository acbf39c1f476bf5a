import { useMessages } from '../../i18n/i18n.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import classes from './monitoring.module.css'
import { monitoringMessages } from './monitoring.messages.ts'

export interface Tile {
  name: string
  value: string
  more: string
  isAbove?: boolean
}

export function Tiles({ label, tiles }: { label: string; tiles: readonly Tile[] }) {
  const t = useMessages(monitoringMessages)
  return (
    <section aria-label={label}>
      <dl className={classes.tiles}>
        {tiles.map(({ name, value, more, isAbove = false }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={classes.value}>
              {value} {isAbove && <StatusBadge tone="warn">{t('above')}</StatusBadge>}
            </dd>
            <dd className={classes.more}>{more}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
