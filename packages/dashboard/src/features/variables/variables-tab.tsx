import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { NothingMatches } from '../../ui/nothing-matches.tsx'
import { saveText } from '../../ui/save-text.ts'
import { SearchBox } from '../../ui/search-box.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useDelayedAction } from '../../ui/use-delayed-action.ts'
import { PasteVariables } from './paste-variables.tsx'
import { VariableForm } from './variable-form.tsx'
import { VariableTable } from './variable-table.tsx'
import { variableMessages } from './variables.messages.ts'
import { deleteVariable, exportVariables, type Variable, variablesKey, variablesQuery } from './variables.queries.ts'
import { WaitingNotice } from './waiting-notice.tsx'

const from = '/signed-in/projects/$projectId/variables'

export function VariablesTab() {
  const t = useMessages(variableMessages)
  const { projectId } = useParams({ from })
  const { q = '' } = useSearch({ from })
  const { data: list, error, refetch } = useQuery(variablesQuery(projectId))
  // Keys saved again while their delayed deletion is pending must not be deleted.
  const written = useRef(new Set<string>())
  const remove = useDelayedAction({
    run: async ({ key }: Variable) => {
      if (!written.current.has(key)) await deleteVariable(projectId, key)
    },
    invalidates: [variablesKey(projectId)],
    doneMessage: ({ key }) => t('deleted', { key })
  })
  const onDelete = (variable: Variable) => {
    written.current.delete(variable.key)
    remove.start(variable)
  }
  const onWritten = (keys: readonly string[]) => keys.forEach((key) => written.current.add(key))
  if (error && !list) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!list) return <RowsSkeleton />
  const variables = list.variables.filter(({ id }) => !remove.pending.has(id))
  const shown = variables.filter(({ key }) => key.toLowerCase().includes(q.toLowerCase()))
  return (
    <>
      <WaitingNotice projectId={projectId} variables={variables} />
      <Section title={t('title')} hint={t('hint')} actions={variables.length > 0 && <ExportButton id={projectId} />}>
        {variables.length === 0 ? (
          <EmptyState title={t('none')} hint={t('none.hint')} />
        ) : (
          <>
            <div className={card.toolbar}>
              <SearchBox label={t('search')} />
            </div>
            {shown.length === 0 ? (
              <NothingMatches />
            ) : (
              <VariableTable projectId={projectId} variables={shown} onDelete={onDelete} />
            )}
          </>
        )}
      </Section>
      <Section title={t('add')}>
        <VariableForm projectId={projectId} onSaved={({ key }) => onWritten([key])} />
      </Section>
      <Section title={t('paste')} hint={t('paste.hint')}>
        <PasteVariables projectId={projectId} onImported={onWritten} />
      </Section>
    </>
  )
}

function ExportButton({ id }: { id: string }) {
  const t = useMessages(variableMessages)
  const { start, isPending } = useAction({
    run: () => exportVariables(id),
    invalidates: [],
    onDone: (content) => saveText('.env', content)
  })
  return (
    <Button variant="default" loading={isPending} onClick={() => start()}>
      {t('export')}
    </Button>
  )
}
