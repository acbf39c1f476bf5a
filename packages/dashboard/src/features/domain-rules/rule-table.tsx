import { Group } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPencil, IconTrash } from '@tabler/icons-react'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { focusAction } from '../../ui/focus-row.ts'
import { Foreign } from '../../ui/foreign.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { domainRuleMessages } from './domain-rules.messages.ts'
import type { DomainRule } from './domain-rules.queries.ts'
import { summaryOf } from './rule-summary.ts'
import classes from './domain-rules.module.css'

interface RuleTableProps {
  rules: readonly DomainRule[]
  onChange(rules: DomainRule[]): void
  onEdit(index: number): void
}

export function RuleTable({ rules, onChange, onEdit }: RuleTableProps) {
  const t = useMessages(domainRuleMessages)
  const formats = useI18n()
  const move = (index: number, by: 1 | -1) => {
    const other = rules[index + by]
    if (other) onChange(rules.with(index, other).with(index + by, rules[index]!))
  }
  const remove = (index: number) => {
    focusAction('remove', (rules[index + 1] ?? rules[index - 1])?.id)
    onChange(rules.toSpliced(index, 1))
  }
  return (
    <table className={`${card.table} ${card.cards} ${classes.table}`}>
      <thead>
        <tr>
          <th scope="col">{t('number')}</th>
          <th scope="col">{t('kind')}</th>
          <th scope="col">{t('path')}</th>
          <th scope="col">{t('effect')}</th>
          <th scope="col">{t('note')}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {rules.map((rule, index) => {
          const number = index + 1
          return (
            <tr key={rule.id} data-off={!rule.enabled || undefined}>
              <td className={card.sub}>{number}</td>
              <td>
                {t(`kind.${rule.kind}`)}
                {!rule.enabled && <span className={card.sub}> {t('rule.off')}</span>}
              </td>
              <td className={`${classes.text} ${classes.path}`}>
                <code dir="ltr">{rule.path}</code>
                {rule.match === 'EXACT' && <span className={card.sub}> {t('match.only')}</span>}
              </td>
              <td className={classes.text}>{summaryOf(rule, t, formats)}</td>
              <td className={classes.text}>
                <Foreign>{rule.note}</Foreign>
              </td>
              <td className={card.end}>
                {/* aria-disabled, because a disabled button loses the focus when a rule arrives at an end. */}
                <Group gap={4} justify="flex-end" wrap="nowrap">
                  <IconButton
                    label={t('rule.up', { number })}
                    aria-disabled={index === 0 || undefined}
                    onClick={() => move(index, -1)}
                  >
                    <IconArrowUp size={16} aria-hidden />
                  </IconButton>
                  <IconButton
                    label={t('rule.down', { number })}
                    aria-disabled={number === rules.length || undefined}
                    onClick={() => move(index, 1)}
                  >
                    <IconArrowDown size={16} aria-hidden />
                  </IconButton>
                  <IconButton label={t('rule.editOne', { number })} onClick={() => onEdit(index)}>
                    <IconPencil size={16} aria-hidden />
                  </IconButton>
                  <IconButton label={t('rule.remove', { number })} data-remove={rule.id} onClick={() => remove(index)}>
                    <IconTrash size={16} aria-hidden />
                  </IconButton>
                </Group>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
