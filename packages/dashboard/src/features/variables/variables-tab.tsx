import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { IconButton } from '../../ui/icon-button.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useAct } from '../../ui/use-act.ts'
import { PasteVariables } from './paste-variables.tsx'
import { VariableForm } from './variable-form.tsx'
import { variableMessages } from './variables.messages.ts'
import { variablesKey, variablesQuery } from './variables.queries.ts'

export function VariablesTab() {
  const t = useMessages(variableMessages)
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/variables' })
  const { data: list, error, refetch } = useQuery(variablesQuery(projectId))
  if (error && !list) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!list) return <RowsSkeleton />
  return (
    <>
      <Section title={t('title')} hint={t('hint')}>
        {list.variables.length === 0 ? (
          <EmptyState title={t('none')} hint={t('none.hint')} />
        ) : (
          <VariableTable projectId={projectId} variables={list.variables} />
        )}
      </Section>
      <Section title={t('add')}>
        <VariableForm projectId={projectId} />
      </Section>
      <Section title={t('paste')} hint={t('paste.hint')}>
        <PasteVariables projectId={projectId} />
      </Section>
    </>
  )
}

function VariableTable({ projectId, variables }: { projectId: string; variables: readonly Schema<'EnvVar'>[] }) {
  const t = useMessages(variableMessages)
  const remove = useAct({
    run: (key: string) =>
      data(api.DELETE('/api/projects/{id}/env/{key}', { params: { path: { id: projectId, key } } })),
    stale: [variablesKey(projectId)],
    done: (_result, key) => t('deleted', { key })
  })
  return (
    <div className={card.scroll}>
      <table className={card.table}>
        <thead>
          <tr>
            <th scope="col">{t('column.key')}</th>
            <th scope="col">{t('column.value')}</th>
            <th scope="col">{t('column.changed')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {variables.map(({ id, key, maskedValue, updatedAt }) => (
            <tr key={id}>
              <td>
                <code>{key}</code>
              </td>
              <td>{maskedValue}</td>
              <td className={card.sub}>
                <Time at={updatedAt} />
              </td>
              <td className={card.end}>
                <IconButton label={t('delete', { key })} disabled={remove.isPending} onClick={() => remove.start(key)}>
                  <IconTrash size={16} aria-hidden />
                </IconButton>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
