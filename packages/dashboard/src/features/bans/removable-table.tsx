import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { useAction } from '../../ui/use-action.ts'
import { banMessages } from './bans.messages.ts'

interface RemovableTableProps<Entry extends { id: string }> {
  columns: readonly { title: string; cell(entry: Entry): ReactNode; isSecondary?: boolean }[]
  entries: readonly Entry[]
  remove(this: void, entry: NoInfer<Entry>): Promise<unknown>
  /** For screen readers: what the button of this entry removes. */
  removeLabel(entry: Entry): string
  removedMessage(entry: Entry): string
}

/** Entries of the bans page, each with a button that removes it. */
export function RemovableTable<Entry extends { id: string }>({
  columns,
  entries,
  ...removal
}: RemovableTableProps<Entry>) {
  return (
    <table className={`${card.table} ${card.cards}`}>
      <thead>
        <tr>
          {columns.map(({ title }) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
          <td />
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            {columns.map(({ title, cell, isSecondary }) => (
              <td key={title} className={isSecondary ? card.sub : undefined}>
                {cell(entry)}
              </td>
            ))}
            <td className={card.end}>
              <RemoveButton entry={entry} {...removal} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function RemoveButton<Entry extends { id: string }>({
  entry,
  remove,
  removeLabel,
  removedMessage
}: Pick<RemovableTableProps<Entry>, 'remove' | 'removeLabel' | 'removedMessage'> & { entry: Entry }) {
  const t = useMessages(banMessages)
  const removing = useAction({
    run: remove,
    invalidates: [['firewall', 'bans']],
    done: () => removedMessage(entry)
  })
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={removing.isPending}
      aria-label={removeLabel(entry)}
      onClick={() => removing.start(entry)}
    >
      {t('remove')}
    </Button>
  )
}
