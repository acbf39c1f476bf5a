import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import { RuleActions } from '../../ui/rule-actions.tsx'
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
        {rules.map((rule, index) => (
          <tr key={rule.id} data-off={!rule.enabled || undefined}>
            <td className={card.sub}>{index + 1}</td>
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
              <RuleActions rules={rules} index={index} onChange={onChange} onEdit={onEdit} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
