import { IconUnlink } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Schema } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { CutName } from '../../ui/cut-name.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useAction } from '../../ui/use-action.ts'
import classes from './databases.module.css'
import { databaseMessages } from './databases.messages.ts'
import { linkDatabase } from './databases.queries.ts'

type Listed = Schema<'ListedDatabase'>

export function ProjectDatabaseTable({ databases }: { databases: readonly Listed[] }) {
  const t = useMessages(databaseMessages)
  const { bytes } = useI18n()
  const unlink = useAction({
    run: ({ id }: Listed) => linkDatabase(id, { projectId: null, autoInjectEnv: false }),
    invalidates: [['databases']],
    done: (_result, { name }) => t('unlinked', { name })
  })
  return (
    <table className={`${card.table} ${card.cards} ${classes.linked}`}>
      <thead>
        <tr>
          <th scope="col">{t('column.name')}</th>
          <th scope="col">{t('column.engine')}</th>
          <th scope="col">{t('column.variables')}</th>
          <th scope="col" className={card.end}>
            {t('column.size')}
          </th>
          <td />
        </tr>
      </thead>
      <tbody>
        {databases.map((database) => (
          <tr key={database.id}>
            <td className={classes.name}>
              <Link to="/databases/$databaseId" params={{ databaseId: database.id }} className={card.rowLink!}>
                <CutName name={database.name} tail={8} />
              </Link>
            </td>
            <td className={card.sub}>{t(`engine.${database.type}`)}</td>
            <td className={card.sub}>{database.autoInjectEnv ? <code>DATABASE_URL, DB_…</code> : '–'}</td>
            <td className={`${card.end} ${card.sub}`}>
              {database.sizeBytes === null ? '–' : bytes(database.sizeBytes)}
            </td>
            <td className={card.end}>
              <IconButton
                label={t('unlink', { name: database.name })}
                disabled={unlink.isPending}
                onClick={() => unlink.start(database)}
              >
                <IconUnlink size={16} aria-hidden />
              </IconButton>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
