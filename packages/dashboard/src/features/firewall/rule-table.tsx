import { Group } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPencil, IconTrash } from '@tabler/icons-react'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { firewallMessages } from './firewall.messages.ts'
import type { FirewallRule } from './firewall.queries.ts'
import classes from './firewall.module.css'

interface RuleTableProps {
  rules: readonly FirewallRule[]
  isLocked: boolean
  onChange(rules: FirewallRule[]): void
  onEdit(index: number): void
}

export function RuleTable({ rules, isLocked, onChange, onEdit }: RuleTableProps) {
  const t = useMessages(firewallMessages)
  const move = (index: number, by: 1 | -1) =>
    onChange(rules.with(index, rules[index + by]!).with(index + by, rules[index]!))
  return (
    <table className={`${card.table} ${card.cards} ${classes.table}`}>
      <thead>
        <tr>
          <th scope="col">{t('action')}</th>
          <th scope="col">{t('source')}</th>
          <th scope="col">{t('protocol')}</th>
          <th scope="col">{t('ports')}</th>
          <th scope="col">{t('note')}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {rules.map((rule, index) => {
          const number = index + 1
          return (
            // The order is what a rule is identified by.
            <tr key={index} data-off={!rule.enabled || undefined}>
              <td>
                <StatusBadge tone={!rule.enabled ? 'idle' : rule.action === 'ALLOW' ? 'ok' : 'bad'}>
                  {t(`action.${rule.action}`)}
                </StatusBadge>
                {!rule.enabled && <span className={card.sub}> {t('rule.off')}</span>}
              </td>
              <td>{rule.source ?? t('source.all')}</td>
              <td className={card.sub}>{t(`protocol.${rule.protocol}`)}</td>
              <td>{rule.ports.length === 0 ? t('ports.all') : rule.ports.join(', ')}</td>
              <td className={classes.note}>
                <Foreign>{rule.note}</Foreign>
              </td>
              <td className={card.end}>
                <Group gap={4} justify="flex-end" wrap="nowrap">
                  <IconButton
                    label={t('rule.up', { number })}
                    disabled={isLocked || index === 0}
                    onClick={() => move(index, -1)}
                  >
                    <IconArrowUp size={16} aria-hidden />
                  </IconButton>
                  <IconButton
                    label={t('rule.down', { number })}
                    disabled={isLocked || number === rules.length}
                    onClick={() => move(index, 1)}
                  >
                    <IconArrowDown size={16} aria-hidden />
                  </IconButton>
                  <IconButton label={t('rule.editOne', { number })} disabled={isLocked} onClick={() => onEdit(index)}>
                    <IconPencil size={16} aria-hidden />
                  </IconButton>
                  <IconButton
                    label={t('rule.remove', { number })}
                    disabled={isLocked}
                    onClick={() => onChange(rules.toSpliced(index, 1))}
                  >
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
