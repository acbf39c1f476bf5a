import { IconFile, IconFolder } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { CutName } from '../../ui/cut-name.tsx'
import { Notice } from '../../ui/notice.tsx'
import { shownName } from '../../ui/shown-name.ts'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { fileMessages } from './files.messages.ts'
import classes from './files.module.css'
import { foundQuery } from './files.queries.ts'
import { parentOf } from './paths.ts'

export function FoundFiles({ projectId, path, text }: { projectId: string; path: string; text: string }) {
  const t = useMessages(fileMessages)
  const { bytes } = useI18n()
  const { data: found, error, refetch } = useQuery(foundQuery(projectId, path, text))
  if (error && !found) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!found) return <RowsSkeleton rows={4} height={41} />
  if (found.nodes.length === 0) return <EmptyState title={t('found.none')} hint={t('found.none.hint', { text })} />
  return (
    <>
      {!found.isComplete && (
        <div className={classes.note}>
          <Notice tone="info">{t('found.more', { count: found.nodes.length })}</Notice>
        </div>
      )}
      <table className={`${card.table} ${card.cards} ${classes.found}`}>
        <thead>
          <tr>
            <th scope="col">{t('name')}</th>
            <th scope="col" className={card.end}>
              {t('size')}
            </th>
            <th scope="col">{t('changed')}</th>
          </tr>
        </thead>
        <tbody>
          {found.nodes.map(({ path: at, type, size, mtime }) => (
            <tr key={at}>
              <td className={classes.name}>
                <Link
                  to="."
                  search={type === 'dir' ? { path: at } : { path: parentOf(at) || undefined, open: at }}
                  preload={false}
                  className={card.rowLink!}
                >
                  {type === 'dir' ? <IconFolder size={18} aria-hidden /> : <IconFile size={18} aria-hidden />}
                  <CutName name={shownName(at)} tail={24} />
                </Link>
              </td>
              <td className={`${card.end} ${card.sub}`}>{type === 'dir' ? '–' : bytes(size)}</td>
              <td className={card.sub}>
                <Time at={mtime} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
