import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { RuleActions } from '../../ui/rule-actions.tsx'
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
        {rules.map((rule, index) => (
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
              <RuleActions rules={rules} index={index} isLocked={isLocked} onChange={onChange} onEdit={onEdit} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
