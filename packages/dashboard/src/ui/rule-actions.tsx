import { Group } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPencil, IconTrash } from '@tabler/icons-react'
import { useMessages } from '../i18n/i18n.tsx'
import { focusAction } from './focus-row.ts'
import { IconButton } from './icon-button.tsx'
import { ruleActionMessages } from './rule-actions.messages.ts'

interface RuleActionsProps<Rule> {
  rules: readonly Rule[]
  index: number
  isLocked?: boolean
  onChange(rules: Rule[]): void
  onEdit(index: number): void
}

/** Buttons of one rule in an ordered list: move, edit and remove. */
export function RuleActions<Rule>({ rules, index, isLocked = false, onChange, onEdit }: RuleActionsProps<Rule>) {
  const t = useMessages(ruleActionMessages)
  const number = index + 1
  const move = (by: 1 | -1) => {
    const other = rules[index + by]
    if (other !== undefined) onChange(rules.with(index, other).with(index + by, rules[index]!))
  }
  const remove = () => {
    focusAction('remove', rules.length === 1 ? undefined : String(Math.min(number, rules.length - 1)))
    onChange(rules.toSpliced(index, 1))
  }
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {/* aria-disabled at the ends, because a disabled button loses the focus when a rule arrives there. */}
      <IconButton
        label={t('up', { number })}
        disabled={isLocked}
        aria-disabled={index === 0 || undefined}
        onClick={() => move(-1)}
      >
        <IconArrowUp size={16} aria-hidden />
      </IconButton>
      <IconButton
        label={t('down', { number })}
        disabled={isLocked}
        aria-disabled={number === rules.length || undefined}
        onClick={() => move(1)}
      >
        <IconArrowDown size={16} aria-hidden />
      </IconButton>
      <IconButton label={t('edit', { number })} disabled={isLocked} onClick={() => onEdit(index)}>
        <IconPencil size={16} aria-hidden />
      </IconButton>
      <IconButton label={t('remove', { number })} disabled={isLocked} data-remove={number} onClick={remove}>
        <IconTrash size={16} aria-hidden />
      </IconButton>
    </Group>
  )
}
