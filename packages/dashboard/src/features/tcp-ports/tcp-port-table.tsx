import { IconTrash } from '@tabler/icons-react'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { IconButton } from '../../ui/icon-button.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { tcpPortMessages } from './tcp-ports.messages.ts'
import type { TcpPort } from './tcp-ports.queries.ts'

interface TcpPortTableProps {
  ports: readonly TcpPort[]
  onRemove(port: TcpPort): void
}

export function TcpPortTable({ ports, onRemove }: TcpPortTableProps) {
  const t = useMessages(tcpPortMessages)
  return (
    <table className={`${card.table} ${card.cards}`}>
      <thead>
        <tr>
          <th scope="col">{t('address')}</th>
          <th scope="col">{t('containerPort')}</th>
          <th scope="col">{t('kind')}</th>
          <th scope="col">{t('state')}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {ports.map((port) => (
          <tr key={port.id}>
            <td>
              {port.addresses.map((address) => (
                <div key={address}>
                  <code dir="ltr">{address}</code>
                </div>
              ))}
            </td>
            <td data-label={t('containerPort')}>{String(port.containerPort)}</td>
            <td data-label={t('kind')}>{t(`kind.${port.kind}`)}</td>
            <td data-label={t('state')}>
              <StatusBadge tone={port.isOpen ? 'ok' : 'idle'}>
                {t(port.isOpen ? 'state.OPEN' : 'state.CLOSED')}
              </StatusBadge>
            </td>
            <td className={card.end}>
              <IconButton label={t('remove', { port: portName(port) })} onClick={() => onRemove(port)}>
                <IconTrash size={16} aria-hidden />
              </IconButton>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** What the owner repeats to remove it. */
export const portName = ({ kind, publishedPort, containerPort }: TcpPort): string =>
  kind === 'TLS' ? `TLS ${containerPort}` : String(publishedPort)
