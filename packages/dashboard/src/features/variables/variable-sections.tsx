import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
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
import {
  deleteVariable,
  exportVariables,
  type Holder,
  type Variable,
  variablesKey,
  variablesQuery
} from './variables.queries.ts'
import { WaitingNotice } from './waiting-notice.tsx'

/** The variables of a project or a group: list, form and import. */
export function VariableSections({ holder, search }: { holder: Holder; search: string }) {
  const t = useMessages(variableMessages)
  const { data: list, error, refetch } = useQuery(variablesQuery(holder))
  // Keys saved again while their delayed deletion is pending must not be deleted.
  const written = useRef(new Set<string>())
  const remove = useDelayedAction({
    run: async ({ key }: Variable) => {
      if (!written.current.has(key)) await deleteVariable(holder, key)
    },
    invalidates: [variablesKey(holder)],
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
  const shown = variables.filter(({ key }) => key.toLowerCase().includes(search.toLowerCase()))
  return (
    <>
      {holder.kind === 'project' && <WaitingNotice projectId={holder.id} variables={variables} />}
      <Section title={t('title')} hint={t('hint')} actions={variables.length > 0 && <ExportButton holder={holder} />}>
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
              <VariableTable holder={holder} variables={shown} onDelete={onDelete} />
            )}
          </>
        )}
      </Section>
      <Section title={t('add')}>
        <VariableForm holder={holder} onSaved={({ key }) => onWritten([key])} />
      </Section>
      <Section title={t('paste')} hint={t('paste.hint')}>
        <PasteVariables holder={holder} onImported={onWritten} />
      </Section>
    </>
  )
}

function ExportButton({ holder }: { holder: Holder }) {
  const t = useMessages(variableMessages)
  const { start, isPending } = useAction({
    run: () => exportVariables(holder),
    invalidates: [],
    onDone: (content) => saveText('.env', content)
  })
  return (
    <Button variant="default" loading={isPending} onClick={() => start()}>
      {t('export')}
    </Button>
  )
}
