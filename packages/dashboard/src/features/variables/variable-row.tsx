import { IconEye, IconEyeOff, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { IconButton } from '../../ui/icon-button.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { variableMessages } from './variables.messages.ts'
import { type Holder, revealVariable, type Variable } from './variables.queries.ts'
import classes from './variables.module.css'

interface VariableRowProps {
  holder: Holder
  variable: Variable
  isWaiting: boolean
  onEdit(value: string): void
  onDelete(): void
}

export function VariableRow({ holder, variable, isWaiting, onEdit, onDelete }: VariableRowProps) {
  const { id, key, maskedValue, updatedAt, scope, processes, references } = variable
  const t = useMessages(variableMessages)
  // Component state only, never cached; hidden again when the value changes.
  const [revealed, setRevealed] = useState<{ value: string; updatedAt: string }>()
  const value = revealed?.updatedAt === updatedAt ? revealed.value : undefined
  const show = useAction({
    run: () => revealVariable(holder, key),
    invalidates: [],
    onDone: (shown) => setRevealed({ value: shown, updatedAt })
  })
  const edit = useAction({ run: () => revealVariable(holder, key), invalidates: [], onDone: onEdit })
  return (
    <tr>
      <td className={classes.key}>
        <code dir="ltr">{key}</code> {scope !== 'BOTH' && <StatusBadge tone="idle">{t(`scope.${scope}`)}</StatusBadge>}{' '}
        {processes && <StatusBadge tone="idle">{processes.join(', ')}</StatusBadge>}
      </td>
      <td className={classes.value}>
        {value === undefined ? (
          <>
            {maskedValue}
            {references.length > 0 && (
              <span className={card.sub}> {t('refers', { names: references.join(', ') })}</span>
            )}
          </>
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
