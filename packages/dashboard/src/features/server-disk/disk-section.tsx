import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Section } from '../../ui/section.tsx'
import classes from './server-disk.module.css'
import { serverDiskMessages } from './server-disk.messages.ts'
import type { FileSystem } from './server-disk.queries.ts'

export function DiskSection({ disk }: { disk: FileSystem }) {
  const t = useMessages(serverDiskMessages)
  const { bytes, percent } = useI18n()
  const { path, usedBytes, freeBytes } = disk
  const usable = usedBytes + freeBytes
  const rows = partsOf(disk)
  const hint = t('disk.use', { used: bytes(usedBytes), total: bytes(usable), free: bytes(freeBytes) })
  return (
    <Section title={t('disk', { path })} hint={hint}>
      <div className={classes.bar} aria-hidden="true">
        {rows
          .filter(({ kind }) => kind !== 'FREE')
          .map(({ kind, bytes: size, shade }) => (
            <span
              key={kind}
              className={classes.part}
              data-shade={shade}
              style={{ inlineSize: `${(100 * size) / Math.max(1, usable)}%` }}
            />
          ))}
      </div>
      <table className={`${card.table} ${card.cards}`}>
        <thead>
          <tr>
            <th scope="col">{t('column.kind')}</th>
            <th scope="col" className={card.end}>
              {t('column.size')}
            </th>
            <th scope="col" className={card.end}>
              {t('column.share')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ kind, bytes: size, shade }) => (
            <tr key={kind}>
              <td>
                <span className={classes.swatch} data-shade={shade} aria-hidden="true" />
                {t(`kind.${kind}`)}
              </td>
              <td className={card.end}>{bytes(size)}</td>
              <td className={card.end}>{percent(size / Math.max(1, usable))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

/** What is there, largest first, and what is free. */
function partsOf({ kinds, freeBytes }: FileSystem) {
  const used = kinds.filter(({ bytes }) => bytes > 0).map((each, shade) => ({ ...each, shade: String(shade) }))
  return [...used, { kind: 'FREE', bytes: freeBytes, shade: 'free' } as const]
}
