import { IconEye, IconEyeOff, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { IconButton } from '../../ui/icon-button.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { variableMessages } from './variables.messages.ts'
import { revealVariable, type Variable } from './variables.queries.ts'
import classes from './variables.module.css'

interface VariableRowProps {
  projectId: string
  variable: Variable
  isWaiting: boolean
  onEdit(value: string): void
  onDelete(): void
}

export function VariableRow({ projectId, variable, isWaiting, onEdit, onDelete }: VariableRowProps) {
  const { id, key, maskedValue, updatedAt } = variable
  const t = useMessages(variableMessages)
  // Component state only, never cached; hidden again when the value changes.
  const [revealed, setRevealed] = useState<{ value: string; updatedAt: string }>()
  const value = revealed?.updatedAt === updatedAt ? revealed.value : undefined
  const show = useAction({
    run: () => revealVariable(projectId, key),
    invalidates: [],
    onDone: (shown) => setRevealed({ value: shown, updatedAt })
  })
  const edit = useAction({ run: () => revealVariable(projectId, key), invalidates: [], onDone: onEdit })
  return (
    <tr>
      <td className={classes.key}>
        <code dir="ltr">{key}</code>
      </td>
      <td className={classes.value}>
        {value === undefined ? (
          maskedValue
        ) : (
          <pre dir="ltr" tabIndex={0} aria-label={t('value.of', { key })}>
            {value}
          </pre>
        )}
      </td>
      <td className={`${card.sub} ${classes.changed}`}>
        <Time at={updatedAt} />
        {isWaiting && <StatusBadge tone="info">{t('waits')}</StatusBadge>}
      </td>
      <td className={`${card.end} ${classes.acts}`}>
        {value === undefined ? (
          <IconButton label={t('reveal', { key })} disabled={show.isPending} onClick={() => show.start()}>
            <IconEye size={16} aria-hidden />
          </IconButton>
        ) : (
          <IconButton label={t('hide', { key })} onClick={() => setRevealed(undefined)}>
            <IconEyeOff size={16} aria-hidden />
          </IconButton>
        )}
        <IconButton
          label={t('edit', { key })}
          data-edit={id}
          disabled={edit.isPending}
          onClick={() => (value === undefined ? edit.start() : onEdit(value))}
        >
          <IconPencil size={16} aria-hidden />
        </IconButton>
        <IconButton label={t('delete', { key })} data-delete={id} onClick={onDelete}>
          <IconTrash size={16} aria-hidden />
        </IconButton>
      </td>
    </tr>
  )
}
