import { Button } from '@mantine/core'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Section } from '../../ui/section.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { firewallMessages } from './firewall.messages.ts'
import type { FirewallPreset, FirewallRule } from './firewall.queries.ts'
import classes from './firewall.module.css'

interface PresetSectionProps {
  presets: readonly FirewallPreset[]
  rules: readonly FirewallRule[]
  isLocked: boolean
  onAdd(rule: FirewallRule): void
}

export function PresetSection({ presets, rules, isLocked, onAdd }: PresetSectionProps) {
  const t = useMessages(firewallMessages)
  return (
    <Section title={t('presets')} hint={t('presets.hint')}>
      <table className={`${card.table} ${card.cards} ${classes.presets}`}>
        <thead>
          <tr>
            <th scope="col">{t('service')}</th>
            <th scope="col">{t('ports')}</th>
            <th scope="col">{t('state')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {presets.map(({ service, protocol, ports, open }) => {
            const name = t(`service.${service}`)
            const rule: FirewallRule = { action: 'ALLOW', protocol, ports, source: null, note: name, enabled: true }
            const isThere = rules.some((other) => JSON.stringify(matchOf(other)) === JSON.stringify(matchOf(rule)))
            return (
              <tr key={service}>
                <td>{name}</td>
                <td className={card.sub}>
                  {t(`protocol.${protocol}`)} {ports.join(', ')}
                </td>
                <td>
                  <StatusBadge tone={open ? 'ok' : 'idle'}>{t(open ? 'preset.open' : 'preset.closed')}</StatusBadge>
                </td>
                <td className={card.end}>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={t('preset.add', { service: name })}
                    disabled={isLocked || isThere}
                    onClick={() => onAdd(rule)}
                  >
                    {t('action.ALLOW')}
                  </Button>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Section>
  )
}

const matchOf = ({ action, protocol, ports, source, enabled }: FirewallRule) => ({ action, protocol, ports, source, enabled }) // oxfmt-ignore
