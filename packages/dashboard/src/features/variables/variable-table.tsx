import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { focusAction, neighbourOf } from '../../ui/focus-row.ts'
import { useRowsInSight } from '../../ui/use-rows-in-sight.ts'
import { projectQuery } from '../projects/project.queries.ts'
import { VariableForm } from './variable-form.tsx'
import { VariableRow } from './variable-row.tsx'
import { variableMessages } from './variables.messages.ts'
import { type Holder, isWaiting, type Variable } from './variables.queries.ts'
import classes from './variables.module.css'

/** Row heights in px, as in the stylesheet. */
const height = { row: 47, card: 90 }

interface VariableTableProps {
  holder: Holder
  variables: readonly Variable[]
  onDelete(variable: Variable): void
}

export function VariableTable({ holder, variables, onDelete }: VariableTableProps) {
  const t = useMessages(variableMessages)
  const { data: project } = useQuery({ ...projectQuery(holder.id), enabled: holder.kind === 'project' })
  const [editing, setEditing] = useState<{ id: string; value: string }>()
  const { body, shown, before, after } = useRowsInSight(variables, height)
  const leave = ({ id }: Variable) => {
    setEditing(undefined)
    focusAction('edit', id)
  }
  return (
    <table className={`${card.table} ${card.cards} ${classes.table}`} aria-rowcount={variables.length + 1}>
      <thead>
        <tr>
          <th scope="col">{t('column.key')}</th>
          <th scope="col">{t('column.value')}</th>
          <th scope="col">{t('column.changed')}</th>
          <td />
        </tr>
      </thead>
      <tbody ref={body}>
        {before > 0 && <tr style={{ height: before }} />}
        {shown.map((variable) =>
          editing?.id === variable.id ? (
            <tr key={variable.id}>
              <td colSpan={4} className={classes.editor}>
                <VariableForm
                  holder={holder}
                  variable={{ ...variable, value: editing.value }}
                  onSaved={() => leave(variable)}
                  onCancel={() => leave(variable)}
                />
              </td>
            </tr>
          ) : (
            <VariableRow
              key={variable.id}
              holder={holder}
              variable={variable}
              isWaiting={isWaiting(variable, project?.deployedAt ?? null)}
              onEdit={(value) => setEditing({ id: variable.id, value })}
              onDelete={() => {
                focusAction('delete', neighbourOf(variables, variable.id)?.id)
                onDelete(variable)
              }}
            />
          )
        )}
        {after > 0 && <tr style={{ height: after }} />}
      </tbody>
    </table>
  )
}
